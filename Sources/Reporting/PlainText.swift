import VitalsModel

extension String {
  /// The text with every control and formatting character written as `\u{1B}`, so that no text can steer a terminal.
  public var withoutControls: String {
    guard unicodeScalars.contains(where: Self.isControl) else { return self }
    var result = ""
    for scalar in unicodeScalars {
      if Self.isControl(scalar) {
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The side on which a padded text gets its spaces.
  package enum PaddedSide {
    case left, right
  }

  /// The text with spaces added until it is `width` characters long.
  package func padded(toAtLeast width: Int, side: PaddedSide = .right) -> String {
    let spaces = String(repeating: " ", count: max(0, width - count))
    return side == .left ? spaces + self : self + spaces
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: return true
    default: return false
    }
  }
}

extension Int {
  /// The number with a comma between thousands: `5,712`.
  var withThousands: String {
    var digits = String(magnitude)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return (self < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
  }
}
