import VitalsModel

/// A named thing with ordered fields: a call, a notice, a command or an event, as every contract shows it to the
/// harness.
public struct Message: Hashable, Sendable {
  /// What it is called, such as `preview`.
  public let name: String
  /// Its fields in the order in which a trace writes them.
  public let fields: [Field]

  /// A message with its fields; keys are distinct.
  public init(_ name: String, _ fields: [Field] = []) {
    self.name = name
    self.fields = fields
  }

  /// The value of a field, nil when the message has none of that name.
  public subscript(key: String) -> FieldValue? {
    fields.first { $0.key == key }?.value
  }
}

/// One named value of a message.
public struct Field: Hashable, Sendable {
  /// The field's name; units come last (`heartRateBpm`).
  public let key: String
  /// What it holds.
  public let value: FieldValue

  /// A named value.
  public init(_ key: String, _ value: FieldValue) {
    self.key = key
    self.value = value
  }
}

/// A value that is written the same way everywhere: no binary fraction reaches a trace.
public enum FieldValue: Hashable, Sendable {
  /// A word or a sentence.
  case text(String)
  /// A whole number.
  case integer(Int64)
  /// A number with a fixed count of decimals, 1...9: `units` / 10^`places`.
  case fixed(units: Int64, places: Int)
  /// True or false.
  case flag(Bool)
  /// Named values inside a value.
  case object([Field])

  /// `number` rounded to `places` decimals, 0...9 (half away from zero); without decimals it is an integer, as which it
  /// also reads back. It must be finite: what is unknown is left out of a message, never written as a number.
  public static func number(_ number: Double, places: Int) -> FieldValue {
    let units = Fixed.units(number, places: places)
    return places == 0 ? .integer(units) : .fixed(units: units, places: places)
  }

  /// The number that it holds, nil for anything else.
  public var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .fixed(let units, let places): Double(units) / Fixed.scale(places)
    case .text, .flag, .object: nil
    }
  }

  /// The text that it holds, nil for anything else.
  public var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  /// The value as the argument of a pattern, nil where it can be none: a word as it is, a flag as `on` or `off`.
  public var word: String? {
    switch self {
    case .text(let text): text
    case .flag(let flag): flag ? "on" : "off"
    case .integer, .fixed, .object: nil
    }
  }
}
