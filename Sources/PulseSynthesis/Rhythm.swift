import VitalsModel

/// How the heart's beats follow each other.
public enum Rhythm: String, CaseIterable, Sendable {
  /// Every beat comes from the sinus node, at the rate and with the variability asked for.
  case sinus
  /// A premature beat at once, and then about one beat in ten; each is weak and followed by a full compensatory pause,
  /// after which the sinus beat comes when it would have come anyway, and strong.
  case ectopic
  /// Every second beat is premature.
  case bigeminy
  /// Atrial fibrillation: independent intervals at the asked mean rate, spread by about a quarter and with a long tail;
  /// neither breathing nor the asked RMSSD has a part in them.
  case fibrillation
  /// No beat while it lasts (sinus arrest); the first one after it is an escape beat.
  case paused
  /// Beats go on, and none of them reaches the fingertip while it lasts (pulse deficit).
  case missed
}

/// A beat that is planned and has not come yet.
struct PlannedBeat: Sendable {
  /// When its pulse begins at the fingertip.
  var foot: Instant
  var kind: Beat.Kind
  /// The height of its pulse relative to that of a beat after a mean interval; 0 where none shows.
  var height: Double
}
