import VitalsModel

/// Why a text is no quantity.
public struct QuantityMistake: Error, Hashable, Sendable {
  /// What is wrong, such as `a heart rate needs its unit`.
  public let message: String
  /// What to write instead, such as `write "66 bpm"`.
  public let advice: String?
}

extension Quantity {
  /// What a value is called, with its article: `a heart rate`.
  var noun: String {
    switch self {
    case .heartRate: "a heart rate"
    case .time: "a time"
    case .milliseconds: "an interval"
    case .perMinute: "a rate per minute"
    case .percent: "a percentage"
    case .frameRate: "a frame rate"
    case .frequency: "a frequency"
    case .partsPerMillion: "a deviation"
    case .stops: "an exposure"
    case .number: "a number"
    }
  }

  /// A value as one writes it.
  var example: String {
    switch self {
    case .heartRate: "66 bpm"
    case .time: "1m30s"
    case .milliseconds: "40 ms"
    case .perMinute: "14 /min"
    case .percent: "2 %"
    case .frameRate: "30 fps"
    case .frequency: "50 Hz"
    case .partsPerMillion: "20 ppm"
    case .stops: "1 EV"
    case .number: "3"
    }
  }

  /// The units that may be written, the largest first, each with its worth in base units as a fraction, so that
  /// `70 ms` is the double nearest to 0.07.
  var units: [(name: String, numerator: Double, denominator: Double)] {
    switch self {
    case .time: [("h", 3_600, 1), ("m", 60, 1), ("s", 1, 1), ("ms", 1, 1_000), ("us", 1, 1_000_000)]
    case .milliseconds: [("s", 1_000, 1), ("ms", 1, 1)]
    case .heartRate, .perMinute, .percent, .frameRate, .frequency, .partsPerMillion, .stops, .number: [(unit, 1, 1)]
    }
  }

  /// The value of a text such as `66 bpm`, `1m30s`, `1.5m` or `0s`, in the base unit: finite, and not negative unless
  /// `canBeNegative`.
  ///
  /// A text is a number and its unit, with or without spaces between them; a time may be several of these, from the
  /// largest unit to the smallest, of which only the last may have decimals. Where it can be negative, a sign may stand
  /// before the number: `+`, the hyphen or the minus (U+2212).
  /// - Throws: a `QuantityMistake` for anything else: no unit or another one, another sign, an exponent, a decimal comma,
  ///   a number beyond 10^15.
  public func value(_ text: String, canBeNegative: Bool = false) throws(QuantityMistake) -> Double {
    guard canBeNegative, let sign = text.unicodeScalars.first, "+-\u{2212}".unicodeScalars.contains(sign) else {
      return try unsignedValue(text)
    }
    let magnitude = String(text.unicodeScalars.dropFirst())
    do throws(QuantityMistake) {
      // Added to nothing, so that there is no negative zero.
      return try 0 + (sign == "+" ? 1 : -1) * unsignedValue(magnitude)
    } catch {
      let close = magnitude.drop { $0 == " " || $0 == "+" || $0 == "-" }
      guard close.count < magnitude.count || magnitude.isEmpty else {
        throw QuantityMistake(message: error.message, advice: error.advice.map { Self.signed($0, sign) })
      }
      let isRight = (try? unsignedValue(String(close))) != nil
      let minus = sign == "+" && !magnitude.contains("-") ? "+" : "-"
      throw QuantityMistake(
        message: "\(quoted(text)) is not \(noun)",
        advice: isRight ? "write \"\(minus)\(close)\"" : "for instance \"\(example)\"")
    }
  }

  /// The advice on a number for one that has a sign.
  private static func signed(_ advice: String, _ sign: Unicode.Scalar) -> String {
    let start = "write \""
    return advice.hasPrefix(start) ? "\(start)\(sign)\(advice.dropFirst(start.count))" : advice
  }

  private func unsignedValue(_ text: String) throws(QuantityMistake) -> Double {
    guard let parts = QuantityPart.split(text) else { throw malformed(text) }
    if let last = parts.last, last.unit.isEmpty, self != .number {
      let isAlone = parts.count == 1
      throw QuantityMistake(
        message: "\(noun) needs its unit", advice: "write \"\(isAlone ? last.number + " " : text)\(unit)\"")
    }
    var sum = 0.0
    var remaining = units[...]
    for (index, part) in parts.enumerated() {
      guard let found = units.first(where: { $0.name == part.unit }) else {
        throw parts.count == 1 ? otherUnit(part) : malformed(text)
      }
      // Each unit at most once, the largest first, decimals on the last only.
      guard let place = remaining.firstIndex(where: { $0.name == part.unit }),
        index == parts.count - 1 || !part.number.contains("."), self == .time || parts.count == 1
      else { throw malformed(text) }
      remaining = remaining[(place + 1)...]
      guard let number = Double(part.number), number <= 1e15 else {
        throw QuantityMistake(message: "the number is too large", advice: nil)
      }
      sum += number * found.numerator / found.denominator
    }
    return sum
  }

  /// A value in the base unit as one writes it: at most six decimals, and the unit. Its magnitude must be below
  /// 10^12.
  public func text(_ value: Double) -> String {
    switch self {
    case .time where value >= 3_600 && value.truncatingRemainder(dividingBy: 3_600) == 0:
      Fixed.shortest(value / 3_600, places: 6) + " h"
    case .time where value > 0 && value < 1:
      Fixed.shortest(value * 1_000, places: 6) + " ms"
    case .number:
      Fixed.shortest(value, places: 6)
    case .heartRate, .time, .milliseconds, .perMinute, .percent, .frameRate, .frequency, .partsPerMillion, .stops:
      Fixed.shortest(value, places: 6) + " " + unit
    }
  }

  private func otherUnit(_ part: QuantityPart) -> QuantityMistake {
    if self == .number {
      return QuantityMistake(message: "a plain number has no unit", advice: "write \"\(part.number)\"")
    }
    if self == .heartRate, part.unit.lowercased() == "hz", let hertz = Double(part.number), hertz < 1_000 {
      return QuantityMistake(
        message: "\(noun) is given in \(unit), not \(quoted(part.unit))", advice: "write \"\(text(hertz * 60))\"")
    }
    // `M` could be meant for minutes or for milli, so a time gets no guess.
    return QuantityMistake(
      message: "\(noun) is given in \(listed(units.map(\.name), "or")), not \(quoted(part.unit))",
      advice: self == .time ? "for instance \"\(example)\"" : "write \"\(part.number) \(unit)\"")
  }

  private func malformed(_ text: String) -> QuantityMistake {
    let digits = Set("0123456789")
    if text.isEmpty {
      return QuantityMistake(message: "\(noun) is missing", advice: "for instance \"\(example)\"")
    }
    for minus in ["-", "\u{2212}"] where text.hasPrefix(minus) {
      let rest = text.dropFirst(minus.count)
      if let first = rest.drop(while: { $0 == " " }).first, digits.contains(first) {
        return QuantityMistake(message: "\(noun) cannot be negative", advice: nil)
      }
    }
    for (wrong, right) in [(",", "."), ("\u{a0}", " "), ("\u{202f}", " "), ("\u{2009}", " ")] {
      let repaired = String(text.map { String($0) == wrong ? Character(right) : $0 })
      if repaired != text, (try? value(repaired)) != nil {
        return QuantityMistake(message: "\(quoted(text)) is not \(noun)", advice: "write \"\(repaired)\"")
      }
    }
    if text.hasPrefix("."), (try? value("0" + text)) != nil {
      return QuantityMistake(message: "\(quoted(text)) is not \(noun)", advice: "write \"0\(text)\"")
    }
    return QuantityMistake(message: "\(quoted(text)) is not \(noun)", advice: "for instance \"\(example)\"")
  }
}

/// One number of a quantity with the unit behind it.
private struct QuantityPart {
  var number = ""
  var unit = ""

  /// The numbers and units of a text, in order; nil where it is not made of these.
  static func split(_ text: String) -> [QuantityPart]? {
    guard text.utf8.count <= 100 else { return nil }
    var parts: [QuantityPart] = []
    var rest = Substring(text).unicodeScalars
    func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
    func take(_ matches: (Unicode.Scalar) -> Bool) -> String {
      let taken = rest.prefix(while: matches)
      rest = rest.dropFirst(taken.count)
      return String(taken)
    }
    while !rest.isEmpty {
      var part = QuantityPart()
      part.number = take(isDigit)
      if part.number.isEmpty { return nil }
      if rest.first == "." {
        rest = rest.dropFirst()
        let decimals = take(isDigit)
        if decimals.isEmpty { return nil }
        part.number += "." + decimals
      }
      _ = take { $0 == " " }
      part.unit = take { $0.properties.isAlphabetic || $0 == "/" || $0 == "%" }
      _ = take { $0 == " " }
      parts.append(part)
      // Two numbers side by side, and signs the grammar does not know, are no quantity.
      if part.unit.isEmpty, !rest.isEmpty { return nil }
    }
    return parts.isEmpty ? nil : parts
  }
}
