import ReadingSession
import VitalsModel

@testable import SessionShells

/// A session of either platform on a host of its own, activated unless it is told otherwise.
@MainActor
struct Setup {
  let host: SimulatedHost
  let builder = HeldBuilder()
  let sdk: VitalsSDK

  init(
    _ conditions: HostConditions = HostConditions(), isActivated: Bool = true, build: SessionDriver.Builder? = nil
  ) throws(ReadingError) {
    host = SimulatedHost(conditions)
    sdk = VitalsSDK(host: host, build: build ?? { [builder] in await builder.build($0) })
    if isActivated { try sdk.activate(key: "key") }
  }

  /// What creating a session throws; nil when it does not.
  func creationError(_ platform: Platform) -> ReadingError? {
    ReadingError.thrown { () throws(ReadingError) in _ = try Shell(platform, sdk) }
  }

  /// What a session's start throws; nil when it does not.
  func startError(_ shell: Shell) -> ReadingError? {
    ReadingError.thrown { () throws(ReadingError) in try shell.start() }
  }

  /// Lets time pass: frames of a view 30 times a second while the camera is on, and the deadlines.
  nonisolated func run(from begin: Double = 0, to end: Double, _ view: View = .finger) {
    for frame in Int((begin * 30).rounded(.up))...Int(end * 30) {
      let now = moment(Double(frame) / 30)
      host.manualClock.move(to: now)
      host.manualClock.ring()
      if host.isCameraOn, let seen = view.frame(at: now) { host.tell { $0.frame(seen, at: now) } }
    }
  }
}
