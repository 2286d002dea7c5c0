import Traces
import VitalsModel

/// A header with up to four channels and any texts.
func arbitraryHeader(_ random: inout SeededGenerator) -> TraceHeader {
  TraceHeader(
    tool: arbitraryText(&random), contract: arbitraryText(&random), scenario: arbitraryText(&random),
    platform: arbitraryText(&random), seed: random.next(), engine: arbitraryText(&random),
    channels: (0..<Int.random(in: 0...4, using: &random)).map { _ in arbitraryText(&random) },
    further: arbitraryFields(&random, depth: 0))
}

/// An entry of any kind.
func arbitraryEntry(_ random: inout SeededGenerator, channels: Int) -> TraceEntry {
  let item: TraceItem
  switch Int.random(in: 0..<12, using: &random) {
  case 0: item = .call(id: Int.random(in: .min ... .max, using: &random), arbitraryMessage(&random))
  case 1: item = .reply(id: Int.random(in: 0...99, using: &random), .returned)
  case 2: item = .reply(id: Int.random(in: 0...99, using: &random), .threw(arbitraryMessage(&random)))
  case 3: item = .notice(arbitraryMessage(&random))
  case 4:
    let values = (0..<channels).map { _ in arbitraryNumber(&random) }
    item = .sample(captured: arbitraryInstant(&random), values: values)
  case 5: item = .timer
  case 6: item = .event(arbitraryMessage(&random))
  case 7: item = .command(arbitraryMessage(&random))
  case 8: item = .stimulus(arbitraryMessage(&random))
  case 9: item = .reference(arbitraryMessage(&random))
  case 10:
    let count = Int.random(in: 0...9, using: &random)
    item = .capture((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) })
  default: item = .truth(arbitraryMessage(&random))
  }
  return TraceEntry(at: arbitraryInstant(&random), item)
}

private func arbitraryMessage(_ random: inout SeededGenerator) -> Message {
  Message(arbitraryText(&random), arbitraryFields(&random, depth: 0))
}

/// Up to four fields with distinct keys that no line claims.
private func arbitraryFields(_ random: inout SeededGenerator, depth: Int) -> [Field] {
  (0..<Int.random(in: 0...4, using: &random)).map {
    Field("\($0)" + arbitraryText(&random), arbitraryValue(&random, depth: depth))
  }
}

private func arbitraryValue(_ random: inout SeededGenerator, depth: Int) -> FieldValue {
  switch Int.random(in: 0..<(depth < 4 ? 5 : 4), using: &random) {
  case 0: .text(arbitraryText(&random))
  case 1: .integer(arbitraryInteger(&random))
  case 2: .fixed(units: arbitraryInteger(&random), places: Int.random(in: 1...9, using: &random))
  case 3: .flag(Bool.random(using: &random))
  default: .object(arbitraryFields(&random, depth: depth + 1))
  }
}

/// As often small as large.
private func arbitraryInteger(_ random: inout SeededGenerator) -> Int64 {
  Int64(bitPattern: random.next()) >> Int64.random(in: 0...63, using: &random)
}

private func arbitraryInstant(_ random: inout SeededGenerator) -> Instant {
  // Moments keep within a ninth of what 64 bits hold.
  Instant(microseconds: arbitraryInteger(&random) >> 4)
}

/// Any finite bit pattern, or a colour's mean.
private func arbitraryNumber(_ random: inout SeededGenerator) -> Double {
  let number = Double(bitPattern: random.next())
  return number.isFinite && Bool.random(using: &random) ? number : random.uniform(in: 0...255)
}

private func arbitraryText(_ random: inout SeededGenerator) -> String {
  let alphabet: [Unicode.Scalar] = [
    "a", "b", "Z", "0", " ", "\"", "\\", "/", "\n", "\r", "\t", "\u{0}", "\u{1f}", "\u{7f}", "é", "\u{301}", "心", "🫀",
    "\u{2028}", "\u{feff}", "{", "}", ":", ",",
  ]
  var text = ""
  for _ in 0..<Int.random(in: 0...8, using: &random) {
    text.unicodeScalars.append(alphabet[Int.random(in: 0..<alphabet.count, using: &random)])
  }
  return text
}
