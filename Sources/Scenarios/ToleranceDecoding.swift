import VitalsModel

extension ScenarioDecoder {
  /// The demands under `result:`.
  mutating func demands(_ node: Node) -> [Expectation] {
    measures(node, "result", among: vocabulary.result?.measures ?? []) { decoder, measure, scalar in
      decoder.demand(scalar, measure.quantity).map { .result(measure: measure.name, $0) }
    }
  }

  /// The values under `truth:`, each with its tolerance.
  mutating func truths(_ node: Node) -> [Expectation] {
    measures(node, truthForm, among: vocabulary.truths) { decoder, measure, scalar in
      decoder.truth(scalar, measure)
    }
  }

  private mutating func measures(
    _ node: Node, _ form: String, among known: [MeasureWord],
    read: (inout ScenarioDecoder, MeasureWord, Scalar) -> Expectation.Kind?
  ) -> [Expectation] {
    guard let mapping = mapping(node, form) else { return [] }
    let names = known.map(\.name)
    if mapping.entries.isEmpty, mapping.isWhole {
      report("\(form) is empty", at: node.span, advice: "one of \(listed(names, "or"))")
    }
    let fields = fields(mapping, known: names, in: " in \(form)")
    return fields.inOrder(names).compactMap { entry in
      guard let measure = known.first(where: { $0.name == entry.key }), let scalar = scalar(entry.value, entry.key),
        let kind = read(&self, measure, scalar)
      else { return nil }
      return Expectation(kind, at: entry.keySpan.mark)
    }
  }

  /// `± 2 bpm`, `± 2 bpm or withheld`, or `withheld`.
  private mutating func demand(_ scalar: Scalar, _ quantity: Quantity) -> Expectation.Demand? {
    switch WrittenDemand(scalar.text).form {
    case .withheld: return .withheld
    case .tolerance: return tolerance(scalar.text, quantity, before: "", scalar.span).map { .within($0) }
    case .either(let tolerance):
      let end = " \(Expectation.Demand.orWord) \(Expectation.Demand.withheldWord)"
      return self.tolerance(tolerance, quantity, before: end, scalar.span).map { .withinOrWithheld($0) }
    case .misspelt(let word):
      report(
        "unknown word \(quoted(word)) in result", at: scalar.span,
        advice: advice(for: word, among: [Expectation.Demand.withheldWord]))
    case .disordered(let tolerance):
      report(
        "\"withheld\" stands alone, or after a tolerance and \"or\"", at: scalar.span,
        advice: tolerance.isEmpty
          ? "write \"withheld\"" : "write \"± \(quantity.completed(unsigned(tolerance))) or withheld\"")
    case .otherwise(let tolerance):
      report(
        "only \"withheld\" stands after \"or\"", at: scalar.span,
        advice: "write \"± \(quantity.completed(unsigned(tolerance))) or withheld\"")
    }
    return nil
  }

  /// The value of `± 2 bpm` in the base unit; `+- 2 bpm` says the same. `end` is what stands behind it.
  private mutating func tolerance(_ text: String, _ quantity: Quantity, before end: String, _ span: Span) -> Double? {
    if let parts = Toleranced(text), parts.value.isEmpty {
      return tolerance(parts.tolerance, quantity, after: "", before: end, span)
    }
    guard text.isEmpty || text.contains(where: \.isNumber) else {
      report(
        "\(quoted(text)) is neither a tolerance nor \"withheld\"", at: span,
        advice: "for instance \"± \(quantity.text(1))\(end)\"")
      return nil
    }
    report(
      "a tolerance begins with \"±\"", at: span, advice: "write \"± \(quantity.completed(unsigned(text)))\(end)\"")
    return nil
  }

  /// `66 bpm ± 0.05 bpm`, or `66 ± 0.05 bpm`, in the base unit.
  private mutating func truth(_ scalar: Scalar, _ measure: MeasureWord) -> Expectation.Kind? {
    let quantity = measure.quantity
    switch WrittenDemand(scalar.text).form {
    case .tolerance, .otherwise, .misspelt: break
    case .withheld, .either, .disordered:
      report("only a result withholds a measure", at: scalar.span, advice: "what really happened has a value")
      return nil
    }
    guard let parts = Toleranced(scalar.text) else {
      let value = quantity.completed(scalar.text)
      report(
        "the truth of \(measure.name) needs a tolerance", at: scalar.span,
        advice: "for instance \"\(value) ± \(quantity.text(1))\"")
      return nil
    }
    guard !parts.value.isEmpty else {
      report(
        "the truth of \(measure.name) needs a value", at: scalar.span,
        advice: "for instance \"\(quantity.example) \(scalar.text)\"")
      return nil
    }
    // A value without a unit has that of its tolerance.
    let value = parts.isBare ? "\(parts.value) \(parts.unit)" : parts.value
    var number: Double?
    do throws(QuantityMistake) {
      number = try quantity.value(value)
    } catch {
      // Where neither has a unit, the tolerance is told of it.
      let isTold = parts.isBare && parts.unit.isEmpty
      if !isTold { report(error.message, at: scalar.span, advice: error.advice.map { parts.advice($0) }) }
    }
    let tolerance = tolerance(parts.tolerance, quantity, after: parts.value + " ", scalar.span)
    guard let number, let tolerance else { return nil }
    return .truth(measure: measure.name, value: number, tolerance: tolerance)
  }

  /// What stands behind the `±`. `start` is what stands before it, `end` what stands behind the tolerance.
  private mutating func tolerance(
    _ text: String, _ quantity: Quantity, after start: String, before end: String = "", _ span: Span
  ) -> Double? {
    do throws(QuantityMistake) {
      let value = try quantity.value(text)
      if value <= quantity.widestTolerance { return value }
      report(
        "a tolerance of \(quantity.text(value)) lets everything pass", at: span,
        advice: "at most \(quantity.text(quantity.widestTolerance))")
    } catch {
      report(
        error.message, at: span, advice: error.advice.map { Toleranced.advice($0, after: "\(start)± ", before: end) })
    }
    return nil
  }
}

/// A text divided at its `±`.
private struct Toleranced {
  /// What stands before it; may be empty.
  let value: String
  /// What stands behind it.
  let tolerance: String

  /// Nil for a text without one.
  init?(_ text: String) {
    for sign in ["±", "+-"] {
      guard let range = text.firstRange(of: sign) else { continue }
      value = String(text[..<range.lowerBound].reversed().drop { $0 == " " }.reversed())
      tolerance = String(text[range.upperBound...].drop { $0 == " " })
      return
    }
    return nil
  }

  /// Whether the value is a number alone.
  var isBare: Bool { value.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") } }

  /// The unit of the tolerance; empty where it has none.
  var unit: String { String(tolerance.drop { $0.isNumber || $0 == "." || $0 == " " }) }

  /// Advice on the value, for the whole.
  func advice(_ advice: String) -> String {
    advice.hasPrefix(Self.start) && advice.hasSuffix("\"") ? "\(advice.dropLast()) ± \(tolerance)\"" : advice
  }

  /// Advice on the tolerance, for the whole, which begins with `start` and ends with `end`.
  static func advice(_ advice: String, after start: String, before end: String) -> String {
    guard advice.hasPrefix(Self.start), advice.hasSuffix("\"") else { return advice }
    return "\(Self.start)\(start)\(advice.dropFirst(Self.start.count).dropLast())\(end)\""
  }

  private static let start = "write \""
}

/// What a text under `result:` was meant to be, before its tolerance is read.
private struct WrittenDemand {
  enum Form {
    case withheld
    /// It knows no other word than those of a tolerance.
    case tolerance
    /// This, `or withheld`.
    case either(tolerance: String)
    /// A word that is near `withheld`.
    case misspelt(String)
    /// `withheld` is not where it should be. What is not it and not `or` may be a tolerance; may be empty.
    case disordered(tolerance: String)
    /// Something else than `withheld` stands behind `or`.
    case otherwise(tolerance: String)
  }

  let form: Form

  init(_ text: String) {
    let (withheld, or) = (Expectation.Demand.withheldWord, Expectation.Demand.orWord)
    let words = text.split(separator: " ").map(String.init)
    func bare(_ word: String) -> String { word.hasSuffix(",") ? String(word.dropLast()) : word }
    func isOr(_ word: String) -> Bool { bare(word).lowercased() == or }
    let near = words.map(bare).filter { nearest(to: $0, among: [withheld]) != nil }
    let rest = words.filter { !isOr($0) && !near.contains(bare($0)) }.map(bare).joined(separator: " ")
    let before = words.prefix { !isOr($0) }.joined(separator: " ")
    form =
      if words == [withheld] {
        .withheld
      } else if let wrong = near.first(where: { $0 != withheld }) {
        .misspelt(wrong)
      } else if near.isEmpty {
        words.contains(where: isOr) ? .otherwise(tolerance: before) : .tolerance
      } else if words.suffix(2) == [or, withheld], words.dropLast(2).joined(separator: " ") == rest {
        .either(tolerance: rest)
      } else {
        .disordered(tolerance: rest)
      }
  }
}

/// A tolerance without the sign before it.
private func unsigned(_ text: String) -> String {
  let sign = ["±", "+-", "+/-"].first { text.hasPrefix($0) } ?? ""
  return String(text.dropFirst(sign.count).drop { $0 == " " })
}

extension Quantity {
  /// A text that may lack its unit, with it; an example where it is no quantity even so.
  fileprivate func completed(_ text: String) -> String {
    [text, "\(text) \(unit)"].first { (try? value($0)) != nil } ?? example
  }
}
