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

  /// `number` with as many decimals as it needs, at most `places` of 0...6, such as `0.5` or `12`; one that has too many
  /// digits for that, or is none, as Swift writes it.
  public static func shortest(_ number: Double, places: Int) -> String {
    guard number.magnitude < 1e12 else { return "\(number)" }
    var units = units(number, places: places)
    var places = places
    while places > 0, units % 10 == 0 { (units, places) = (units / 10, places - 1) }
    return text(units: units, places: places)
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

  /// Appends `units` / 10^`places` with exactly that many decimals, 0...9, without building a text on the way: a
  /// recording has several numbers for each frame.
  public static func append(units: Int64, places: Int, to bytes: inout [UInt8]) {
    append(magnitude: units.magnitude, isNegative: units < 0, places: places, to: &bytes)
  }

  /// Appends `magnitude` / 10^`places` with its sign and exactly that many decimals, 0...9.
  public static func append(magnitude: UInt64, isNegative: Bool, places: Int, to bytes: inout [UInt8]) {
    precondition((0...9).contains(places), "0 to 9 decimals")
    // 20 digits of a 64-bit number, a sign and a point, written from the last to the first.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 22) { text in
      var rest = magnitude
      var start = text.endIndex
      var written = 0
      repeat {
        if written == places, places > 0 {
          start -= 1
          text[start] = UInt8(ascii: ".")
        }
        start -= 1
        text[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
        written += 1
      } while rest > 0 || written <= places
      if isNegative {
        start -= 1
        text[start] = UInt8(ascii: "-")
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    }
  }
}
