import VitalsModel

/// The compiled-in times of every session; there is no configuration (V49).
package struct Timing: Sendable {
  /// Between two guidances (V04), and from the first frame to the first one (V03).
  package var guidance = TimeSpan.seconds(1)
  /// Two guidances are never closer than this, however late the first one came (V04).
  package var leastBetweenGuidances = TimeSpan.milliseconds(800)
  /// How long a fingertip must be steady for startProgress to be full (V05).
  package var steady = TimeSpan.seconds(3)
  /// Between two previews (V08).
  package var preview = TimeSpan.seconds(1)
  /// A full reading (V10).
  package var reading = TimeSpan.seconds(60)
  /// How long the fingertip may be away within an attempt (V25).
  package var contactGrace = TimeSpan.seconds(3)
  /// How long a signal may be poor within an attempt, where a good stretch makes up for a poor one (V26).
  package var poorGrace = TimeSpan.milliseconds(6_500)
  /// After this much of a poor signal the previews say so, whatever its score (V26).
  package var poorShown = TimeSpan.milliseconds(2_500)
  /// Before this there is too little to show an RMSSD from (V29).
  package var provisionalRMSSD = TimeSpan.seconds(20)
  /// A result that is not built by now never will be; the rule allows 10 s until the end is told (V11).
  package var finalizing = TimeSpan.milliseconds(9_500)
  /// Without a first frame for this long, in the foreground, an opened camera has failed (V03, V35).
  package var opening = TimeSpan.seconds(10)
  /// After this a camera that could not be opened is tried again (V35).
  package var retry = TimeSpan.seconds(1)
  /// An open camera without a frame for this long has stalled (V37).
  package var stall = TimeSpan.seconds(2)
  /// A camera that breaks for good may have been taken: the interruption that says so comes within this (V34).
  package var explanation = TimeSpan.milliseconds(500)
  /// How many stalls a session restarts the camera after (V37).
  package var restarts = 1
  /// A camera below this share of its selected rate is slow (V36).
  package var slowShare = 0.8

  /// What every session runs with.
  package static let standard = Timing()
}
