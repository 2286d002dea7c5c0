import Checks
import Traces
import VitalsModel

/// V01: the lifecycle events come in an order that the phases allow.
struct PhaseOrder: ReadingMonitor {
  var ruling = Ruling(rule: "V01")
  private var hasMeasured = false

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    guard case .event(let event) = moment else { return }
    let allowed: [ReadingPhase]
    switch event {
    case .started: allowed = hasMeasured ? [] : [.positioning]
    case .cancelled, .measurementComplete: allowed = [.measuring]
    case .completed: allowed = [.finalizing]
    case .failed: allowed = [.positioning, .measuring, .finalizing]
    case .guidance, .preview, .heartbeat, .unknown: return
    }
    if case .measurementComplete = event { hasMeasured = true }
    ruling.judge(
      allowed.contains(context.phase), at: context.now,
      expected: allowed.isEmpty
        ? "no \(event.name) after measurementComplete"
        : "\(event.name) only while \(allowed.map(\.rawValue).joined(separator: " or "))",
      actual: "\(event.name) while \(context.phase.rawValue)")
  }
}

/// V02: nothing but the eight events.
struct KnownEvents: ReadingMonitor {
  var ruling = Ruling(rule: "V02")

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    guard case .event(let event) = moment else { return }
    var isKnown = true
    if case .unknown = event { isKnown = false }
    ruling.judge(isKnown, at: context.now, expected: "one of the eight events", actual: event.name)
  }
}

/// V13: silence after the end, with camera and torch off by then.
struct NothingAfterEnd: ReadingMonitor {
  var ruling = Ruling(rule: "V13")
  private var end: String?

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    switch moment {
    case .camera(isOn: true), .torch(isOn: true):
      if let end {
        ruling.judge(false, at: context.now, expected: "camera and torch off after \(end)", actual: "switched on")
      }
    default: break
    }
    guard case .event(let event) = moment else { return }
    if let end {
      ruling.judge(false, at: context.now, expected: "no event after \(end)", actual: event.name)
    }
    switch event {
    case .completed, .failed:
      end = end ?? event.name
      ruling.judge(
        !context.isCameraOn && !context.isTorchOn, at: context.now, expected: "camera and torch off by \(event.name)",
        actual: [context.isCameraOn ? "camera on" : nil, context.isTorchOn ? "torch on" : nil]
          .compactMap(\.self).joined(separator: ", "))
    case .guidance, .started, .preview, .heartbeat, .cancelled, .measurementComplete, .unknown: break
    }
  }
}

/// V14: guidance while positioning, preview and heartbeat while measuring.
struct EventsInPhase: ReadingMonitor {
  var ruling = Ruling(rule: "V14")

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    guard case .event(let event) = moment else { return }
    let home: ReadingPhase
    switch event {
    case .guidance: home = .positioning
    case .preview, .heartbeat: home = .measuring
    case .started, .cancelled, .measurementComplete, .completed, .failed, .unknown: return
    }
    ruling.judge(
      context.phase == home, at: context.now, expected: "\(event.name) only while \(home.rawValue)",
      actual: "\(event.name) while \(context.phase.rawValue)")
  }
}
