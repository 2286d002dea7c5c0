import VitalsModel

/// What age has made of the arteries, which gives the pulse wave its shape.
///
/// The four are the classes of finger pulse contours after Dawber, Thomas and McNamara ("Characteristics of the
/// dicrotic notch of the arterial pulse wave in coronary heart disease", Angiology 24, 1973): a notch, a level
/// stretch, a mere change of slope, and none of these. The rise to the top takes longer with age, as the reflected
/// wave returns sooner and merges with the systolic one.
public enum Vessels: String, CaseIterable, Sendable {
  /// Class 1: a distinct notch before the dicrotic wave.
  case young
  /// Class 2: the decline is level for a while, without a notch.
  case adult
  /// Class 3: the decline only changes its slope.
  case older
  /// Class 4: no trace of a dicrotic wave.
  case stiff

  /// The waves that add up to the pulse, over the phase 0...1 of an interval of 0.9 s.
  struct Contour {
    /// Where the systolic wave has its top.
    let systolicTop: Double
    /// Height, place and width (standard deviation) of the wave reflected from the lower body.
    let reflected: (height: Double, at: Double, width: Double)
    /// Height, place and width of the dicrotic wave, after the aortic valve has closed.
    let dicrotic: (height: Double, at: Double, width: Double)
    /// Height of the run-off, which declines to the next foot.
    let runOff: Double
  }

  var contour: Contour {
    switch self {
    case .young:
      Contour(
        systolicTop: 0.155, reflected: (0, 0.3, 0.07), dicrotic: (0.22, 0.5, 0.065), runOff: 0.5)
    case .adult:
      Contour(
        systolicTop: 0.16, reflected: (0.1, 0.3, 0.06), dicrotic: (0.165, 0.5, 0.065), runOff: 0.55)
    case .older:
      Contour(
        systolicTop: 0.175, reflected: (0.3, 0.31, 0.075), dicrotic: (0.085, 0.52, 0.065), runOff: 0.55)
    case .stiff:
      Contour(
        systolicTop: 0.19, reflected: (0.4, 0.31, 0.09), dicrotic: (0, 0.52, 0.07), runOff: 0.6)
    }
  }
}
