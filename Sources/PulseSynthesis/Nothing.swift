/// Sources of light with no pulse in them, each of which fools a reader that trusts one property alone.
///
/// A scenario names one as `nothing/` and its raw value. What disturbs an object without blood changes all colours by the
/// same share, as no finger does.
public enum Nothing: String, CaseIterable, Hashable, Sendable {
  /// Something black over the lens.
  case dark
  /// No finger: the surroundings.
  case table
  /// White paper over lens and torch, nearly at the sensor's ceiling.
  case paper
  /// A photograph of a fingertip: its colours, perfectly still.
  case photo
  /// A red object whose brightness drifts, mostly below 0.05 Hz.
  case drift
  /// A red object whose brightness rises for a minute and falls for another.
  case ramp
  /// A red object whose brightness steps every few seconds.
  case step
  /// A red film lit by a lamp whose flicker has its alias at 1.2 Hz: 72 per minute, with harmonics like a pulse.
  case flicker
  /// A red film lit by a lamp whose flicker has its alias at 0.25 Hz: 15 per minute, as a breath.
  case slowFlicker
  /// A red object whose brightness is noise between 0.7 and 3 Hz.
  case noise
  /// A red object in a trembling hand.
  case tremor
  /// A red object, and a camera whose exposure hunts.
  case exposure
  /// A red object lit by a torch that pulses about 1.1 times a second.
  case torch
  /// A red object moved to and fro 60 to 90 times a minute.
  case sway

  /// What it is, in one line.
  public var about: String {
    switch self {
    case .dark: "something black over the lens"
    case .table: "no finger: the table that the phone lies above"
    case .paper: "white paper over lens and torch, nearly at the sensor's ceiling"
    case .photo: "a photograph of a fingertip: its colours, perfectly still"
    case .drift: "a red object, its brightness drifting slowly"
    case .ramp: "a red object, its brightness rising for a minute and falling for another"
    case .step: "a red object, its brightness stepping every few seconds"
    case .flicker: "a red film lit by a lamp on the mains, whose flicker appears at 1.2 Hz in the frames"
    case .slowFlicker: "a red film lit by a lamp on the mains, whose flicker appears at 0.25 Hz in the frames"
    case .noise: "a red object, its brightness noise in the band of the pulse"
    case .tremor: "a red object in a trembling hand"
    case .exposure: "a red object before a camera whose exposure hunts"
    case .torch: "a red object lit by a torch that pulses about 1.1 times a second"
    case .sway: "a red object moved to and fro about as often as a heart beats"
    }
  }

  /// Whether it has the colours of a fingertip under a torch.
  public var looksLikeFinger: Bool {
    switch self {
    case .dark, .table, .paper: false
    case .photo, .drift, .ramp, .step, .flicker, .slowFlicker, .noise, .tremor, .exposure, .torch, .sway: true
    }
  }
}
