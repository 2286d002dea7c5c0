import PulseAnalysis
import ReadingSession
import VitalsModel

@testable import SessionShells

/// A clock that goes on only when it is told to.
final class ManualClock: SessionClock {
  private struct State {
    var now = Instant.zero
    var wakeUps: [(at: Instant, body: @Sendable () -> Void)] = []
  }

  private let state = Guarded(State())

  var now: Instant { state.withLock(\.now) }

  func wakeUp(at moment: Instant, _ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.wakeUps.append((moment, body)) }
  }

  /// The earliest wake-up that was asked for.
  var nextWakeUp: Instant? { state.withLock { $0.wakeUps.map(\.at).min() } }

  func move(to moment: Instant) { state.withLock { $0.now = max($0.now, moment) } }

  /// Wakes whoever asked for now or earlier.
  func ring() {
    while let body = takeDue() { body() }
  }

  private func takeDue() -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard let index = state.wakeUps.firstIndex(where: { $0.at <= state.now }) else { return nil }
      return state.wakeUps.remove(at: index).body
    }
  }
}

/// A phone that does nothing by itself: what a session asks of it is written down, what happens to it is told.
final class SimulatedHost: VitalsHost {
  private struct State {
    var conditions = HostConditions()
    var licenceFault: String?
    var inlets: [SessionInlet] = []
    var commands: [String] = []
    var isCameraOn = false
  }

  private let state = Guarded(State())
  let manualClock = ManualClock()
  var clock: any SessionClock { manualClock }

  init(_ conditions: HostConditions = HostConditions(), licenceFault: String? = nil) {
    state.withLock { state in
      state.conditions = conditions
      state.licenceFault = licenceFault
    }
  }

  func set(_ change: (inout HostConditions) -> Void) { state.withLock { change(&$0.conditions) } }
  func set(licenceFault: String?) { state.withLock { $0.licenceFault = licenceFault } }

  func licenceFault(of key: String) -> String? { state.withLock(\.licenceFault) }
  func conditions() -> HostConditions { state.withLock(\.conditions) }
  func connect(_ inlet: SessionInlet) { state.withLock { $0.inlets.append(inlet) } }
  func adjustFrameRate() { state.withLock { $0.commands.append("adjust") } }

  func setCamera(isOn: Bool) {
    state.withLock { state in
      state.isCameraOn = isOn
      state.commands.append("camera \(isOn ? "on" : "off")")
    }
    // It answers at once, while the session is still asking.
    if isOn { tell { $0.frameRateSelected(fps: 30, at: manualClock.now) } }
  }

  func setTorch(isOn: Bool) { state.withLock { $0.commands.append("torch \(isOn ? "on" : "off")") } }

  var commands: [String] { state.withLock { $0.commands.map(\.self) } }
  var isCameraOn: Bool { state.withLock(\.isCameraOn) }

  /// Tells every session.
  func tell(_ body: (SessionInlet) -> Void) {
    for inlet in state.withLock({ $0.inlets.map(\.self) }) { body(inlet) }
  }
}

/// Builds results, the first of which waits until it is let go.
final class HeldBuilder: Sendable {
  private let gate = AsyncStream.makeStream(of: Void.self)
  private let seen = Guarded<[Bool]>([])

  /// Whether each build ran on the main thread.
  var ranOnMainThread: [Bool] { seen.withLock(\.self) }

  func letGo() { gate.continuation.finish() }

  func build(_ record: PulseRecord) async -> BuiltResult {
    for await _ in gate.stream {}
    seen.withLock { $0.append(MainThread.isCurrent) }
    return buildResult(record)
  }
}
