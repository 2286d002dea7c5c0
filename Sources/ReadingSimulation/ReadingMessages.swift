import PulseAnalysis
import ReadingSession
import Simulation
import Traces
import VitalsModel

// The vitals reading in the harness's words, and back.

extension SessionEffect {
  init(_ effect: Effect) {
    self =
      switch effect {
      case .event(let event): .event(Message(event))
      case .command(let command): .command(Message(command))
      case .reply(let id, .returned): .reply(id: id, .returned)
      case .reply(let id, .threw(let error)): .reply(id: id, .threw(Message(error.name, error.details)))
      }
  }
}

extension Call {
  /// A call of a scenario or of a trace; only known ones are let through.
  init(_ message: Message) {
    self =
      switch (message.name, message["argument"]?.text) {
      case ("activate", _): .activate
      case ("start", let argument): .start(isOnMainThread: argument != "offMainThread")
      case ("stop", _): .stop
      case ("cancelReading", _): .cancelReading
      case ("setAutoStart", let argument): .setAutoStart(argument == "true")
      default: preconditionFailure("no call is named \(message.name)")
      }
  }
}

extension Input {
  /// What a notice tells; nil for one that the vitals reading has no ear for.
  init?(_ notice: Message) {
    let state = notice["state"]?.text
    let reason = notice["reason"]?.text
    switch (notice.name, state) {
    case ("cameraFailed", _): self = .cameraFailed
    case ("ownerDestroyed", _): self = .ownerDestroyed
    case ("interruptionBegan", _):
      guard let reason = reason.flatMap(InterruptionReason.init) else { return nil }
      self = .interruptionBegan(reason)
    case ("interruptionEnded", _): self = .interruptionEnded(reason.flatMap(InterruptionReason.init))
    case ("frameRateSelected", _):
      // A rate beyond every camera's is an edited trace, and would make nonsense of the frames.
      guard let fps = notice["frameRateFps"]?.number, fps > 0, fps <= 1_000 else { return nil }
      self = .frameRateSelected(fps: fps)
    case ("torch", let state?): self = .torch(isAvailable: state == "available")
    case ("activation", let state?): self = .host(.activation(isDone: state == "done"))
    case ("licence", let state?): self = .host(.licence(fault: state == "valid" ? nil : state))
    case ("permission", let state?): self = .host(.permission(isGranted: state == "granted"))
    case ("device", let state?): self = .host(.device(fault: state == "supported" ? nil : state))
    case ("cameraAccess", let state?): self = .host(.camera(isBusy: state == "busy"))
    case ("app", let state?): self = .host(.app(isInForeground: state == "foreground"))
    default: return nil
    }
  }
}

extension Message {
  fileprivate init(_ event: Event) {
    switch event {
    case .guidance(let guidance, let progress):
      self.init(
        "guidance",
        [Field("guidance", .text(guidance.rawValue)), Field("startProgress", .number(progress, places: 3))])
    case .started: self.init("started")
    case .preview(let preview): self.init("preview", preview.fields)
    case .heartbeat(let ibiMs): self.init("heartbeat", [Field("ibiMs", ibiMs, places: 1)].compactMap(\.self))
    case .cancelled(let reason): self.init("cancelled", [Field("reason", .text(reason.rawValue))])
    case .measurementComplete: self.init("measurementComplete")
    case .completed(let result): self.init("completed", result.fields)
    case .failed(let error): self.init("failed", [Field("error", .text(error.name))] + error.details)
    }
  }

  fileprivate init(_ command: Command) {
    switch command {
    case .camera(let isOn): self.init("camera", [Field("on", .flag(isOn))])
    case .torch(let isOn): self.init("torch", [Field("on", .flag(isOn))])
    case .adjustFrameRate: self.init("adjustFrameRate")
    case .buildResult(let attempt, let record):
      self.init(
        "buildResult", [Field("attempt", .integer(Int64(attempt))), Field("frames", .integer(Int64(record.count)))])
    }
  }
}

extension LivePreview {
  fileprivate var fields: [Field] {
    [
      Field("progress", .number(progress, places: 6)), Field("heartRateBpm", heartRateBpm, places: 1),
      Field("rmssdMs", rmssdMs, places: 1), signalLevel.map { Field("signalLevel", .text($0.rawValue)) },
    ].compactMap(\.self)
  }
}

extension ReadingResult {
  fileprivate var fields: [Field] {
    let reasons = withheld.map { Field($0.measure, .text($0.reason)) }
    return [
      Field("heartRateBpm", heartRateBpm, places: 2), Field("rmssdMs", rmssdMs, places: 2),
      Field("sdnnMs", sdnnMs, places: 2), Field("meanNNMs", meanNNMs, places: 2),
      Field("breathingRatePerMin", breathingRatePerMin, places: 2),
      Field("perfusionIndexPercent", perfusionIndexPercent, places: 3), Field("quality", quality, places: 3),
      reasons.isEmpty ? nil : Field("withheld", .object(reasons)),
    ].compactMap(\.self)
  }
}

extension ReadingError {
  fileprivate var name: String {
    switch self {
    case .notActivated: "notActivated"
    case .licenseInvalid: "licenseInvalid"
    case .cameraPermissionDenied: "cameraPermissionDenied"
    case .cameraUnavailable: "cameraUnavailable"
    case .unsupportedDevice: "unsupportedDevice"
    case .noHeartRate: "noHeartRate"
    case .internalError: "internalError"
    }
  }

  fileprivate var details: [Field] {
    switch self {
    case .notActivated, .cameraPermissionDenied, .cameraUnavailable, .noHeartRate: []
    case .licenseInvalid(let reason), .unsupportedDevice(let reason): [Field("reason", .text(reason))]
    case .internalError(let message): [Field("message", .text(message))]
    }
  }
}

extension Field {
  /// A number, or nothing where it is unknown: what is absent is left out, never written as a number.
  init?(_ key: String, _ number: Double?, places: Int) {
    guard let number else { return nil }
    self.init(key, .number(number, places: places))
  }
}
