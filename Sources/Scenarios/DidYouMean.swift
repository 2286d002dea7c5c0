/// The word that was most likely meant by `word`; nil where none is near.
///
/// Near is: equal but for case, hyphens and underscores, or at most a third of the letters away by edits, of which a
/// swap of neighbours is one. Of words equally near, the first.
public func nearest(to word: String, among words: [String]) -> String? {
  let typed = letters(word)
  guard !typed.isEmpty, typed.count <= 40 else { return nil }
  var best: (word: String, distance: Int)?
  for candidate in words {
    let meant = letters(candidate)
    let limit = min(max(1, max(typed.count, meant.count) / 3), (best?.distance ?? .max) - 1)
    guard limit >= 0, abs(typed.count - meant.count) <= limit else { continue }
    let distance = edits(from: typed, to: meant)
    if distance <= limit { best = (candidate, distance) }
  }
  return best?.word
}

/// The advice for a word that is not one of `words`: the one that was meant, or else what there is.
func suggestion(for word: String, among words: [String]) -> String? {
  if let meant = nearest(to: word, among: words) {
    return "did you mean \(quoted(meant))?"
  }
  return choice(of: words)
}

/// What there is to choose from, in words; nil where there is nothing.
func choice(of words: [String]) -> String? {
  guard let last = words.last else { return nil }
  if words.count > 16 {
    return "known are \(words.prefix(3).joined(separator: ", ")) to \(last)"
  }
  return words.count == 1 ? "only \(last) is known" : "known are " + listed(words, "and")
}

/// Words as a sentence lists them: `a, b and c`.
func listed(_ words: [String], _ conjunction: String) -> String {
  guard words.count > 1, let last = words.last else { return words.first ?? "" }
  return words.dropLast().joined(separator: ", ") + " \(conjunction) " + last
}

/// The bytes of a word that count for likeness: without case, hyphens, underscores and spaces.
private func letters(_ word: String) -> [UInt8] {
  word.utf8.compactMap { byte in
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte + 32
    case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: " "): nil
    default: byte
    }
  }
}

/// How many insertions, deletions, substitutions and swaps of neighbours lead from one word to the other
/// (the optimal string alignment distance). A digit for another digit counts two: `V99` is no slip for `V09`.
private func edits(from source: [UInt8], to target: [UInt8]) -> Int {
  func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
  var beforePrevious: [Int] = []
  var previous = Array(0...target.count)
  for row in 0..<source.count {
    var current = [row + 1]
    for column in 0..<target.count {
      let (from, to) = (source[row], target[column])
      let cost = from == to ? 0 : isDigit(from) && isDigit(to) ? 2 : 1
      var least = min(previous[column] + cost, previous[column + 1] + 1, current[column] + 1)
      if row > 0, column > 0, from == target[column - 1], source[row - 1] == to {
        least = min(least, beforePrevious[column - 1] + 1)
      }
      current.append(least)
    }
    (beforePrevious, previous) = (previous, current)
  }
  return previous[target.count]
}
