import VitalsModel

/// A scenario as a file holds it, for one that a program made.
///
/// Its expectations are not written: in their place stands that no internal error comes, since the rules are watched
/// whatever is expected.
public func scenarioText(of scenario: Scenario, vocabulary: Vocabulary) -> String {
  var text = "name: \(scenario.name)\nabout: \(scenario.about)\n"
  if !scenario.rules.isEmpty { text += "rules: [\(scenario.rules.map(\.value).joined(separator: ", "))]\n" }
  text += "platforms: [\(scenario.platforms.joined(separator: ", "))]\nseed: \(scenario.seed)\n"
  if let source = scenario.source { text += "\(sourceKey): \(source)\n" }
  if let until = scenario.until { text += "until: \(until.scenarioText)\n" }
  text += vocabulary.sections.map { $0.scenarioText(of: scenario.settings, vocabulary) }.joined()
  text += "\ntimeline:\n" + scenario.timeline.map { $0.scenarioText(vocabulary) }.joined()
  let terminal = vocabulary.events.first { $0.isTerminal && !$0.arguments.isEmpty }
  if let terminal, let argument = terminal.arguments.last {
    text += "\nexpect:\n  - never: \(terminal.name)(\(argument))\n"
  }
  return text
}

extension SectionWord {
  /// What of the section is not as a scenario that does not mention it has it.
  fileprivate func scenarioText(of settings: Settings, _ vocabulary: Vocabulary) -> String {
    var lines: [String] = []
    for field in fields {
      guard let value = settings[name, field.name], value != field.standard else { continue }
      lines.append("  \(field.name): \(field.quantity.text(value))\n")
    }
    for word in choices {
      guard let chosen = settings[choice: name, word.name], chosen != word.standard else { continue }
      lines.append("  \(word.name): \(chosen)\n")
    }
    for word in states {
      guard let state = settings[state: word], state != vocabulary.worldWord(word)?.states.first else { continue }
      lines.append("  \(word): \(state)\n")
    }
    return lines.isEmpty ? "" : "\n\(name):\n" + lines.joined()
  }
}

extension Stimulus {
  fileprivate func scenarioText(_ vocabulary: Vocabulary) -> String {
    let place =
      switch placement {
      case .at(let time): "  - at: \(time.scenarioText)\n"
      case .after(let pattern, let occurrence, let delay):
        "  - after: \(pattern)\(occurrence == 1 ? "" : "#\(occurrence)")\n"
          + (delay == .zero ? "" : "    delay: \(delay.scenarioText)\n")
      }
    let what =
      switch action {
      case .call(let name, let argument): "    call: \(argument.map { "\(name)(\($0))" } ?? name)\n"
      case .world(let change):
        "    \(change.word): \(vocabulary.text(of: change))\n"
          + (change.over == .zero ? "" : "    \(overKey): \(change.over.scenarioText)\n")
      }
    return place + what + (duration.map { "    for: \($0.scenarioText)\n" } ?? "")
  }
}

extension WorldChange {
  /// How long it takes.
  fileprivate var over: TimeSpan {
    switch self {
    case .state: .zero
    case .quantity(_, _, let over): over
    }
  }
}

extension TimeSpan {
  /// Seconds with as many decimals as it needs: `20 s`, `0.5 s`.
  fileprivate var scenarioText: String {
    var text = Fixed.text(seconds, places: 6)
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return "\(text) s"
  }
}
