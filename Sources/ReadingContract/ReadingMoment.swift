import Traces
import VitalsModel

/// One entry of a trace in the words of the vitals reading.
enum ReadingMoment {
  case call(Call)
  case returned(Call)
  case threw(Call)
  case event(Event)
  case notice(String)
  case camera(isOn: Bool)
  case torch(isOn: Bool)
  /// What a perfect reader would have found in the minute before.
  case realised(Message)
  /// The first frame after the camera was opened.
  case firstFrame
  /// A state of the world as it really is.
  case world(word: String, state: String)
  case other

  enum Call: Hashable {
    case start, stop, cancelReading
    case setAutoStart(Bool)
    case unknown
  }

  enum Event {
    case guidance(String, startProgress: Double?)
    case started
    case preview(Message)
    case heartbeat(ibiMs: Double?)
    case cancelled(reason: String)
    case measurementComplete
    case completed(Message)
    case failed(error: String)
    case unknown(String)
  }
}

extension ReadingMoment.Event {
  init(_ message: Message) {
    self =
      switch message.name {
      case "guidance":
        .guidance(message["guidance"]?.text ?? "", startProgress: message["startProgress"]?.number)
      case "started": .started
      case "preview": .preview(message)
      case "heartbeat": .heartbeat(ibiMs: message["ibiMs"]?.number)
      case "cancelled": .cancelled(reason: message["reason"]?.text ?? "")
      case "measurementComplete": .measurementComplete
      case "completed": .completed(message)
      case "failed": .failed(error: message["error"]?.text ?? "")
      default: .unknown(message.name)
      }
  }

  /// The event's name as the contract spells it.
  var name: String {
    switch self {
    case .guidance: "guidance"
    case .started: "started"
    case .preview: "preview"
    case .heartbeat: "heartbeat"
    case .cancelled: "cancelled"
    case .measurementComplete: "measurementComplete"
    case .completed: "completed"
    case .failed: "failed"
    case .unknown(let name): name
    }
  }
}

/// The phase of a session as its trace shows it.
enum ReadingPhase: String {
  case idle, positioning, measuring, finalizing, ended
}

/// What every monitor needs to know of the run so far.
struct ReadingContext {
  /// The platform of the run, `ios` or `android`.
  let platform: String
  /// When the entry happened.
  var now = Instant.zero
  /// The phase before the entry.
  var phase = ReadingPhase.idle
  /// When the running or last attempt began.
  var startedAt: Instant?
  /// When `stop()` was first called, in a session that it ended or released.
  private(set) var stoppedAt: Instant?
  private(set) var isCameraOn = false
  private(set) var isTorchOn = false
  private(set) var isAutoStartEnabled = true
  /// Whether the truth about the fingertip is known at all, as it is not of a recording.
  private(set) var knowsContact = false
  private(set) var contactLostSince: Instant?
  /// Since when contact, pulse and stillness have been good together; nil while they are not or are not known.
  private(set) var goodSince: Instant?
  private var badWords: [String] = []
  private var calls: [Int: ReadingMoment.Call] = [:]

  init(platform: String) { self.platform = platform }

  /// The words whose state decides whether a signal is good, with their good state.
  private static let good = ["contact": "present", "pulse": "present", "motion": "still"]

  /// The entry in the contract's words.
  mutating func read(_ entry: TraceEntry) -> ReadingMoment {
    now = entry.at
    switch entry.item {
    case .call(let id, let message):
      let call = ReadingMoment.Call(message)
      calls[id] = call
      return .call(call)
    case .reply(let id, .returned): return .returned(calls[id] ?? .unknown)
    case .reply(let id, .threw): return .threw(calls[id] ?? .unknown)
    case .event(let message): return .event(ReadingMoment.Event(message))
    case .command(let message):
      switch (message.name, message["on"]) {
      case ("camera", .flag(let isOn)?): return .camera(isOn: isOn)
      case ("torch", .flag(let isOn)?): return .torch(isOn: isOn)
      default: return .other
      }
    case .truth(let message):
      if message.name == "firstFrame" { return .firstFrame }
      if case .realised? = RunTruth(message) { return .realised(message) }
      guard let state = message["state"]?.text else { return .other }
      return .world(word: message.name, state: state)
    case .notice(let message): return .notice(message.name)
    case .sample, .timer, .stimulus: return .other
    }
  }

  /// Moves the context past the entry, after the monitors have seen it.
  mutating func advance(past moment: ReadingMoment) {
    switch moment {
    case .call(.stop): if phase != .ended { stoppedAt = stoppedAt ?? now }
    case .call(.setAutoStart(let isEnabled)): isAutoStartEnabled = isEnabled
    case .returned(.start): if phase == .idle { phase = .positioning }
    case .returned(.stop): if phase != .finalizing { phase = .ended }
    case .camera(let isOn): isCameraOn = isOn
    case .torch(let isOn): isTorchOn = isOn
    case .world(let word, let state): change(word, to: state)
    case .event(let event): advance(past: event)
    case .call, .returned, .threw, .notice, .realised, .firstFrame, .other: break
    }
  }

  /// Whether the signal has been good since the attempt began.
  var isGoodAttempt: Bool {
    guard let startedAt, let goodSince else { return false }
    return goodSince <= startedAt
  }

  private mutating func advance(past event: ReadingMoment.Event) {
    switch event {
    case .started:
      phase = .measuring
      startedAt = now
    case .cancelled: phase = .positioning
    case .measurementComplete: phase = .finalizing
    case .completed, .failed: phase = .ended
    case .guidance, .preview, .heartbeat, .unknown: break
    }
  }

  private mutating func change(_ word: String, to state: String) {
    guard let good = Self.good[word] else { return }
    badWords.removeAll { $0 == word }
    if state != good { badWords.append(word) }
    if word == "contact" {
      knowsContact = true
      contactLostSince = state == good ? nil : contactLostSince ?? now
    }
    goodSince = badWords.isEmpty ? goodSince ?? now : nil
  }
}

extension ReadingMoment.Call {
  fileprivate init(_ message: Message) {
    self =
      switch (message.name, message["argument"]?.text) {
      case ("start", _): .start
      case ("stop", _): .stop
      case ("cancelReading", _): .cancelReading
      case ("setAutoStart", "true"?): .setAutoStart(true)
      case ("setAutoStart", "false"?): .setAutoStart(false)
      default: .unknown
      }
  }
}
