import PulseAnalysis

/// What a session does, in the order in which it does it.
public enum Effect: Sendable {
  /// The app is told.
  case event(Event)
  /// The host is asked.
  case command(Command)
  /// A call comes back.
  case reply(id: Int, CallOutcome)
}

/// How a call comes back.
public enum CallOutcome: Hashable, Sendable {
  /// It did what it says.
  case returned
  /// It threw.
  case threw(ReadingError)
}

/// What a session asks of its host.
public enum Command: Sendable {
  /// Opens the camera, or closes it.
  case camera(isOn: Bool)
  /// Lights the torch, or puts it out.
  case torch(isOn: Bool)
  /// Makes the open camera slower, to a rate that it can keep; the host answers with `frameRateSelected`.
  case adjustFrameRate
  /// Computes the result of an attempt from its frames, anywhere, with `buildResult(_:)`, and feeds it back as
  /// `resultBuilt` with the same attempt.
  case buildResult(attempt: Int, PulseRecord)
}

/// The eight events (V02).
public enum Event: Hashable, Sendable {
  /// How the fingertip lies, while positioning; `startProgress` is 0...1.
  case guidance(Guidance, startProgress: Double)
  /// A reading began.
  case started
  /// The reading so far, about once a second.
  case preview(LivePreview)
  /// A beat; `ibiMs` is the interval since the attempt's previous beat, nil on the first.
  case heartbeat(ibiMs: Double?)
  /// The attempt was abandoned; the session goes back to positioning.
  case cancelled(CancelReason)
  /// The full minute was captured.
  case measurementComplete
  /// The result; the session has ended.
  case completed(ReadingResult)
  /// The session ended without a result.
  case failed(ReadingError)
}

/// How the fingertip lies (V15).
public enum Guidance: String, Hashable, Sendable {
  /// There is no fingertip on the lens.
  case noContact
  /// The camera delivers too few frames.
  case frameDrop
  /// There is a fingertip, and its pulse is faint.
  case weakSignal
  /// There is a fingertip, and it is not steady.
  case lowQuality
  /// The fingertip is steady.
  case compliant
}

/// Why an attempt was abandoned (V23).
public enum CancelReason: String, Hashable, Sendable {
  /// The fingertip left the lens.
  case contactLost
  /// The signal stayed too poor to finish a reliable reading.
  case poorSignal
  /// The capture was interrupted, restarted or adjusted.
  case interrupted
  /// The app called `cancelReading`.
  case cancelledByApp
}

/// What may go wrong (V41). The first, second, third and fifth are only ever thrown; no heart rate is only delivered.
public enum ReadingError: Hashable, Sendable {
  /// `activate` was not called, or failed.
  case notActivated
  /// `activate` rejected the licence key; the reason names the check that failed.
  case licenseInvalid(reason: String)
  /// The user declined the camera, or a policy of the device blocks it.
  case cameraPermissionDenied
  /// The camera could not be opened, delivered no frame, or stopped and could not be restored.
  case cameraUnavailable
  /// The device has no camera for this; the reason says what it lacks.
  case unsupportedDevice(reason: String)
  /// The minute was captured and no heart rate could be recovered from it.
  case noHeartRate
  /// A call that makes no sense in this state, or an unexpected condition; the text says which.
  case internalError(String)
}

/// The reading so far.
public struct LivePreview: Hashable, Sendable {
  /// Elapsed share of the attempt's 60 s, 0...1.
  public let progress: Double
  /// The current heart rate, nil while unknown.
  public let heartRateBpm: Double?
  /// The provisional RMSSD, nil before 20 s.
  public let rmssdMs: Double?
  /// The signal over the last few seconds, nil until it has been scored.
  public let signalLevel: SignalLevel?
}

/// The signal in four steps.
public enum SignalLevel: String, CaseIterable, Hashable, Comparable, Sendable {
  case weak, fair, good, strong

  private var rank: Int {
    switch self {
    case .weak: 0
    case .fair: 1
    case .good: 2
    case .strong: 3
    }
  }

  /// Whether the left level is the weaker one.
  public static func < (left: SignalLevel, right: SignalLevel) -> Bool { left.rank < right.rank }
}
