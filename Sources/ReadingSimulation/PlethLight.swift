import VitalsModel

/// Turns the pleth of an oximeter back into the light of a fingertip on a camera.
///
/// The light falls as the pleth rises, as it does in systole. A device amplifies its wave until it fills the range, so
/// that nothing tells how large it was: the whole range is made 4 % of the light in green, of which a usual wave takes
/// a half, and a little more or less where the device's gain is still on its way.
///
/// Blood moves green most, red by three tenths and blue by eight tenths of that, as in `PulseSynthesis`, so that the
/// colours tell blood from a lamp. What a step of the pleth is, 1 in 100 with some devices, is 0.04 % of the light, and no
/// pulse that a device shows is lost in it.
struct PlethLight: Sendable {
  /// The colours of a lit fingertip, 0...255, in the middle of the range.
  private static let finger = (red: 200.0, green: 60.0, blue: 40.0)
  /// How strongly each colour follows the blood.
  private static let strength = (red: 0.3, green: 1.0, blue: 0.8)
  /// How much of the green light the whole range of the pleth is.
  private static let range = 0.04
  /// A grey table in the light of a room, which no reader takes for a finger.
  private static let table = (red: 110.0, green: 108.0, blue: 102.0)

  private let largest: Double

  /// - Parameter largestPleth: the largest value of the pleth
  init(largestPleth: Int) { largest = Double(largestPleth) }

  /// The frame of a finger; without a value of the pleth there is no pulse in it.
  func finger(pleth: Int?, captured: Instant) -> FrameSample {
    let blood = pleth.map { Self.range * (Double($0) / largest - 0.5) } ?? 0
    return FrameSample(
      captured: captured, red: Self.finger.red * (1 - Self.strength.red * blood),
      green: Self.finger.green * (1 - Self.strength.green * blood),
      blue: Self.finger.blue * (1 - Self.strength.blue * blood))
  }

  /// The frame of a lens on which no finger is.
  static func uncovered(captured: Instant) -> FrameSample {
    FrameSample(captured: captured, red: table.red, green: table.green, blue: table.blue)
  }
}
