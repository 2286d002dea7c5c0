import Scenarios
import Simulation
import Traces
import VitalsModel

/// Records a synthetic finger as a camera app would: camera and torch are on from the beginning, and come back as soon
/// as the system lets them after an interruption.
///
/// It gives frames and truths one by one, in the order of time, and holds on to none: a day takes no more memory than a
/// minute. A frame's moment is that of its delivery, which is that of its capture unless it comes late. Everything left
/// to chance is what it is in a run of the scenario with this seed; only the opening is at once, so that the first
/// frame is at the beginning.
///
/// Truths are the states of the finger and the phone (`contact`), each `beat` at the foot of its wave at the fingertip,
/// with the interval since the one before it, each `breath` at the beginning of the inspiration, and at the end
/// `realised`, which speaks of the whole recording, and `end`.
public struct SyntheticRecorder: Sendable {
  private var phone: SimulatedPhone
  private var changes: ArraySlice<Timetable.Entry>
  private let length: TimeSpan
  private var passing = BodyTruth()
  /// What has happened and is not given yet, in the order of time: what is true at a moment is known only when the
  /// scene has come to it.
  private var pending: [Item] = []
  private var progress = Progress.recording

  private enum Progress {
    /// Frames are still to come.
    case recording
    /// Only what is pending is still to be given.
    case closing
  }

  /// What a recording holds.
  public enum Item: Hashable, Sendable {
    /// A frame, and when it is delivered.
    case frame(FrameSample, at: Instant)
    /// Something true, or a change of the world, and its moment.
    case entry(TraceEntry)

    /// Its moment.
    public var at: Instant {
      switch self {
      case .frame(_, let at): at
      case .entry(let entry): entry.at
      }
    }
  }

  /// Prepares a recording.
  ///
  /// - Parameters:
  ///   - scenario: gives the subject and the camera
  ///   - timetable: of the scenario; calls are no part of a recording
  ///   - platform: one of the vocabulary's platforms, whose system the phone has
  ///   - seed: of every random stream
  ///   - length: frames are delivered up to but not including this moment
  public init(_ scenario: Scenario, timetable: Timetable, platform: String, seed: UInt64, length: TimeSpan) {
    var settings = scenario.settings
    // What separates a command from its frame, and a frame from its session, is none of a recording's.
    settings["camera", "openDelay"] = 0
    settings["camera", "latency"] = 0
    phone = SimulatedPhone(settings: settings, platform: platform, seed: seed)
    changes = timetable.entries[...]
    self.length = length
    keepRecording(at: .zero)
  }

  /// The next frame or truth; nil when the recording is over.
  public mutating func next() -> Item? {
    while true {
      if let first = pending.first, isKnown(upTo: first.at) { return pending.removeFirst() }
      switch progress {
      case .closing: return pending.isEmpty ? nil : pending.removeFirst()
      case .recording: break
      }
      if let frame = advance() { return frame }
    }
  }

  /// Whether nothing can come to light any more that is before this moment.
  private func isKnown(upTo moment: Instant) -> Bool { moment <= phone.latest }

  /// Lets the next thing happen; gives a frame that may be passed on at once.
  private mutating func advance() -> Item? {
    let end = Instant.zero + length
    let change = changes.first.flatMap { $0.at < end ? $0 : nil }
    guard let delivery = phone.next(before: change?.at ?? end) else {
      if let change {
        changes.removeFirst()
        perform(change.action, at: change.at)
      } else {
        close(at: end)
      }
      return nil
    }
    publish(upTo: end)
    switch delivery.content {
    case .sample(let frame):
      let item = Item.frame(frame, at: delivery.at)
      if pending.isEmpty, isKnown(upTo: delivery.at) { return item }
      add(item)
    case .truth(let truth):
      add(.entry(TraceEntry(at: delivery.at, .truth(truth))))
    case .notice(let notice):
      // One that could not be opened is tried again when something has changed, not at once.
      if notice.name != "cameraFailed" { keepRecording(at: delivery.at) }
    }
    return nil
  }

  private mutating func perform(_ action: Stimulus.Action, at now: Instant) {
    switch action {
    case .call: break
    case .world(let change):
      add(.entry(TraceEntry(at: now, .stimulus(change.message))))
      phone.change(change, at: now)
      keepRecording(at: now)
    }
  }

  /// Opens the camera and lights the torch where they are not on.
  private mutating func keepRecording(at now: Instant) {
    for name in ["camera", "torch"] { phone.obey(Message(name, [Field("on", .flag(true))]), at: now) }
  }

  private mutating func close(at end: Instant) {
    phone.passTime(to: end)
    publish(upTo: end)
    progress = .closing
    add(.entry(TraceEntry(at: end, .truth(RunTruth.realised(passing.statistics).message))))
    add(.entry(TraceEntry(at: end, .truth(RunTruth.end(.until).message))))
  }

  private mutating func publish(upTo end: Instant) {
    for entry in passing.news(in: phone.pulseTruth, upTo: end) { add(.entry(entry)) }
  }

  /// Keeps an item for its moment, behind those of the same moment.
  private mutating func add(_ item: Item) {
    let behind = pending.lastIndex { $0.at <= item.at }
    pending.insert(item, at: behind.map { $0 + 1 } ?? 0)
  }
}
