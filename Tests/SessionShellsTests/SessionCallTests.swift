import ReadingSession
import Testing
import VitalsModel

@testable import SessionShells

private func conditions(_ change: (inout HostConditions) -> Void) -> HostConditions {
  var conditions = HostConditions()
  change(&conditions)
  return conditions
}

private let declined = conditions { $0.isPermitted = false }
private let cameraless = conditions { $0.deviceFault = "noRearCamera" }
private let busy = conditions { $0.isCameraBusy = true }

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct SessionCallTests {
  // MARK: V42, V43: activation and creation

  @Test(arguments: Platform.allCases)
  func creatingASessionNeedsAnActivatedSDK(_ platform: Platform) throws {
    let setup = try Setup(isActivated: false)
    #expect(setup.creationError(platform) == .notActivated)
    setup.host.set(licenceFault: "expired")
    #expect(throws: ReadingError.licenseInvalid(reason: "expired")) { try setup.sdk.activate(key: "key") }
    #expect(setup.creationError(platform) == .notActivated)
    setup.host.set(licenceFault: nil)
    try setup.sdk.activate(key: "key")
    #expect(setup.creationError(platform) == nil)
  }

  @Test(arguments: ["malformed", "expired", "otherApp"])
  func aRejectedKeyNamesTheCheckThatFailed(_ check: String) throws {
    let setup = try Setup(isActivated: false)
    setup.host.set(licenceFault: check)
    #expect(throws: ReadingError.licenseInvalid(reason: check)) { try setup.sdk.activate(key: "key") }
  }

  @Test(arguments: Platform.allCases)
  func aRejectedKeyTakesAnEarlierActivationBack(_ platform: Platform) throws {
    let setup = try Setup()
    let shell = try Shell(platform, setup.sdk)
    setup.host.set(licenceFault: "expired")
    #expect(throws: ReadingError.self) { try setup.sdk.activate(key: "other") }
    #expect(setup.startError(shell) == .notActivated)
    setup.host.set(licenceFault: nil)
    try setup.sdk.activate(key: "key")
    #expect(setup.startError(shell) == nil)
  }

  @Test(arguments: Platform.allCases)
  func oneActivationServesEverySessionOfItsSDKAndNoOther(_ platform: Platform) throws {
    let setup = try Setup()
    for _ in 0..<2 { #expect(setup.creationError(platform) == nil) }
    #expect(try Setup(isActivated: false).creationError(platform) == .notActivated)
  }

  @Test(arguments: Platform.allCases)
  func anUnsupportedDeviceIsToldByCreationAndStart(_ platform: Platform) throws {
    #expect(try Setup(cameraless).creationError(platform) == .unsupportedDevice(reason: "noRearCamera"))
    let setup = try Setup()
    let shell = try Shell(platform, setup.sdk)
    setup.host.set { $0.deviceFault = "noFrameRate" }
    #expect(setup.startError(shell) == .unsupportedDevice(reason: "noFrameRate"))
  }

  @Test(arguments: Platform.allCases)
  func aDeclinedCameraIsToldByStartOnly(_ platform: Platform) throws {
    let setup = try Setup(declined)
    let shell = try Shell(platform, setup.sdk)
    #expect(setup.startError(shell) == .cameraPermissionDenied)
    #expect(setup.host.commands == [])
  }

  // MARK: V45, V46: start

  @Test(arguments: Platform.allCases)
  func aFailedStartCanBeTriedAgain(_ platform: Platform) throws {
    let setup = try Setup(declined)
    let shell = try Shell(platform, setup.sdk)
    for _ in 0..<2 { #expect(setup.startError(shell) == .cameraPermissionDenied) }
    setup.host.set { $0.isPermitted = true }
    #expect(setup.startError(shell) == nil)
    #expect(setup.host.commands == ["camera on", "torch on"])
  }

  @Test(arguments: Platform.allCases)
  func aSessionStartsOnce(_ platform: Platform) throws {
    let setup = try Setup()
    let shell = try Shell(platform, setup.sdk)
    try shell.start()
    #expect(setup.startError(shell) == .internalError("start() on a session that is running"))
    setup.run(to: 10)
    #expect(setup.startError(shell) == .internalError("start() on a session that is running"))
    shell.stop()
    #expect(setup.startError(shell) == .internalError("start() on a session that has ended"))
    #expect(setup.host.commands == ["camera on", "torch on", "torch off", "camera off"])
  }

  @Test(arguments: [true, false])
  func androidStartsOnTheMainThreadOnly(isOnMainThread: Bool) throws {
    let setup = try Setup()
    let session = try AndroidVitalsSession(setup.sdk) { isOnMainThread }
    let error = ReadingError.thrown { () throws(ReadingError) in try session.start() }
    #expect(error == (isOnMainThread ? nil : .internalError("start() must be called on the main thread")))
    #expect(setup.host.isCameraOn == isOnMainThread)
  }

  @Test func androidKnowsTheMainThread() async throws {
    let setup = try Setup()
    let session = try AndroidVitalsSession(setup.sdk)
    let error = await Task.detached {
      ReadingError.thrown { () throws(ReadingError) in try session.start() }
    }.value
    #expect(error == .internalError("start() must be called on the main thread"))
    // It left the session as it was.
    try session.start()
  }

  // MARK: V41: each error, where it comes out

  @Test func aTakenCameraIsThrownOnIOSAndDeliveredOnAndroid() async throws {
    let ios = try Setup(busy)
    let session = try VitalsSession(ios.sdk)
    #expect(throws: ReadingError.cameraUnavailable) { try session.start() }
    ios.host.set { $0.isCameraBusy = false }
    try session.start()
    let android = try Setup(busy)
    let shell = try Shell(.android, android.sdk)
    let events = shell.collect()
    try shell.start()
    android.host.tell { $0.cameraFailed(at: moment(0.1)) }
    #expect(await events.next() == .failed(.cameraUnavailable))
  }

  @Test(arguments: Platform.allCases)
  func aMinuteWithoutAHeartRateIsDeliveredAsSuch(_ platform: Platform) async throws {
    let setup = try Setup { _ in .noHeartRate }
    let shell = try Shell(platform, setup.sdk)
    let events = shell.collect()
    try shell.start()
    setup.run(to: 67)
    #expect(await events.last() == .failed(.noHeartRate))
  }

  @Test(arguments: Platform.allCases)
  func aResultThatIsNotBuiltInTimeIsAnInternalError(_ platform: Platform) async throws {
    let setup = try Setup()
    let shell = try Shell(platform, setup.sdk)
    let events = shell.collect()
    try shell.start()
    setup.run(to: 80)
    #expect(await events.last() == .failed(.internalError("the result was not built in time")))
    setup.builder.letGo()
  }
}
