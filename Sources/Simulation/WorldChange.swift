import Scenarios
import Traces
import VitalsModel

extension WorldChange {
  /// The same without a ramp.
  var atOnce: WorldChange {
    switch self {
    case .state: self
    case .quantity(let word, let value, _): .quantity(word: word, value: value, over: .zero)
    }
  }

  /// As a trace holds it: the state, or the value in the setting's base unit and, for a ramp, how many seconds it takes.
  @usableFromInline
  var message: Message {
    switch self {
    case .state(let word, let state): Message(word, [Field("state", .text(state))])
    case .quantity(let word, let value, let over):
      Message(
        word,
        [Field("value", .shortest(value))] + (over == .zero ? [] : [Field("over", .shortest(over.seconds))]))
    }
  }
}

extension FieldValue {
  /// A number with as many decimals as it needs, at most six. It must be finite, and its magnitude below 10^12.
  fileprivate static func shortest(_ number: Double) -> FieldValue {
    var units = Fixed.units(number, places: 6)
    var places = 6
    while places > 0, units % 10 == 0 { (units, places) = (units / 10, places - 1) }
    return places == 0 ? .integer(units) : .fixed(units: units, places: places)
  }
}
