import VitalsModel

/// Skin tone by Fitzpatrick's six types, I (palest) to VI (darkest), as a fingertip's inner side shows it.
///
/// Melanin absorbs with 6.6e11 (wavelength in nm)^-3.33 per cm of melanosomes, which fill 1.3 to 6.3 % of a light,
/// 11 to 16 % of a moderately and 18 to 43 % of a darkly pigmented epidermis (Jacques, "Skin optics", Oregon Medical
/// Laser Center, 1998). Palms and soles hold a fifth of the melanocytes (Yamaguchi et al., J Cell Biol 2004, 165:275).
/// The share of each type within those ranges, and a path of twice 60 µm through the epidermis, are estimates of ours.
public enum SkinTone: String, CaseIterable, Hashable, Sendable {
  /// Type I, the palest.
  case I
  /// Type II, which the standard finger has.
  case II
  /// Type III.
  case III
  /// Type IV.
  case IV
  /// Type V.
  case V
  /// Type VI, the darkest.
  case VI

  private static let palmarShare = 0.2
  private static let pathCm = 0.012
  /// Where the colours of a camera with a white torch lie, in nm.
  private static let wavelengths = (red: 600.0, green: 540.0, blue: 460.0)

  /// The volume of the epidermis that melanosomes fill, as a share.
  private var melanosomes: Double {
    switch self {
    case .I: 0.02
    case .II: 0.04
    case .III: 0.09
    case .IV: 0.15
    case .V: 0.25
    case .VI: 0.4
    }
  }

  /// What the epidermis lets through, relative to the standard finger of type II.
  var transmission: Light {
    func share(_ nm: Double) -> Double {
      let absorption = 6.6e11 * Maths.pow(nm, -3.33)
      return Maths.exp(-absorption * Self.palmarShare * Self.pathCm * (melanosomes - Self.II.melanosomes))
    }
    return Light(
      red: share(Self.wavelengths.red), green: share(Self.wavelengths.green), blue: share(Self.wavelengths.blue))
  }
}
