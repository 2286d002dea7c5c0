import Testing
import Traces
import VitalsModel

@Suite("A trace's text")
struct TraceTextTests {
  static let lines: [(TraceItem, String)] = [
    (.call(id: 1, Message("start")), #"{"t":1.500000,"call":"start","id":1}"#),
    (
      .call(id: 2, Message("setAutoStart", [Field("enabled", .flag(false))])),
      #"{"t":1.500000,"call":"setAutoStart","id":2,"enabled":false}"#
    ),
    (.reply(id: 1, .returned), #"{"t":1.500000,"reply":"returned","id":1}"#),
    (
      .reply(id: 2, .threw(Message("internalError", [Field("message", .text("started twice"))]))),
      #"{"t":1.500000,"reply":"threw","id":2,"error":"internalError","message":"started twice"}"#
    ),
    (.notice(Message("cameraOpened")), #"{"t":1.500000,"notice":"cameraOpened"}"#),
    (
      .sample(captured: Instant(microseconds: 1_466_667), values: [200, 30.125, 0.00001]),
      #"{"t":1.500000,"sample":[200.0,30.125,1e-05],"captured":1.466667}"#
    ),
    (.sample(captured: .zero, values: []), #"{"t":1.500000,"sample":[],"captured":0.000000}"#),
    (.capture([0x01, 0xe0, 0x84]), #"{"t":1.500000,"capture":"01e084"}"#),
    (.capture([]), #"{"t":1.500000,"capture":""}"#),
    (
      .reference(Message("reading", [Field("pulseRateBpm", .integer(72)), Field("flags", .text("searching"))])),
      #"{"t":1.500000,"reference":"reading","pulseRateBpm":72,"flags":"searching"}"#
    ),
    (.timer, #"{"t":1.500000,"timer":true}"#),
    (
      .event(Message("preview", [Field("progress", .number(1 / 60, places: 6)), Field("heartRateBpm", .integer(66))])),
      #"{"t":1.500000,"event":"preview","progress":0.016667,"heartRateBpm":66}"#
    ),
    (.command(Message("torch", [Field("on", .flag(true))])), #"{"t":1.500000,"command":"torch","on":true}"#),
    (
      .stimulus(Message("contact", [Field("state", .text("lost"))])),
      #"{"t":1.500000,"stimulus":"contact","state":"lost"}"#
    ),
    (
      .truth(Message("beats", [Field("window", .object([Field("from", .fixed(units: -5, places: 1))]))])),
      #"{"t":1.500000,"truth":"beats","window":{"from":-0.5}}"#
    ),
    (.truth(Message("nothing", [Field("inside", .object([]))])), #"{"t":1.500000,"truth":"nothing","inside":{}}"#),
    (.event(Message("")), #"{"t":1.500000,"event":""}"#),
  ]

  @Test("Each kind of entry has its form", arguments: lines)
  func form(_ item: TraceItem, _ expected: String) {
    #expect(TraceText.line(TraceEntry(at: Instant(microseconds: 1_500_000), item)) == expected)
  }

  static let values: [(FieldValue, String)] = [
    (.text("plain"), #""plain""#),
    (.text("a \"quoted\" back\\slash"), #""a \"quoted\" back\\slash""#),
    (.text("line\nreturn\rtab\tbell\u{7}nul\u{0}"), #""line\nreturn\rtab\tbell\u0007nul\u0000""#),
    (.text("Müller 心 🫀\u{2028}/"), "\"Müller 心 🫀\u{2028}/\""),
    (.integer(0), "0"),
    (.integer(.max), "9223372036854775807"),
    (.integer(.min), "-9223372036854775808"),
    (.fixed(units: 6610, places: 2), "66.10"),
    (.fixed(units: 0, places: 3), "0.000"),
    (.fixed(units: 7, places: 9), "0.000000007"),
    (.fixed(units: -999, places: 3), "-0.999"),
    (.fixed(units: .min, places: 1), "-922337203685477580.8"),
    (.number(66.25, places: 1), "66.3"),
    (.number(-0.2, places: 0), "0"),
    (.number(65.5, places: 0), "66"),
    (.flag(true), "true"),
  ]

  @Test("Each kind of value has its form", arguments: values)
  func value(_ value: FieldValue, _ expected: String) {
    let entry = TraceEntry(at: .zero, .truth(Message("x", [Field("value", value)])))
    #expect(TraceText.line(entry) == #"{"t":0.000000,"truth":"x","value":"# + expected + "}")
  }

  @Test("A number without decimals is an integer, as which it reads back")
  func wholeNumber() {
    #expect(FieldValue.number(65.6, places: 0) == .integer(66))
  }

  @Test("Moments have six decimals", arguments: [(0, "0.000000"), (-1, "-0.000001"), (86_400_000_000, "86400.000000")])
  func moment(_ microseconds: Int64, _ expected: String) {
    let entry = TraceEntry(at: Instant(microseconds: microseconds), .timer)
    #expect(TraceText.line(entry) == #"{"t":\#(expected),"timer":true}"#)
  }

  @Test("The header names the run")
  func header() {
    let header = TraceHeader(
      tool: "vitals-sim 1.0", contract: "reading", scenario: "contact-lost", platform: "ios", seed: .max,
      engine: "built-in", channels: ["red", "green", "blue"], further: [Field("device", .text("bench 3"))])
    #expect(
      TraceText.line(header)
        == #"{"format":"vitals-sim trace","version":1,"tool":"vitals-sim 1.0","contract":"reading","#
        + #""scenario":"contact-lost","platform":"ios","seed":18446744073709551615,"engine":"built-in","#
        + #""channels":["red","green","blue"],"device":"bench 3"}"#)
  }

  @Test("The body leaves samples and timers out and ends each line")
  func body() {
    let entries = [
      TraceEntry(at: .zero, .call(id: 1, Message("start"))),
      TraceEntry(at: .zero, .sample(captured: .zero, values: [1, 2, 3])),
      TraceEntry(at: .zero, .timer),
      TraceEntry(at: .zero, .event(Message("started"))),
    ]
    let expected = """
      {"t":0.000000,"call":"start","id":1}
      {"t":0.000000,"event":"started"}

      """
    #expect(String(decoding: TraceText.body(entries), as: UTF8.self) == expected)
    #expect(TraceText.body([]) == [])
  }

  /// The published test vectors of FNV-1a, 64 bits.
  @Test(
    "The hash is FNV-1a",
    arguments: [
      ("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8"),
    ])
  func hash(_ text: String, _ expected: String) {
    #expect(TraceText.hash(of: Array(text.utf8)) == expected)
  }
}
