import Foundation
import OximeterProtocols

extension NotePage {
  /// The examples that can be read, and what is wrong with the others.
  func examples() -> (examples: [NoteExample], faults: [NoteFault]) {
    var reader = NoteReader(page: name)
    for (index, line) in lines.enumerated() { reader.read(line, number: index + 1) }
    reader.finish()
    return (reader.examples, reader.faults)
  }
}

/// A mistake in an example, without its place.
struct NoteMistake: Error {
  let message: String

  init(_ message: String) { self.message = message }
}

/// Reads a page line by line.
private struct NoteReader {
  let page: String
  private(set) var examples: [NoteExample] = []
  private(set) var faults: [NoteFault] = []
  private var place = Place.text

  private enum Place {
    /// Outside of a block.
    case text
    /// In a block that holds no examples, which begins on this line.
    case foreign(line: Int)
    /// In a block of examples, which begins on this line.
    case examples(OximeterProtocol, line: Int, Example?)
  }

  /// An example that may go on.
  private struct Example {
    var bytes: [UInt8] = []
    var isFromHost = false
    /// What stands behind its arrows, and the line of the first.
    var words: [String] = []
    var line = 0
  }

  init(page: String) { self.page = page }

  mutating func read(_ line: String, number: Int) {
    switch place {
    case .text:
      if line.hasPrefix("```") { begin(fence: line, number: number) }
    case .foreign:
      if line.hasPrefix("```") { place = .text }
    case .examples(let device, let begin, let example):
      if line.hasPrefix("```") {
        end(example, of: device, number: number)
        place = .text
      } else if !line.isEmpty, !line.hasPrefix("#") {
        place = .examples(device, line: begin, next(example, of: device, line, number: number))
      }
    }
  }

  /// The page is over.
  mutating func finish() {
    switch place {
    case .text: break
    case .foreign(let line), .examples(_, let line, _): complain("the block has no end", line)
    }
    if examples.isEmpty { complain("the page has no example", 1) }
  }

  private mutating func begin(fence: String, number: Int) {
    place = .foreign(line: number)
    let words = fence.dropFirst(3).split(separator: " ")
    guard words.first == "bytes" else { return }
    if words.count == 2, let device = OximeterProtocol(rawValue: String(words[1])) {
      place = .examples(device, line: number, nil)
    } else {
      complain("write a protocol after \"bytes\": \(OximeterProtocol.allCases.map(\.rawValue))", number)
    }
  }

  /// Takes a line of a block; gives the example that it belongs to.
  private mutating func next(
    _ example: Example?, of device: OximeterProtocol, _ line: String, number: Int
  ) -> Example? {
    let arrow = line.range(of: "->", options: .backwards)
    var input = line[..<(arrow?.lowerBound ?? line.endIndex)]
    var example = example
    if let before = example, !before.words.isEmpty, input.contains(where: { $0 != " " }) {
      end(before, of: device, number: number)
      example = nil
    }
    do throws(NoteMistake) {
      var current = example ?? Example()
      if input.hasPrefix("host:") {
        current.isFromHost = true
        input = input.dropFirst(5)
      }
      current.bytes += try noteBytes(input)
      guard !current.bytes.isEmpty else { throw NoteMistake("there are no bytes before ->") }
      if let arrow {
        if current.words.isEmpty { current.line = number }
        current.words.append(line[arrow.upperBound...].trimmingCharacters(in: .whitespaces))
      }
      return current
    } catch {
      complain(error.message, number)
      return nil
    }
  }

  private mutating func end(_ example: Example?, of device: OximeterProtocol, number: Int) {
    guard let example else { return }
    guard !example.words.isEmpty else {
      complain("the example has no ->", number)
      return
    }
    let words = example.words.joined(separator: ", ")
    do throws(NoteMistake) {
      examples.append(
        NoteExample(
          line: example.line, device: device, bytes: example.bytes,
          expected: example.isFromHost ? .command(words) : .outcome(try NoteOutcome(words: words))))
    } catch {
      complain(error.message, example.line)
    }
  }

  private mutating func complain(_ message: String, _ line: Int) {
    faults.append(NoteFault(page: page, line: line, message: message))
  }
}

/// The bytes of pairs of hexadecimal digits, and of text in double quotes with `\r` and `\n`.
func noteBytes(_ text: Substring) throws(NoteMistake) -> [UInt8] {
  var bytes: [UInt8] = []
  var rest = text
  while let first = rest.first {
    if first == " " {
      rest = rest.dropFirst()
    } else if first == "\"" {
      rest = rest.dropFirst()
      guard let end = rest.firstIndex(of: "\"") else { throw NoteMistake("the text has no closing quote") }
      let plain = rest[..<end].replacingOccurrences(of: "\\r", with: "\r").replacingOccurrences(of: "\\n", with: "\n")
      bytes += Array(plain.utf8)
      rest = rest[end...].dropFirst()
    } else {
      let word = rest.prefix { $0 != " " }
      guard word.count == 2, let byte = UInt8(word, radix: 16) else {
        throw NoteMistake("\(word) is not a byte in hexadecimal")
      }
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
  }
  return bytes
}
