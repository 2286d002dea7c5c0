import Dispatch
import ReadingSession
import VitalsModel

/// One vitals reading as an Android app holds it: its calls may come from any thread, except `start()`.
///
/// It ends with the owner of its lifecycle, as by `stop()`, and so it does when the last reference is dropped.
public final class AndroidVitalsSession: Sendable {
  private let driver: SessionDriver
  private let isOnMainThread: @Sendable () -> Bool

  /// Every event in order, emitted on a thread of the SDK's own. Collect before `start()`: nothing is replayed.
  public let events = EventFlow()

  /// A session that has not been started.
  ///
  /// - Throws: `notActivated` or `unsupportedDevice`
  public convenience init(_ sdk: VitalsSDK) throws(ReadingError) {
    try self.init(sdk) { MainThread.isCurrent }
  }

  init(_ sdk: VitalsSDK, isOnMainThread: @escaping @Sendable () -> Bool) throws(ReadingError) {
    let thread = DispatchQueue(label: "vitals session")
    self.isOnMainThread = isOnMainThread
    driver = try SessionDriver(sdk, platform: .android) { [events] telling in
      switch telling {
      case .event(let event): thread.async { events.emit(event) }
      // The flow goes on; there is just nothing more to tell.
      case .end: break
      }
    }
  }

  deinit { driver.stop() }

  /// Turns the camera and the torch on and waits for a steady fingertip. One that throws leaves the session as it was.
  /// A camera that is taken is told with `failed` afterwards.
  ///
  /// - Throws: `notActivated`, `unsupportedDevice`, `cameraPermissionDenied`, or `internalError` off the main thread
  ///   and on a session that is running or has ended
  public func start() throws(ReadingError) { try driver.start(isOnMainThread: isOnMainThread()) }

  /// Ends the session and turns the camera and the torch off. After `measurementComplete` the result still comes.
  public func stop() { driver.stop() }

  /// Abandons the attempt that is being measured; ignored at any other time.
  public func cancelReading() { driver.cancelReading() }

  /// Whether readings start by themselves. May be set from any thread at any time, and belongs to this session.
  public var isAutoStartEnabled: Bool {
    get { driver.isAutoStartEnabled }
    set { driver.isAutoStartEnabled = newValue }
  }
}
