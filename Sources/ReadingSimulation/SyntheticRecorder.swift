import CameraSynthesis
import PulseSynthesis
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
/// with the interval since the one before it, each `breath` at the beginning of the inspiration, `frame` with what was
/// so whenever the camera looked and `stamp`, which the phone's clock showed at that capture, and at the end `realised`, which speaks of the whole recording, and `end`.
public struct SyntheticRecorder: Sendable {
  private var phone: SimulatedPhone
  private var changes: ArraySlice<Timetable.Entry>
  private let length: TimeSpan
  private let clock: RecordingClock
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
  ///   - keepsFrameTruth: whether there is a truth for each frame
  public init(
    _ scenario: Scenario, timetable: Timetable, platform: String, seed: UInt64, length: TimeSpan, keepsFrameTruth: Bool
  ) {
    let settings = Self.settings(of: scenario)
    phone = SimulatedPhone(settings: settings, source: scenario.source, platform: platform, seed: seed)
    clock = RecordingClock(settings)
    phone.keepsFrameTruth = keepsFrameTruth
    changes = timetable.entries[...]
    self.length = length
    keepRecording(at: .zero)
    // The torch has been on for long.
    phone.settle()
  }

  /// The settings of a scenario as they are in its recording: what lies between a command and its frame, and between
  /// a frame and its session, is none of it.
  public static func settings(of scenario: Scenario) -> Settings {
    var settings = scenario.settings
    settings["camera", "openDelay"] = 0
    settings["camera", "latency"] = 0
    return settings
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
        perform(change)
        publish(upTo: end)
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
    // The body tells these itself, each at its own moment.
    case .truth(let truth) where truth.name == "beat" || truth.name == "breath": break
    // Told with the frame.
    case .truth(let truth) where truth.name == "frameFault" && phone.keepsFrameTruth: break
    // Its phone has a camera and no other device.
    case .capture, .reference: break
    case .truth(let truth):
      add(.entry(TraceEntry(at: delivery.at, .truth(truth))))
    case .notice(let notice):
      // One that could not be opened is tried again when something has changed, not at once.
      if notice.name != "cameraFailed" {
        keepRecording(at: delivery.at)
        publish(upTo: end)
      }
    }
    return nil
  }

  private mutating func perform(_ entry: Timetable.Entry) {
    guard case .world(let change) = entry.action else { return }
    if let trace = entry.trace { add(.entry(trace)) }
    phone.change(change, at: entry.at)
    keepRecording(at: entry.at)
  }

  /// Opens the camera and lights the torch where they are not on.
  private mutating func keepRecording(at now: Instant) {
    for name in ["camera", "torch"] { phone.obey(Message(name, [Field("on", .flag(true))]), at: now) }
  }

  private mutating func close(at end: Instant) {
    phone.passTime(to: end)
    publish(upTo: end)
    progress = .closing
    add(.entry(TraceEntry(at: end, .truth(phone.frameCounts.message))))
    add(.entry(TraceEntry(at: end, .truth(RunTruth.realised(passing.statistics).message))))
    add(.entry(TraceEntry(at: end, .truth(RunTruth.end(.until).message))))
  }

  private mutating func publish(upTo end: Instant) {
    for entry in passing.news(in: phone.pulseTruth, upTo: end) { add(.entry(entry)) }
    guard !phone.frameTruths.isEmpty else { return }
    for (at, captured, truth, faults) in phone.frameTruths {
      let message = truth.message(stamp: clock.stamp(at: captured), faults)
      add(.entry(TraceEntry(at: at, .truth(message))))
    }
    phone.frameTruths.removeAll(keepingCapacity: true)
  }

  /// Keeps an item for its moment, behind those of the same moment.
  private mutating func add(_ item: Item) {
    let behind = pending.lastIndex { $0.at <= item.at }
    pending.insert(item, at: behind.map { $0 + 1 } ?? 0)
  }
}

extension FrameCounts {
  /// As a trace holds it: the frames that were captured, and of each fault the frames that had it.
  fileprivate var message: Message {
    let counts = [
      ("captured", captured), ("dropped", dropped), ("stalled", stalled), ("duplicated", duplicated),
      ("reordered", reordered), ("late", late),
    ]
    return Message("frameCounts", counts.map { Field($0.0, .integer(Int64($0.1))) })
  }
}

extension FrameTruth {
  /// As a trace holds it.
  fileprivate func message(stamp: Instant, _ faults: FrameFault) -> Message {
    func share(_ key: String, _ value: Double) -> Field { Field(key, .number(value, places: 4)) }
    return Message(
      "frame",
      [
        Field("stamp", .number(stamp.seconds, places: 6)),
        share("coverage", coverage), share("pulseHeight", pulseHeight),
        share("perfusionIndexPercent", perfusionIndexPercent), share("pressure", pressure), share("slide", slide),
        share("torch", torch), share("disturbance", disturbance),
      ] + (faults.isEmpty ? [] : [Field("faults", .text(faults.names.joined(separator: " ")))]))
  }
}
