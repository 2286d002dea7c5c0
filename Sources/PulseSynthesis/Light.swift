/// The light at the lens: what a noiseless sensor without limits would read, on the scale of an 8-bit picture.
///
/// 0 is dark and 255 the sensor's ceiling; a value may lie above it, and the sensor clips it.
public struct Light: Hashable, Sendable {
  /// Mean red, 0 or more.
  public var red: Double
  /// Mean green, 0 or more.
  public var green: Double
  /// Mean blue, 0 or more.
  public var blue: Double

  /// The light of three colours.
  public init(red: Double, green: Double, blue: Double) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Each colour times its own factor.
  @inline(__always)
  func scaled(red: Double, green: Double, blue: Double) -> Light {
    Light(red: self.red * red, green: self.green * green, blue: self.blue * blue)
  }

  /// A `share` (0...1) of this light and the rest of `other`.
  func mixed(share: Double, with other: Light) -> Light {
    let rest = 1 - share
    return Light(
      red: red * share + other.red * rest, green: green * share + other.green * rest,
      blue: blue * share + other.blue * rest)
  }
  /// This light and `share` times another.
  func adding(_ share: Double, of other: Light) -> Light {
    Light(red: red + share * other.red, green: green + share * other.green, blue: blue + share * other.blue)
  }
}
