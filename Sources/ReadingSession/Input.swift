import PulseAnalysis
import VitalsModel

/// What a session is fed.
public enum Input: Sendable {
  /// The app calls; the reply carries the same id.
  case call(id: Int, Call)
  /// A frame is delivered.
  case frame(FrameSample)
  /// Something about the host is so from now on.
  case host(HostFact)
  /// The system takes the camera, or shows something that a reading does not go on beside.
  case interruptionBegan(InterruptionReason)
  /// That is over; without a reason all of it is.
  case interruptionEnded(InterruptionReason?)
  /// The camera is open, or was adjusted, and delivers this many frames per second, above 0, as far as it can.
  case frameRateSelected(fps: Double)
  /// The camera could not be opened, or broke while it was open.
  case cameraFailed
  /// The system put the torch out, or would light it again.
  case torch(isAvailable: Bool)
  /// Android: the owner of the session's lifecycle is destroyed.
  case ownerDestroyed
  /// The result that `buildResult` asked for.
  case resultBuilt(attempt: Int, BuiltResult)
  /// The session's `deadline` has come. One that comes too early changes nothing.
  case timer
}

/// What the app may call.
public enum Call: Hashable, Sendable {
  /// Checks the licence key, once for all sessions of the app.
  case activate
  /// Begins positioning.
  case start(isOnMainThread: Bool)
  /// Ends the session; a reading that is already measured is still delivered.
  case stop
  /// Abandons the attempt that is being measured.
  case cancelReading
  /// Lets readings start by themselves, or holds them.
  case setAutoStart(Bool)
}

/// What interrupts a session (V31), besides the app's own trip to the background.
public enum InterruptionReason: String, CaseIterable, Hashable, Sendable {
  /// A phone call.
  case phoneCall
  /// The app shares the screen with another one.
  case splitView
  /// Another app uses the camera.
  case otherApp
  /// The system is too hot or too busy for a camera.
  case systemPressure
  /// The system's media services start anew.
  case mediaServicesReset
  /// The screen turns.
  case rotation

  /// Whether a session on the platform is interrupted by it.
  func interrupts(on platform: Platform) -> Bool {
    switch (platform, self) {
    case (.ios, _), (.android, .otherApp): true
    case (.android, .phoneCall), (.android, .splitView), (.android, .systemPressure), (.android, .mediaServicesReset),
      (.android, .rotation):
      false
    }
  }
}

/// One thing that a session has to know of its host.
public enum HostFact: Hashable, Sendable {
  /// Whether an `activate` has succeeded.
  case activation(isDone: Bool)
  /// What `activate` finds wrong with the licence key; nil: nothing.
  case licence(fault: String?)
  /// Whether the app may use the camera: granted by the user, and not blocked by a policy of the device.
  case permission(isGranted: Bool)
  /// What the device lacks; nil: nothing.
  case device(fault: String?)
  /// Whether the camera is known to be taken, so that it cannot even be set up.
  case camera(isBusy: Bool)
  /// Whether the app is in front of its user.
  case app(isInForeground: Bool)
}
