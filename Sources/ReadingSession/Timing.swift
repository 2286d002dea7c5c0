import VitalsModel

/// The compiled-in times of every session; there is no configuration (V49).
enum Timing {
  /// Between two guidances (V04), and from the first frame to the first one (V03).
  static let guidance = TimeSpan.seconds(1)
  /// Two guidances are never closer than this, however late the first one came (V04).
  static let leastBetweenGuidances = TimeSpan.milliseconds(800)
  /// How long a fingertip must be steady for startProgress to be full (V05).
  static let steady = TimeSpan.seconds(3)
  /// Without a first frame for this long the camera has failed (V03).
  static let firstFrame = TimeSpan.seconds(10)
  /// Between two previews (V08).
  static let preview = TimeSpan.seconds(1)
  /// A full reading (V10).
  static let reading = TimeSpan.seconds(60)
  /// How long the fingertip may be away within an attempt (V25).
  static let contactGrace = TimeSpan.seconds(3)
  /// Before this there is too little to show an RMSSD from (V29).
  static let provisionalRMSSD = TimeSpan.seconds(20)
  /// A result that is not built by now never will be; the rule allows 10 s until the end is told (V11).
  static let finalizing = TimeSpan.milliseconds(9_500)
}
