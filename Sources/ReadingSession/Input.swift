import PulseAnalysis
import VitalsModel

/// What a session is told: by the app, by the host, by the camera, by the clock.
public enum Input: Sendable {
  /// The app calls; the reply carries the same id.
  case call(id: Int, Call)
  /// A frame is delivered.
  case frame(FrameSample)
  /// The camera could not be opened, or has gone for good.
  case cameraFailed
  /// The result that `buildResult` asked for.
  case resultBuilt(attempt: Int, BuiltResult)
  /// The session's `deadline` has come. One that comes too early changes nothing.
  case timer
}

/// What the app may call.
public enum Call: Hashable, Sendable {
  /// Begins positioning.
  case start
  /// Ends the session; a reading that is already measured is still delivered.
  case stop
  /// Abandons the attempt that is being measured.
  case cancelReading
  /// Lets readings start by themselves, or holds them.
  case setAutoStart(Bool)
}
