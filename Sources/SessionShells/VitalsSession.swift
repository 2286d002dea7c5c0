import ReadingSession
import VitalsModel

/// One vitals reading as an iOS app holds it.
///
/// Dropping the last reference is a `stop()`. A reading whose minute is captured is delivered all the same.
@MainActor
public final class VitalsSession {
  private nonisolated let driver: SessionDriver

  /// Every event in order, told on the main thread; for one consumer. What comes before it iterates waits for it.
  ///
  /// Ends after `completed` or `failed`, and on a `stop()` while no result is pending.
  public nonisolated let events: AsyncStream<Event>

  /// A session that has not been started.
  ///
  /// - Throws: `notActivated` or `unsupportedDevice`
  public init(_ sdk: VitalsSDK) throws(ReadingError) {
    let (events, continuation) = AsyncStream.makeStream(of: Event.self)
    let tellings = Mailbox<SessionDriver.Telling>()
    self.events = events
    driver = try SessionDriver(sdk, platform: .ios) { telling in
      tellings.add([telling])
      Task { @MainActor in
        tellings.handOver { telling in
          switch telling {
          case .event(let event): continuation.yield(event)
          case .end: continuation.finish()
          }
        }
      }
    }
  }

  deinit { driver.stop() }

  /// Turns the camera and the torch on and waits for a steady fingertip. One that throws leaves the session as it was.
  ///
  /// - Throws: `notActivated`, `unsupportedDevice`, `cameraPermissionDenied`, `cameraUnavailable`, or `internalError`
  ///   on a session that is running or has ended
  public func start() throws(ReadingError) { try driver.start(isOnMainThread: true) }

  /// Ends the session and turns the camera and the torch off. After `measurementComplete` the result still comes.
  public func stop() { driver.stop() }

  /// Abandons the attempt that is being measured; ignored at any other time.
  public func cancelReading() { driver.cancelReading() }

  /// Whether readings start by themselves. May be set from any thread at any time, and belongs to this session.
  public nonisolated var isAutoStartEnabled: Bool {
    get { driver.isAutoStartEnabled }
    set { driver.isAutoStartEnabled = newValue }
  }
}
