/// Numbers with a fixed count of decimals, written without any locale.
public enum Fixed {
  /// 10 to the power `places`, 0...9.
  public static func scale(_ places: Int) -> Double {
    precondition((0...9).contains(places), "0 to 9 decimals")
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    return scale
  }

  /// `number` in units of its last decimal, rounded half away from zero. `number` must be finite.
  public static func units(_ number: Double, places: Int) -> Int64 {
    Int64((number * scale(places)).rounded())
  }

  /// `number` with exactly `places` decimals, such as `-0.50`. `number` must be finite.
  public static func text(_ number: Double, places: Int) -> String {
    text(units: units(number, places: places), places: places)
  }

  /// `units` / 10^`places` with exactly that many decimals.
  public static func text(units: Int64, places: Int) -> String {
    var digits = String(units.magnitude)
    if places > 0 {
      if digits.utf8.count <= places {
        digits = String(repeating: "0", count: places + 1 - digits.utf8.count) + digits
      }
      let point = digits.utf8.index(digits.endIndex, offsetBy: -places)
      digits = digits[..<point] + "." + digits[point...]
    }
    return units < 0 ? "-" + digits : digits
  }
}
