import PulseAnalysis
import ReadingSession
import Testing
import VitalsModel

@testable import SessionShells

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct SessionLifeTests {
  // MARK: V40, V47: a session that is dropped

  @Test(arguments: [(2.5, false), (20, true)])
  func droppingASessionIsAStop(seconds: Double, isMeasuring: Bool) async throws {
    for platform in Platform.allCases {
      let setup = try Setup()
      var shell: Shell? = try Shell(platform, setup.sdk)
      let events = shell?.collect()
      try shell?.start()
      setup.run(to: seconds)
      shell = nil
      #expect(setup.host.commands == ["camera on", "torch on", "torch off", "camera off"])
      setup.run(from: seconds, to: seconds + 10)
      // Of an Android flow nobody can say that it has ended.
      guard platform == .ios, let events else { continue }
      var seen: [Event] = []
      while let event = await events.next() { seen.append(event) }
      #expect(seen.contains(.started) == isMeasuring)
      #expect(!seen.contains(.cancelled(.interrupted)) && !seen.contains(.measurementComplete))
    }
  }

  /// A process that was frozen has its camera restarted, and the restart has its whole time.
  @Test(arguments: Platform.allCases) func aFreezeIsAStallAndNotTheEnd(_ platform: Platform) throws {
    let setup = try Setup()
    let shell = try Shell(platform, setup.sdk)
    try shell.start()
    setup.run(to: 20)
    setup.run(from: 40, to: 45)
    #expect(setup.host.commands == ["camera on", "torch on", "camera off", "camera on", "torch on"])
    shell.stop()
  }

  @Test func aSessionIsFreedWhenItIsDropped() throws {
    for platform in Platform.allCases {
      var setup: Setup? = try Setup()
      let host = setup?.host
      weak let sdk = setup?.sdk
      var shell = try setup.map { try Shell(platform, $0.sdk) }
      try shell?.start()
      setup?.run(to: 10)
      setup = nil
      #expect(sdk != nil)
      shell = nil
      #expect(shell == nil && sdk == nil)
      // The host may go on talking.
      host?.tell { $0.cameraFailed(at: moment(11)) }
    }
  }

  @Test(arguments: Platform.allCases)
  func aFinishedReadingIsDeliveredThoughItsSessionIsDropped(_ platform: Platform) async throws {
    var setup: Setup? = try Setup()
    let builder = setup?.builder
    let host = setup?.host
    weak let sdk = setup?.sdk
    var shell = try setup.map { try Shell(platform, $0.sdk) }
    let events = shell?.collect()
    try shell?.start()
    setup?.run(to: 67)
    setup = nil
    shell = nil
    #expect(shell == nil && host?.commands.suffix(2) == ["torch off", "camera off"])
    builder?.letGo()
    guard case .completed? = await events?.last() else {
      Issue.record("the result did not come")
      return
    }
    if platform == .ios { #expect(await events?.next() == nil) }
    #expect(builder?.ranOnMainThread == [false])
    while sdk != nil { await Task.yield() }
  }

  @Test func theLastReferenceMayBeDroppedOnAnyThread() async throws {
    let setup = try Setup()
    var session: VitalsSession? = try VitalsSession(setup.sdk)
    try session?.start()
    let dropping = Task.detached { [held = session] in _ = held?.events }
    session = nil
    await dropping.value
    while setup.host.isCameraOn { await Task.yield() }
    #expect(session == nil)
  }

  // MARK: V49: no configuration

  @Test(arguments: Platform.allCases)
  func twoSessionsFedTheSameDoTheSame(_ platform: Platform) async throws {
    let script = ScriptedSession(
      seconds: 30,
      acts: [
        (0, .call(.start(isOnMainThread: true))), (12, .view(.table)), (17, .view(.finger)),
        (26, .call(.cancelReading)),
      ])
    let core = CorePlayer(platform)
    await script.play(core)
    var logs: [SessionLog] = []
    for _ in 0..<2 {
      let player = try ShellPlayer(platform, moments: core.moments)
      await script.play(player)
      logs.append(await player.finish(endsStream: false))
    }
    #expect(logs[0] == logs[1] && logs[0].events.count > 20)
  }

  @Test func nothingIsConfigured() throws {
    // The initialisers of an app take a host and what it activated, and nothing else.
    let sdk: (any VitalsHost) -> VitalsSDK = VitalsSDK.init(host:)
    let ios: (VitalsSDK) throws(ReadingError) -> VitalsSession = VitalsSession.init(_:)
    let android: (VitalsSDK) throws(ReadingError) -> AndroidVitalsSession = AndroidVitalsSession.init(_:)
    let activated = sdk(SimulatedHost())
    try activated.activate(key: "key")
    #expect(labels(of: activated) == ["host", "clock", "build", "isActivated"])
    #expect(labels(of: try ios(activated)) == ["driver", "events"])
    #expect(labels(of: try android(activated)) == ["driver", "isOnMainThread", "events"])
  }

  private func labels(of value: Any) -> [String] { Mirror(reflecting: value).children.compactMap(\.label) }
}
