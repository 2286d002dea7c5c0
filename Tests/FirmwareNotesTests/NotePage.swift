import Foundation
import OximeterProtocols

/// A page of the firmware notes, whose byte examples are test vectors; `firmware-notes/README.md` has their grammar.
struct NotePage {
  /// The file's name, as faults show it.
  let name: String
  let lines: [String]

  init(name: String, text: String) {
    self.name = name
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// All pages of the repository but the index, in order.
  static func all() throws -> [NotePage] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".md") && $0 != "README.md" }.sorted().map(named)
  }

  /// A page of the repository.
  static func named(_ name: String) throws -> NotePage {
    NotePage(name: name, text: try String(contentsOf: folder.appending(path: name), encoding: .utf8))
  }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "firmware-notes")
}

/// What is wrong with a page, and where.
struct NoteFault: Error, Equatable, CustomStringConvertible {
  let page: String
  let line: Int
  let message: String

  var description: String { "firmware-notes/\(page):\(line): \(message)" }
}

/// One example: what is on the line, and what must come of it.
struct NoteExample {
  /// The line of the page that has the arrow.
  let line: Int
  let device: OximeterProtocol
  let bytes: [UInt8]
  let expected: Expected

  enum Expected {
    /// What the decoder gives of the device's bytes.
    case outcome(NoteOutcome)
    /// What the host asks for with its bytes.
    case command(String)
  }
}
