/// What one maker's lines mean.
protocol LineGrammar: Sendable {
  /// How far the values of two lines in a row may be apart.
  static var steps: LineConfirmation.Steps { get }
  /// At the beginning of a stream.
  init()
  /// What a line says; nil when it is of no known kind, or its values cannot be.
  mutating func meaning(of text: [UInt8]) -> LineMeaning?
}

/// What a line says.
enum LineMeaning {
  /// Values, and what else the device tells in it.
  case reading(OximeterReading, DeviceAnswer? = nil)
  /// Nothing of now: a heading, or a line of the past.
  case known(DeviceAnswer? = nil)
}

/// Makes frames of lines of text.
///
/// A line ends with a carriage return, a line feed or both in any order; the first of them is its end, and what comes
/// from there to the end of the next line belongs to the next. Lines are printable ASCII: any other byte breaks the one
/// it is in, and what comes after it begins anew.
struct LineDecoder<Grammar: LineGrammar>: OximeterDecoder {
  private enum State {
    /// No line was whole yet: the first may be the end of one.
    case beginning
    case running
    /// The line is longer than any known one.
    case tooLong
  }

  private(set) var counts = DecodingCounts()
  private var grammar = Grammar()
  private var confirmation = LineConfirmation(Grammar.steps)
  private var state = State.beginning
  private var text: [UInt8] = []
  /// How many bytes there were.
  private var place = 0
  /// How many of them belong to a whole line or are skipped.
  private var settled = 0

  mutating func decode(_ bytes: some Collection<UInt8>, into frames: inout [OximeterFrame]) {
    let scanned: Void? = bytes.withContiguousStorageIfAvailable { scan($0, into: &frames) }
    if scanned == nil { Array(bytes).withUnsafeBufferPointer { scan($0, into: &frames) } }
  }

  mutating func finish() {
    if !isBlank { counts.short += 1 }
    breakLine()
    confirmation.finish(&counts)
    state = .beginning
    grammar = Grammar()
  }

  private mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>, into frames: inout [OximeterFrame]) {
    for byte in bytes {
      place += 1
      switch byte {
      case 0x0a, 0x0d: endLine(into: &frames)
      case 0x20...0x7e: append(byte)
      default:
        if !isBlank { counts.short += 1 }
        breakLine()
      }
    }
  }

  private mutating func append(_ byte: UInt8) {
    if case .tooLong = state { return }
    if text.count < TextLine.longest {
      text.append(byte)
    } else {
      counts.unknown += 1
      breakLine()
      state = .tooLong
    }
  }

  private mutating func endLine(into frames: inout [OximeterFrame]) {
    if case .tooLong = state {
      breakLine()
      return
    }
    guard !isBlank else {
      endBlankLine()
      return
    }
    guard let meaning = grammar.meaning(of: text) else {
      if case .beginning = state { counts.short += 1 } else { counts.unknown += 1 }
      breakLine()
      return
    }
    let length = place - settled
    settled = place
    text.removeAll(keepingCapacity: true)
    state = .running
    switch meaning {
    case .reading(let reading, let answer):
      let frame = OximeterFrame(end: place, reading: reading, answer: answer)
      confirmation.take(frame, length: length, counts: &counts, into: &frames)
    case .known(let answer):
      let frame = OximeterFrame(end: place, answer: answer)
      confirmation.take(frame, length: length, counts: &counts, into: &frames)
    }
  }

  /// Blank lines belong to the line after them, as far as there are few.
  private mutating func endBlankLine() {
    text.removeAll(keepingCapacity: true)
    guard place - settled > TextLine.longest else { return }
    counts.skipped += place - settled
    settled = place
  }

  private var isBlank: Bool { text.allSatisfy { $0 == .blank } }

  /// What came since the last whole line is no line.
  private mutating func breakLine() {
    counts.skipped += place - settled
    settled = place
    text.removeAll(keepingCapacity: true)
    state = .running
    confirmation.breakOff()
  }
}
