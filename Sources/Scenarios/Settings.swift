/// The values of a scenario's sections (`subject`, `camera`), each in its quantity's base unit.
public struct Settings: Hashable, Sendable {
  private var values: [String: Double] = [:]
  private var choices: [String: String] = [:]
  private var states: [String: String] = [:]

  /// No values yet.
  public init() {}

  /// Every word of the world that begins in a state of its own, by name.
  public var firstStates: [(word: String, state: String)] {
    states.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The state in which a word of the world begins; nil: its first.
  public subscript(state word: String) -> String? {
    get { states[word] }
    set { states[word] = newValue }
  }

  /// The value of a field; nil when neither the file nor the vocabulary gives one.
  public subscript(section: String, field: String) -> Double? {
    get { values[section + "." + field] }
    set { values[section + "." + field] = newValue }
  }

  /// What was chosen for a choice; nil when neither the file nor the vocabulary says it.
  public subscript(choice section: String, field: String) -> String? {
    get { choices[section + "." + field] }
    set { choices[section + "." + field] = newValue }
  }
}
