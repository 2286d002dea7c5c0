import VitalsModel

extension ScenarioDecoder {
  /// The tolerances under `result:`.
  mutating func tolerances(_ node: Node) -> [Expectation] {
    measures(node, "result", among: vocabulary.result?.measures ?? []) { decoder, measure, scalar in
      decoder.tolerance(scalar, measure.quantity).map { .result(measure: measure.name, tolerance: $0) }
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

  /// The value of `± 2 bpm` in the base unit; `+- 2 bpm` says the same.
  private mutating func tolerance(_ scalar: Scalar, _ quantity: Quantity) -> Double? {
    if let parts = Toleranced(scalar.text), parts.value.isEmpty {
      return tolerance(parts.tolerance, quantity, after: "", scalar.span)
    }
    let value = scalar.text.hasPrefix("+/-") ? String(scalar.text.dropFirst(3).drop { $0 == " " }) : scalar.text
    report("a tolerance begins with \"±\"", at: scalar.span, advice: "write \"± \(quantity.completed(value))\"")
    return nil
  }

  /// `66 bpm ± 0.05 bpm`, or `66 ± 0.05 bpm`, in the base unit.
  private mutating func truth(_ scalar: Scalar, _ measure: MeasureWord) -> Expectation.Kind? {
    let quantity = measure.quantity
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

  /// What stands behind the `±`. `start` is what stands before it.
  private mutating func tolerance(_ text: String, _ quantity: Quantity, after start: String, _ span: Span) -> Double? {
    do throws(QuantityMistake) {
      let value = try quantity.value(text)
      if value <= quantity.widestTolerance { return value }
      report(
        "a tolerance of \(quantity.text(value)) lets everything pass", at: span,
        advice: "at most \(quantity.text(quantity.widestTolerance))")
    } catch {
      report(error.message, at: span, advice: error.advice.map { Toleranced.advice($0, after: "\(start)± ") })
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

  /// Advice on the tolerance, for the whole, which begins with `start`.
  static func advice(_ advice: String, after start: String) -> String {
    advice.hasPrefix(Self.start) ? "\(Self.start)\(start)\(advice.dropFirst(Self.start.count))" : advice
  }

  private static let start = "write \""
}

extension Quantity {
  /// A text that may lack its unit, with it; an example where it is no quantity even so.
  fileprivate func completed(_ text: String) -> String {
    [text, "\(text) \(unit)"].first { (try? value($0)) != nil } ?? example
  }
}
