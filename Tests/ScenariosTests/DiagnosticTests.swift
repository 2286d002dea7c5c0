import Scenarios
import Testing
import VitalsModel

@Suite struct DiagnosticTests {
  /// Mistakes that a line or two show; the long ones are files in `scenarios/refused`.
  @Test(
    arguments: [
      (
        scenario("torch: y"),
        [
          "3:1 unknown key \"torch\" | known are name, about, rules, waive, platforms, tags, seed, source, subject, camera, host, timeline, expect and until"
        ]
      ),
      (
        scenario("heart_rte: 66"),
        [
          "3:1 unknown key \"heart_rte\" | heartRate belongs under subject"
        ]
      ),
      (
        scenario("subject: { heart_rate: 66 bpm }"),
        ["3:12 unknown key \"heart_rate\" in subject | did you mean \"heartRate\"?"]
      ),
      (
        scenario("subject: { frameRate: 30 fps }"),
        ["3:12 unknown key \"frameRate\" in subject | frameRate belongs under camera"]
      ),
      (
        scenario().replacing("about: y", with: "about: \"y\\u202ez\""),
        ["2:8 about holds the control character \"\\u{202e}\" | take it out"]
      ),
      (scenario().replacing("about: y", with: "about: \"\u{1f469}\u{200d}\u{1f52c} \u{a0}\"\n"), []),
      (
        scenario("seed: 9223372036854775808"),
        ["3:7 seed must be a whole number of at most 9223372036854775807, not \"9223372036854775808\""]
      ),
      (scenario("seed: 1.0"), ["3:7 seed must be a whole number of at most 9223372036854775807, not \"1.0\""]),
      (scenario("subject: 66 bpm"), ["3:10 subject must be a block of keys | write \"key: value\""]),
      (scenario("tags: smoke"), ["3:7 tags must be a list | write [smoke]"]),
      (scenario("rules: { V01: V02 }"), ["3:8 rules must be a list | begin each item with \"- \""]),
      (scenario("? [a, b]\n: c"), ["3:3 a key must be a word"]),
      (scenario("tags: @x"), ["3:7 a value cannot begin with this character | put the text in quotes"]),
      (scenario("until: 25 h"), ["3:8 until must be 0 s to 24 h, not 25 h"]),
      (scenario("until: [5 s]"), ["3:8 until must be one value, not a list"]),
      (
        scenario().replacing("about: y", with: "about: \"  \""),
        ["2:8 about is empty | say in a sentence what the scenario shows"]
      ),
      (
        scenario().replacing("about: y", with: "about: y\u{202e}z"),
        ["2:9 the control character U+202E is not allowed | take it out"]
      ),
      (
        scenario().replacing("about: y", with: "about: y\rz"),
        ["2:9 the control character U+000D is not allowed | take it out"]
      ),
      ("%YAML 1.2\n---\n" + scenario(), ["1:1 a directive is not allowed | take the line out"]),
      (
        scenario(expect: "  - see: completed\n    after: call setAutoStart(true)"),
        ["7:12 the moment of a call is named without its argument | write \"call setAutoStart\""]
      ),
      (
        scenario(expect: "  - see: completed\n    after: contact is lost"),
        ["7:12 \"contact is lost\" is no moment | an event, a change of the world or \"call start\""]
      ),
      (
        scenario(expect: "  - see: completed\n    after: started#0"),
        ["7:12 \"#0\" is not the number of an occurrence | the first is #1, the second #2"]
      ),
      (
        scenario(expect: "  - result: { heartRate: +/- 2 bpm }"),
        ["6:26 a tolerance begins with \"±\" | write \"± 2 bpm\""]
      ),
      (
        scenario(expect: "  - see: cancelled()"),
        ["6:10 \"cancelled()\" is not written as it should be | write \"cancelled\""]
      ),
      (
        scenario(timeline: "  - { at: 0 s, call: setAutoStart() }"),
        ["4:22 \"setAutoStart()\" is not written as it should be | write \"setAutoStart(true)\""]
      ),
      (
        scenario("source: nothing/tabel"),
        ["3:9 unknown source \"nothing/tabel\" | did you mean \"nothing/table\"?"]
      ),
      (
        scenario("source: fire"),
        ["3:9 unknown source \"fire\" | known are finger, nothing/table and nothing/flicker"]
      ),
      (
        scenario("subject: { skin: iii }"),
        ["3:18 skin cannot be \"iii\" | did you mean \"III\"?"]
      ),
      (
        scenario("subject: { skin: pale }"),
        ["3:18 skin cannot be \"pale\" | known are I, II, III, IV, V and VI"]
      ),
      (
        scenario("subject: { tremor: -6 Hz, perfusionIndex: 0 % }"),
        [
          "3:20 a frequency cannot be negative",
          "3:43 perfusionIndex must be 0.02 % to 20 %, not 0 %",
        ]
      ),
      (
        scenario("camera: { clockDrift: -201 ppm, exposure: \u{2212}2.5 EV }"),
        [
          "3:23 clockDrift must be -200 ppm to 200 ppm, not -201 ppm",
          "3:43 exposure must be -2 EV to 2 EV, not \u{2212}2.5 EV",
        ]
      ),
      (
        scenario(timeline: "  - { at: 0 s, call: start, over: 2 s }\n  - { at: 1 s, contact: lost, over: 2 s }"),
        [
          "4:29 over goes with a setting that changes, and a call is none | take it out",
          "5:31 over goes with a setting that changes, and contact is a state | take it out",
        ]
      ),
      (
        scenario(
          timeline: "  - { at: 0 s, heartRate: 90 bpm, over: 0 s }\n  - { at: 1 s, heartRate: 300 bpm, over: 2 }"),
        [
          "4:41 over must be longer than no time",
          "5:27 heartRate must be 30 bpm to 220 bpm, not 300 bpm",
          "5:42 a time needs its unit | write \"2 s\"",
        ]
      ),
      (
        scenario(
          timeline: "  - { at: 0 s, heartRate: 90 bpm, over: 30 s, for: 20 s }\n"
            + "  - { at: 1 s, heartRate: 91 bpm, over: 30 s, for: 30 s }\n"
            + "  - { at: 2 s, heartRate: 91 bpm, contact: lost }"),
        [
          "4:52 the ramp takes 30 s, and for turns back after 20 s: before it is over | for must be longer than over",
          "5:52 the ramp takes 30 s, and for turns back after 30 s: before it is over | for must be longer than over",
          "6:35 an item does one thing, and contact is the second | write an item of its own",
        ]
      ),
      (
        scenario(
          timeline: "  - { at: 0 s, heartRat: 90 bpm }", expect: "  - { see: started, after: heartRate 90 bpm }"),
        [
          "4:16 unknown key \"heartRat\" in a timeline item | did you mean \"heartRate\"?",
          "6:28 the moment of a change of heartRate is named without its value | write \"heartRate\"",
        ]
      ),
      (
        scenario(expect: "  - { see: started, after: hartRate }"),
        ["6:28 unknown event or command \"hartRate\" | did you mean \"heartRate\"?"]
      ),
      // Contradictions: at the first setting that is written, at the change that makes one, each once.
      (
        scenario("subject: { heartRate: 200 bpm, rmssd: 80 ms }\ncamera: { frameRate: 15 fps }"),
        ["3:39 an rmssd of 80 ms is too much at 200 bpm | at most 75 ms"]
      ),
      (
        scenario(
          "subject: { rmssd: 80 ms, tremor: 8 Hz }\ncamera: { frameRate: 15 fps }",
          timeline: "  - { at: 0 s, heartRate: 200 bpm, over: 5 s }\n  - { at: 1 s, heartRate: 90 bpm }\n"
            + "  - { at: 2 s, exposure: 1 EV }"),
        [
          "3:34 a tremor of 8 Hz is above half the frame rate | at most 7.5 Hz",
          "6:27 an rmssd of 80 ms is too much at 200 bpm | at most 75 ms",
        ]
      ),
      (
        scenario("subject: { rmssd: 200 }", timeline: "  - { at: 0 s, heartRate: 220 bpm }"),
        ["3:19 an interval needs its unit | write \"200 ms\""]
      ),
      (
        scenario("subject: { rmssd: 200 ms, heartRate: 300 bpm }", timeline: "  - { at: 0 s, heartRate: 220 bpm }"),
        [
          "3:38 heartRate must be 30 bpm to 220 bpm, not 300 bpm",
          "5:27 an rmssd of 200 ms is too much at 220 bpm | at most 68 ms",
        ]
      ),
      (
        scenario(expect: "  - result: { heartRate: ± 100 bpm, rmssd: ± 1.1 s }"),
        ["6:44 a tolerance of 1100 ms lets everything pass | at most 1000 ms"]
      ),
    ] as [(String, [String])])
  func tells(text: String, expected: [String]) {
    #expect(mistakes(text) == expected)
  }

  /// A blank that is no space looks right in an editor. It is named, in place of what YAML makes of the line.
  @Test(
    arguments: [
      (scenario().replacing("name: x", with: "name:\u{a0}x"), ["1:6 U+00A0"]),
      (scenario("seed:\u{2003}1"), ["3:6 U+2003"]),
      (scenario("seed: \u{a0}\u{a0}1"), ["3:7 U+00A0"]),
      (scenario("subject:\n\u{a0}\u{a0}heartRate: 66 bpm"), ["4:1 U+00A0"]),
      (scenario("subject:\n  heartRate:\u{3000}66 bpm\nseed: x"), ["4:13 U+3000", "5:7 seed must be"]),
      (scenario(timeline: "  -\u{a0}at: 0 s\n    call: start"), ["4:4 U+00A0"]),
      (scenario(timeline: "  - { at:\u{200b}0 s,\u{a0}call: start }"), ["4:10 U+200B"]),
      (scenario("seed:\u{a0}1\ntags:\u{a0}[b]"), ["3:6 U+00A0", "4:6 U+00A0"]),
      // No reason to refuse a file, nor to be named for the mistake of another line.
      (scenario().replacing("about: y", with: "about: \"y:\u{a0}z\""), []),
      (scenario("seed: x").replacing("about: y", with: "about: \"y:\u{a0}z\""), ["3:7 seed must be"]),
    ] as [(String, [String])])
  func namesBlanksThatAreNoSpace(text: String, expected: [String]) {
    let told = mistakes(text).filter { !$0.contains(" has no ") && !$0.contains("does not say") }
    #expect(told.count == expected.count, "\(told)")
    for (told, expected) in zip(told, expected) {
      let (place, words) = (expected.prefix { $0 != " " }, expected.drop { $0 != " " }.dropFirst())
      #expect(told.hasPrefix(place + " ") && told.contains(words), "\(told)")
      #expect(words.hasPrefix("U+") == told.hasSuffix(" | write a space"), "\(told)")
    }
  }

  @Test func countsColumnsInCharacters() {
    #expect(mistakes(scenario("tags: [\"é🫀\", Z]")).map { $0.prefix(4) } == ["3:8 ", "3:14"])
  }

  @Test func theByteOrderMarkIsNoColumn() {
    #expect(mistakes("\u{feff}nme: x\nabout: y\n").first?.hasPrefix("1:1 unknown key") == true)
  }

  @Test(
    arguments: [
      (Array("name: x\0".utf8), "not a text file: it holds zero bytes"),
      ([0xff, 0xfe, 0x6e, 0], "the file is in UTF-16"), ([0xfe, 0xff, 0, 0x6e], "the file is in UTF-16"),
      ([0x6e, 0], "the file is in UTF-16"), ([0, 0x6e], "the file is in UTF-16"),
      ([0, 0, 0], "not a text file: it holds zero bytes"),
      (Array(repeating: UInt8(ascii: "#"), count: 1_000_001), "the file is larger than 1 MB"),
      (Array(repeating: UInt8(ascii: "#"), count: 1_000_000), "the file holds no scenario"),
      ([], "the file is empty"), ([0xef, 0xbb, 0xbf], "the file holds no scenario"),
      ([0xc0, 0x80], "not UTF-8: the byte 0xC0"), ([0xed, 0xa0, 0x80], "not UTF-8: the byte 0xED"),
      ([0xf4, 0x90, 0x80, 0x80], "not UTF-8: the byte 0xF4"), ([0xe2, 0x82], "not UTF-8: the byte 0xE2"),
      (Array("\n\n".utf8), "the file holds no scenario"),
      (Array("name: x\rabout: y\r".utf8), "the line ends are those of old Macs, a carriage return alone"),
      (Array("~".utf8), "the file holds no scenario"),
    ] as [([UInt8], String)])
  func refusesWhatIsNoScenarioAtAll(bytes: [UInt8], message: String) throws {
    let refusal = #expect(throws: ScenarioRefusal.self) { try parseScenario(bytes, vocabulary: fixture) }
    #expect(refusal?.diagnostics.map(\.message) == [message])
  }

  @Test func sortsByPlaceAndShowsAHundred() throws {
    let rules = (0..<250).map { "  - X\($0 + 1000)" }.joined(separator: "\n")
    let bytes = Array(scenario("rules:\n" + rules).utf8)
    let refusal = #expect(throws: ScenarioRefusal.self) { try parseScenario(bytes, vocabulary: fixture) }
    let diagnostics = try #require(refusal?.diagnostics)
    #expect(diagnostics.count == 250)
    #expect(diagnostics.map(\.mark) == diagnostics.map(\.mark).sorted())
    let text = render(diagnostics, file: "f", bytes: bytes)
    #expect(text.hasSuffix("\nand 150 more\n"))
    #expect(text.split(separator: "\n").count == 301)
  }

  @Test(
    arguments: [
      ("ab: c", 1, 1, 2, "write", "f:1:1: error: m\n    1 | ab: c\n      | ^^ write\n"),
      ("ab: c", 1, 5, 9, nil, "f:1:5: error: m\n    1 | ab: c\n      |     ^\n"),
      ("é漢c\u{301}: d", 1, 5, 1, nil, "f:1:5: error: m\n    1 | é漢c\u{301}: d\n      |     ^\n"),
      ("x\n\u{1b}[31m\ty", 2, 7, 1, nil, "f:2:7: error: m\n    2 | \u{fffd}[31m y\n      |       ^\n"),
      ("x", 7, 3, 1, "a", "f:7:3: error: m\n    7 |\n      | ^ a\n"),
      ("x", 1, 1, 0, "a", "f:1:1: error: m; a\n"),
      ("x", 1, 1, 0, nil, "f:1:1: error: m\n"),
      (
        String(repeating: "\n", count: 99_999) + "y", 100_000, 1, 1, nil,
        "f:100000:1: error: m\n100000 | y\n       | ^\n"
      ),
      (
        String(repeating: "a", count: 300), 1, 300, 1, nil,
        "f:1:300: error: m\n    1 | …\(String(repeating: "a", count: 100))\n      | \(String(repeating: " ", count: 100))^\n"
      ),
      (
        String(repeating: "a", count: 300), 1, 1, 300, nil,
        "f:1:1: error: m\n    1 | \(String(repeating: "a", count: 100))…\n      | \(String(repeating: "^", count: 100))\n"
      ),
    ] as [(String, Int, Int, Int, String?, String)])
  func shows(source: String, line: Int, column: Int, length: Int, advice: String?, expected: String) {
    let diagnostic = Diagnostic(
      mark: SourceMark(line: line, column: column), length: length, message: "m", advice: advice)
    #expect(render([diagnostic], file: "f", bytes: Array(source.utf8)) == expected)
  }

  @Test func showsNothingOfNothing() {
    #expect(render([], file: "f", bytes: []) == "")
  }
}
