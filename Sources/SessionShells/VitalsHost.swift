import ReadingSession
import VitalsModel

/// The phone and its operating system, as a session uses them.
///
/// A session calls it from any thread, one call at a time, and holds no lock meanwhile: it may answer at once through
/// the inlet.
public protocol VitalsHost: AnyObject, Sendable {
  /// The clock that frames and notices are stamped with; asked for once.
  var clock: any SessionClock { get }

  /// What the check of a licence key finds wrong with it: the name of the check that failed; nil: nothing.
  func licenceFault(of key: String) -> String?

  /// What decides, now, whether a session can be created and started.
  func conditions() -> HostConditions

  /// Tells a new session everything from now on: at once that the app is in the background, should it be.
  func connect(_ inlet: SessionInlet)

  /// Opens the camera, or closes it. An open camera is told of with `frameRateSelected`, and then its frames.
  func setCamera(isOn: Bool)

  /// Lights the torch, or puts it out.
  func setTorch(isOn: Bool)

  /// Makes the open camera slower, to a rate that it can keep, and tells it with `frameRateSelected`.
  func adjustFrameRate()
}

/// What decides whether a session can be created and started.
public struct HostConditions: Hashable, Sendable {
  /// Whether the user lets the app use the camera, and no policy of the device blocks it.
  public var isPermitted = true
  /// What the device lacks; nil: nothing.
  public var deviceFault: String?
  /// Whether the camera is known to be taken.
  public var isCameraBusy = false

  /// A host on which a session starts.
  public init() {}

  var facts: [Input] {
    [.permission(isGranted: isPermitted), .device(fault: deviceFault), .camera(isBusy: isCameraBusy)].map(Input.host)
  }
}

/// Where a host tells one session what happens, from any thread.
///
/// Each carries its time by the host's clock; one that is behind what the session has already seen counts as now.
/// What comes after the session is gone is ignored.
public struct SessionInlet: Sendable {
  let take: @Sendable (Input, Instant) -> Void

  /// A frame is delivered.
  public func frame(_ frame: FrameSample, at now: Instant) { take(.frame(frame), now) }

  /// The app came in front of its user, or went to the background (Android: ON_STOP).
  public func appMoved(isInForeground: Bool, at now: Instant) {
    take(.host(.app(isInForeground: isInForeground)), now)
  }

  /// The system takes the camera, or shows something that a reading does not go on beside.
  public func interruptionBegan(_ reason: InterruptionReason, at now: Instant) { take(.interruptionBegan(reason), now) }

  /// That is over; without a reason all of it is.
  public func interruptionEnded(_ reason: InterruptionReason?, at now: Instant) {
    take(.interruptionEnded(reason), now)
  }

  /// The camera is open, or was adjusted, and delivers this many frames per second, above 0, as far as it can.
  public func frameRateSelected(fps: Double, at now: Instant) { take(.frameRateSelected(fps: fps), now) }

  /// The camera could not be opened, or broke while it was open.
  public func cameraFailed(at now: Instant) { take(.cameraFailed, now) }

  /// The system put the torch out, or would light it again.
  public func torchMoved(isAvailable: Bool, at now: Instant) { take(.torch(isAvailable: isAvailable), now) }

  /// Android: the owner of the session's lifecycle is destroyed.
  public func ownerDestroyed(at now: Instant) { take(.ownerDestroyed, now) }
}
