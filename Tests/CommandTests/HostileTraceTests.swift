import Foundation
import Testing

/// Traces that were cut or edited by hand get an answer, and steer nothing.
@Suite struct HostileTraceTests {
  private let program: Program
  private let text: String

  init() throws {
    program = try Program()
    try program.write("a.yaml", shortScenario("a"))
    #expect(try program.call("run", "a.yaml", "--trace", "traces").exitCode == 0)
    text = try program.read("traces/a.ios.1.jsonl")
  }

  /// What is written instead of what, and what `replay` says to that.
  private static let edits: [(old: String, new: String, exitCode: Int32, answer: String)] = [
    (#""call":"start""#, #""call":"explode""#, 2, "the call explode at 0.000 s is none of this contract"),
    (#""call":"start""#, #""call":"setAutoStart""#, 2, "the call setAutoStart at 0.000 s is none of this contract"),
    (
      #""call":"stop","id":2"#, #""call":"stop","id":2,"argument":"now""#, 2,
      "the call stop at 2.000 s is none of this contract"
    ),
    (#"{"t":2.000000,"call""#, #"{"t":-2.000000,"call""#, 2, "it goes back in time, to -2.000 s"),
    (#"{"t":2.000000,"call""#, #"{"t":604801.000000,"call""#, 2, "it goes on for more than 7 days"),
    (#"{"t":2.000000,"call""#, #"{"t":9223372036854.775807,"call""#, 2, "expected a moment within 10^12 s"),
    (#""captured":0.3"#, #""captured":-9223372036854.7"#, 2, "expected a moment within 10^12 s"),
    (#""ios""#, #""beos""#, 2, "of an unknown platform, beos"),
    (#""contract":"vitals"#, #""contract":"v"#, 2, "of the contract v-reading"),
    (#"["red","green","blue"]"#, #"["green","red","blue"]"#, 2, "not colours"),
    (#""blue"]"#, #""blue","ir"]"#, 2, "expected 4 values"),
    (#""reply":"returned","id":2"#, #""reply":"returned","id":9"#, 1, "differs at 2.000 s"),
  ]

  @Test func replaysOnlyWhatASessionCanBeFed() throws {
    for edit in Self.edits {
      let edited = text.replacingOccurrences(of: edit.old, with: edit.new)
      #expect(edited != text, "\(edit.old) is in the trace")
      try program.write("edited", edited)
      let outcome = try program.call("replay", "edited")
      #expect(outcome.exitCode == edit.exitCode && !outcome.isCrash, "\(edit.new)")
      #expect((outcome.error + outcome.output).contains(edit.answer), "\(edit.new): \(outcome.error)")
    }
    let header = try #require(text.split(separator: "\n").first)
    try program.write("empty", header + "\n")
    let empty = try program.call("replay", "empty")
    #expect(empty.exitCode == 2)
    #expect(empty.error.contains("there is nothing in it that a session could be fed"))
  }

  @Test func replaysACutTraceAsFarAsItGoes() throws {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for count in stride(from: 8, to: lines.count - 2, by: 7) {
      try program.write("cut", lines[..<count].joined(separator: "\n") + "\n")
      let outcome = try program.call("replay", "cut")
      #expect(outcome.exitCode == 0, "\(count) lines")
      #expect(outcome.output.hasSuffix(" lines, up to where the trace is cut off\n"), "\(outcome.output)")
    }
    #expect(try program.call("replay", "traces/a.ios.1.jsonl").output.hasSuffix(" lines\n"))
  }

  @Test func showsNumbersAndTextsOfAnyKind() throws {
    let lines = [
      #"{"t":9.000000,"sample":[1e308,-1e300,0.5],"captured":0.000000}"#,
      #"{"t":9.000000,"event":"\u001b[31m\u009b","text":"\u202e"}"#,
    ]
    try program.write("strange", text + lines.joined(separator: "\n") + "\n")
    let outcome = try program.call("trace", "show", "strange")
    #expect(outcome.exitCode == 0 && !outcome.isCrash)
    #expect(outcome.output.contains("sample 1e+308 -1e+300 0.500 captured 0.000\n"))
    #expect(outcome.output.contains("\\u{1B}[31m\\u{9B} text \\u{202E}\n"))
    #expect(!outcome.output.contains("\u{1B}"))
    #expect(try program.call("run", "a.yaml", "--source", "recording:strange").exitCode == 2)
  }
}
