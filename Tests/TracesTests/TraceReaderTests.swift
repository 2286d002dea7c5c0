import Testing
import Traces
import VitalsModel

@Suite("Reading a trace")
struct TraceReaderTests {
  static let header = TraceHeader(
    tool: "vitals-sim 1.0", contract: "reading", scenario: "contact-lost", platform: "ios", seed: 7,
    engine: "built-in", channels: ["red", "green", "blue"])

  @Test("What is written reads back equal, and is written again as the same bytes", arguments: 0..<60)
  func roundTrip(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed, stream: "traces")
    let header = arbitraryHeader(&random)
    let entries = (0..<40).map { _ in arbitraryEntry(&random, channels: header.channels.count) }
    let bytes = TraceText.file(header, entries)
    let read = try readTrace(bytes)
    #expect(read.header == header)
    #expect(read.entries == entries)
    #expect(read.warning == nil)
    #expect(TraceText.file(read.header, read.entries) == bytes)
  }

  @Test("A golden reads back as the entries that it holds", arguments: 0..<10)
  func golden(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed, stream: "golden")
    let entries = (0..<40).map { _ in arbitraryEntry(&random, channels: 3) }
    let bytes = TraceText.body(entries)
    let read = try readTraceBody(bytes)
    #expect(TraceText.body(read.entries) == bytes)
    #expect(
      read.entries
        == entries.filter {
          switch $0.item {
          case .sample, .capture, .timer: false
          default: true
          }
        })
    #expect(try readTraceBody([]).entries == [])
    #expect(try readTraceBody(bytes.dropLast(2)).warning != nil)
    let error = #expect(throws: TraceReadError.self) { try readTraceBody(Array("{}\n".utf8) + bytes) }
    #expect(error?.line == 1)
    let sample = Array((#"{"t":0.000000,"sample":[1],"captured":0.000000}"# + "\n").utf8)
    #expect(throws: TraceReadError.self) { try readTraceBody(sample) }
  }

  @Test("A file cut at any byte gives its whole lines, and a warning where a line was cut")
  func cut() throws {
    var random = SeededGenerator(seed: 1, stream: "cut")
    let entries = (0..<12).map { _ in arbitraryEntry(&random, channels: 3) }
    let bytes = TraceText.file(Self.header, entries)
    let headerEnd = try #require(bytes.firstIndex(of: UInt8(ascii: "\n")))
    for length in 0..<headerEnd {
      #expect(throws: TraceReadError.self) { try readTrace(Array(bytes[..<length])) }
    }
    for length in headerEnd...bytes.count {
      let read = try readTrace(Array(bytes[..<length]))
      // A line that only lacks its newline is whole.
      let ends = bytes[..<Swift.min(length + 1, bytes.count)].count { $0 == UInt8(ascii: "\n") }
      let isCut = length > headerEnd + 1 && bytes[length - 1] != UInt8(ascii: "\n") && bytes[length] != 10
      #expect(read.entries == Array(entries[..<(ends - 1)]), "cut at byte \(length)")
      #expect((read.warning != nil) == isCut, "cut at byte \(length)")
    }
  }

  @Test("Noise is refused or read, and never crashes", arguments: 0..<40)
  func noise(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed, stream: "noise")
    let entries = (0..<6).map { _ in arbitraryEntry(&random, channels: 3) }
    let bytes = TraceText.file(Self.header, entries)
    let alphabet = Array("{}[]\",:\\\n0123456789.-eEtrufals \u{0}ué".utf8)
    for _ in 0..<300 {
      var broken = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let at = Int.random(in: 0..<broken.count, using: &random)
        let byte =
          Bool.random(using: &random)
          ? alphabet[Int.random(in: 0..<alphabet.count, using: &random)] : UInt8.random(in: 0...255, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: broken[at] = byte
        case 1: broken.insert(byte, at: at)
        default: broken.remove(at: at)
        }
      }
      if let read = try? readTrace(broken) {
        // What was accepted is a trace: it can be written and read again.
        let again = try readTrace(TraceText.file(read.header, read.entries))
        #expect(again.header == read.header)
        #expect(again.entries == read.entries)
      }
    }
  }

  static let refused: [(String, String)] = [
    (#"{"t":0.000000,"evnt":"x"}"#, #"line 2, column 15: expected one of the keys call, reply, notice, sample"#),
    (#"{"event":"x","t":0.000000}"#, #"line 2, column 2: expected the key "t", found "event":"x""#),
    (#"{"t":0.000000,"capture":"0g"}"#, #"column 27: expected a hexadecimal digit, found g"}"#),
    (#"{"t":0.000000,"capture":"012"}"#, #"column 29: expected a hexadecimal digit, found "}"#),
    (#"{"t":0.000000,"capture":"0A"}"#, #"column 27: expected a hexadecimal digit, found A"}"#),
    (#"{"t":0.000000,"capture":[1]}"#, "column 25: expected a text in quotes, found [1]}"),
    (#"{"t":1.5,"timer":true}"#, "line 2, column 6: expected seconds with six decimals, found 1.5"),
    (#"{"t":1,"timer":true}"#, "column 6: expected seconds with six decimals"),
    (#"{"t":1e0,"timer":true}"#, "column 6: expected seconds with six decimals of at most 64 bits"),
    (#"{"t":-0.000000,"timer":true}"#, "column 6: expected seconds with six decimals of at most 64 bits"),
    (#"{"t":99999999999999.000000,"timer":true}"#, "column 6: expected seconds with six decimals of at most 64 bits"),
    (#"{"t":1000000000000.000001,"timer":true}"#, "column 6: expected a moment within 10^12 s of the beginning"),
    (#"{"t":-9223372036854.775807,"timer":true}"#, "column 6: expected a moment within 10^12 s of the beginning"),
    (#"{"t":"1.000000","timer":true}"#, "column 6: expected seconds with six decimals"),
    (#"{"t":0.000000,"timer":false}"#, "column 23: expected true, found false"),
    (#"{"t":0.000000,"timer":true,"on":true}"#, #"column 27: expected "}", found ,"on":true}"#),
    (#"{"t":0.000000,"timer":true} {}"#, "column 29: expected the end of the line, found {}"),
    (#"{"t":0.000000,"event":"x""#, #"column 26: expected "}", found the end of the line"#),
    (#"{"t":0.000000,"event":7}"#, "column 23: expected a text in quotes, found 7}"),
    (#"{"t":0.000000,"event":"x","a":1,"a":2}"#, #"column 33: expected another key, found "a":2}"#),
    (#"{"t":0.000000,"event":"x","t":1}"#, #"column 27: expected another key, found "t":1}"#),
    (#"{"t":0.000000,"event":"x","call":1}"#, #"column 27: expected another key, found "call":1}"#),
    (#"{"t":0.000000,"event":"x","a":null}"#, "column 31: expected a text, a number, true, false or an object"),
    (#"{"t":0.000000,"event":"x","a":[1]}"#, "column 31: expected a text, a number, true, false or an object"),
    (#"{"t":0.000000,"event":"x","a":07}"#, "column 31: expected a number, found 07}"),
    (#"{"t":0.000000,"event":"x","a":1.}"#, "column 31: expected a number, found 1.}"),
    (#"{"t":0.000000,"event":"x","a":-}"#, "column 31: expected a number, found -}"),
    (#"{"t":0.000000,"event":"x","a":9223372036854775808}"#, "expected a number of at most 64 bits and 9 decimals"),
    (#"{"t":0.000000,"event":"x","a":0.0000000001}"#, "expected a number of at most 64 bits and 9 decimals"),
    (#"{"t":0.000000,"event":"x","a":tru}"#, "column 31: expected true or false, found tru}"),
    (#"{"t":0.000000,"event":"x","a":{"b":{"b":1,"b":1}}}"#, "expected another key"),
    (#"{"t":0.000000,"event":"x\q"}"#, "column 26: expected an escape, found q"),
    (#"{"t":0.000000,"event":"x\u12"}"#, "expected an escape of four digits"),
    (#"{"t":0.000000,"event":"\ud800"}"#, "expected an escape of a whole character"),
    ("{\"t\":0.000000,\"event\":\"a\u{1}\"}", "expected a text without control characters, found the byte 0x1"),
    (#"{"t":0.000000,"call":"start"}"#, #"column 29: expected ",", found }"#),
    (#"{"t":0.000000,"call":"start","id":1.0}"#, "column 35: expected a whole number, found 1.0}"),
    (#"{"t":0.000000,"call":"start","id":1,"id":2}"#, "expected another key"),
    (#"{"t":0.000000,"reply":"gone","id":1}"#, #"column 23: expected "returned" or "threw", found "gone""#),
    (#"{"t":0.000000,"reply":"threw","id":1}"#, #"expected ",", found }"#),
    (#"{"t":0.000000,"reply":"threw","id":1,"error":"a","error":"b"}"#, "expected another key"),
    (#"{"t":0.000000,"sample":[1,2],"captured":0.000000}"#, "column 24: expected 3 values, found [1,2]"),
    (#"{"t":0.000000,"sample":[1,2,1e999],"captured":0.000000}"#, "column 29: expected a finite number, found 1e999"),
    (#"{"t":0.000000,"sample":[1,2,nan],"captured":0.000000}"#, "column 29: expected a number, found nan"),
    (#"{"t":0.000000,"sample":[1,2,3]}"#, #"column 31: expected ",", found }"#),
    ("", #"line 2, column 1: expected "{", found the end of the line"#),
    ("\u{0}\u{0}", #"expected "{", found the byte 0x0"#),
  ]

  @Test("A line that is not one of a trace is named with its place", arguments: refused)
  func refuse(_ line: String, _ expected: String) {
    let text = TraceText.line(Self.header) + "\n" + line + "\n" + #"{"t":0.000000,"timer":true}"# + "\n"
    let error = #expect(throws: TraceReadError.self) { try readTrace(Array(text.utf8)) }
    #expect(error?.description.contains(expected) == true, "\(error?.description ?? "read")")
  }

  static let refusedHeaders: [(String, String)] = [
    ("", #"line 1, column 1: expected "{", found the end of the line"#),
    ("name: contact-lost\n", #"line 1, column 1: expected "{", found name: contact-lost"#),
    (#"{"format":"something else","version":1}"# + "\n", #"column 11: expected "vitals-sim trace", found "something"#),
    (#"{"format":"vitals-sim trace","version":2,"tool":"x"}"# + "\n", "column 40: expected version 1 of the format"),
    (#"{"format":"vitals-sim trace","tool":"x","version":1}"# + "\n", #"expected the key "version""#),
    (TraceText.line(header).replacing("7", with: "-7") + "\n", "expected a whole number from 0, found -7"),
    (TraceText.line(header).replacing("}", with: #","seed":1}"#) + "\n", "expected another key"),
    (String(TraceText.line(header).dropLast()), #"expected "}", found the end of the line"#),
  ]

  @Test("A file that does not begin as a trace is refused", arguments: refusedHeaders)
  func refuseHeader(_ text: String, _ expected: String) {
    let error = #expect(throws: TraceReadError.self) { try readTrace(Array(text.utf8)) }
    #expect(error?.description.contains(expected) == true, "\(error?.description ?? "read")")
  }

  static let accepted: [(String, TraceItem)] = [
    (#"{ "t" : 0.000000 , "event" : "x" }"# + "\r", .event(Message("x"))),
    (#"{"t":0.000000,"event":"\u00e9\ud83e\udec0\/\b\f"}"#, .event(Message("é🫀/\u{8}\u{c}"))),
    (
      #"{"t":0.000000,"event":"x","a":66.10,"b":66,"c":-0.5}"#,
      .event(
        Message(
          "x",
          [
            Field("a", .fixed(units: 6610, places: 2)), Field("b", .integer(66)),
            Field("c", .fixed(units: -5, places: 1)),
          ]))
    ),
    (
      #"{"t":0.000000,"sample":[1,2E2,-0.0],"captured":0.000001}"#,
      .sample(captured: Instant(microseconds: 1), values: [1, 200, -0.0])
    ),
  ]

  @Test("Another writer's spaces and escapes are read", arguments: accepted)
  func accept(_ line: String, _ expected: TraceItem) throws {
    let text = TraceText.line(Self.header) + "\n" + line + "\n"
    #expect(try readTrace(Array(text.utf8)).entries == [TraceEntry(at: .zero, expected)])
  }

  @Test("Deep nesting and long objects have a limit")
  func limits() throws {
    func line(depth: Int) -> String {
      #"{"t":0.000000,"event":"x","a":"# + String(repeating: #"{"a":"#, count: depth) + "1"
        + String(repeating: "}", count: depth) + "}\n"
    }
    func line(fields: Int) -> String {
      #"{"t":0.000000,"event":"x""# + (0..<fields).map { #","f\#($0)":1"# }.joined() + "}\n"
    }
    let header = TraceText.line(Self.header) + "\n"
    for (line, isRead) in [
      (line(depth: 16), true), (line(depth: 17), false), (line(depth: 100_000), false),
      (line(fields: 256), true), (line(fields: 257), false),
    ] {
      let bytes = Array((header + line).utf8)
      guard isRead else {
        #expect(throws: TraceReadError.self) { try readTrace(bytes) }
        continue
      }
      let read = try readTrace(bytes)
      #expect(TraceText.file(read.header, read.entries) == bytes)
    }
  }
}
