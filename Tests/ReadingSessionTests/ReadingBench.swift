import PulseAnalysis
import ReadingSession
import VitalsModel

/// Drives an engine with plain frames: a finger with a pulse, a finger without one, a table or nothing at all.
struct ReadingBench {
  enum View {
    case finger, flatFinger, table, nothing
    /// A finger of which the camera shows every other frame.
    case slowFinger
  }

  /// What the app or the host does, in seconds.
  enum Act {
    case call(Call)
    case view(View)
    case input(Input)
  }

  var platform = Platform.ios
  var buildsResults = true
  var seconds = 75.0
  var acts: [(Double, Act)]

  /// Every effect with its time, in order.
  func effects() -> [(at: Double, effect: Effect)] {
    var engine = ReadingEngine(platform: platform)
    var effects: [(Double, Effect)] = []
    var pending = acts.map { (moment($0.0), $0.1) }
    var view = View.finger
    var isCameraOn = false
    var frame = 0
    var calls = 0
    func feed(_ input: Input, at now: Instant) {
      for effect in engine.feed(input, at: now) {
        effects.append((now.seconds, effect))
        if case .command(.camera(let isOn)) = effect { isCameraOn = isOn }
        if case .command(.buildResult(let attempt, let record)) = effect, buildsResults {
          pending.append((now + .seconds(1), .input(.resultBuilt(attempt: attempt, buildResult(record)))))
        }
      }
    }
    while true {
      let frameAt = moment(Double(frame) / 30)
      let actAt = pending.map(\.0).min()
      let now = [frameAt, actAt, engine.deadline].compactMap(\.self).min() ?? frameAt
      guard now.seconds <= seconds else { return effects }
      if let actAt, actAt == now, let index = pending.firstIndex(where: { $0.0 == now }) {
        switch pending.remove(at: index).1 {
        case .call(let call):
          calls += 1
          feed(.call(id: calls, call), at: now)
        case .view(let seen): view = seen
        case .input(let input): feed(input, at: now)
        }
      } else if frameAt == now {
        frame += 1
        if isCameraOn, view != .nothing, view != .slowFinger || frame.isMultiple(of: 2) {
          feed(.frame(see(view, at: now)), at: now)
        }
      } else {
        feed(.timer, at: now)
      }
    }
  }

  /// A pulse of 75 per minute with a little seeded noise, so that it looks like light.
  private func see(_ view: View, at now: Instant) -> FrameSample {
    var noise = SeededGenerator(seed: UInt64(bitPattern: now.microseconds), stream: "bench")
    func level(_ base: Double, _ depth: Double) -> Double {
      let phase = now.seconds / 0.8 - (now.seconds / 0.8).rounded(.down)
      let pulse = Maths.exp(-((phase - 0.25) * (phase - 0.25)) / 0.01)
      return base * (1 - depth * pulse) + 0.05 * noise.gaussian()
    }
    switch view {
    case .finger, .slowFinger:
      return FrameSample(captured: now, red: level(200, 0.015), green: level(30, 0.03), blue: level(25, 0.02))
    case .flatFinger: return FrameSample(captured: now, red: level(200, 0), green: level(30, 0), blue: level(25, 0))
    case .table, .nothing:
      return FrameSample(captured: now, red: level(110, 0), green: level(108, 0), blue: level(102, 0))
    }
  }

  private func moment(_ seconds: Double) -> Instant { .zero + TimeSpan(seconds: seconds) }
}

extension Effect {
  /// In short, for tables of expected effects; nil for what comes about once a second.
  var brief: String? {
    switch self {
    case .reply(let id, .returned): "reply \(id)"
    case .reply(let id, .threw): "threw \(id)"
    case .command(.camera(let isOn)): "camera \(isOn ? "on" : "off")"
    case .command(.torch(let isOn)): "torch \(isOn ? "on" : "off")"
    case .command(.adjustFrameRate): "adjust"
    case .command(.buildResult(let attempt, _)): "build \(attempt)"
    case .event(.guidance), .event(.preview), .event(.heartbeat): nil
    case .event(.started): "started"
    case .event(.cancelled(let reason)): "cancelled \(reason)"
    case .event(.measurementComplete): "complete"
    case .event(.completed): "completed"
    case .event(.failed(let error)): "failed \(error)"
    }
  }
}
