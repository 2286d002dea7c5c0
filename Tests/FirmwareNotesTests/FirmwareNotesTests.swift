import OximeterProtocols
import Testing

@Test func everyExampleOfEveryPageDecodesToWhatItSays() throws {
  let pages = try NotePage.all()
  for fault in pages.flatMap({ $0.faults() }) { Issue.record("\(fault)") }
  let devices = pages.flatMap { $0.examples().examples }.map(\.device)
  #expect(OximeterProtocol.allCases.filter { !devices.contains($0) } == [], "every protocol has examples")
}

@Test func everyPageTellsTheLineSettingsOfItsProtocols() throws {
  for page in try NotePage.all() {
    for device in Set(page.examples().examples.map(\.device)) {
      for settings in device.lineSettings {
        #expect(page.lines.contains { $0.contains(settings.text) }, "\(page.name) lacks \(settings.text)")
      }
    }
  }
}

@Test func theIndexLeadsToEveryPageAndProtocol() throws {
  let index = try NotePage.named("README.md").lines.joined(separator: "\n")
  let pages = try NotePage.all().map { "(\($0.name))" }
  let devices = OximeterProtocol.allCases.map { "`\($0.rawValue)`" }
  let missing = (pages + devices).filter { !index.contains($0) }
  #expect(missing == [])
}

/// A page that says what is not so is refused, with its line.
@Test func mistakesAreToldWithTheirLine() {
  let good = "88 40 07 48 62"
  let decoded = "pulse rate 72, SpO2 98, strength 8, pleth 64"
  func check(_ text: String, _ faults: [String], at line: UInt = #line) {
    let found = NotePage(name: "page.md", text: text).faults().map { "\($0.line): \($0.message)" }
    #expect(
      found == faults, sourceLocation: SourceLocation(fileID: #fileID, filePath: #filePath, line: Int(line), column: 1))
  }
  func block(_ lines: String...) -> String {
    (["# Title", "```bytes contec-v5"] + lines + ["```"]).joined(separator: "\n")
  }
  check(block("\(good) -> \(decoded)"), [])
  check(block("# a comment", "", "88 40 07", "48 62 -> \(decoded)"), [])
  check(block("C8 40 07 48 62 -> \(decoded), beat"), [])
  check(block("\"nonsense\" FF -> nothing"), [])
  check(block(good, "-> pulse rate 72, SpO2 98", "-> strength 8, pleth 64", "FF -> nothing"), [])
  // What is said is not so, or not all is said.
  check(
    block("\(good) -> pulse rate 71, SpO2 98, strength 8, pleth 64"),
    [
      "3: gives \(decoded), not pulse rate 71, SpO2 98, strength 8, pleth 64"
    ])
  check(
    block("\(good) -> pulse rate 72, SpO2 98, pleth 64"),
    [
      "3: gives \(decoded), not pulse rate 72, SpO2 98, pleth 64"
    ])
  check(block("\(good) -> \(decoded), beat"), ["3: gives \(decoded), not \(decoded), beat"])
  check(
    block("\(good) -> \(decoded), searching"),
    [
      "3: gives \(decoded), not pulse rate 72, SpO2 98, strength 8, searching, pleth 64"
    ])
  check(block("\(good) -> nothing"), ["3: gives \(decoded), not nothing"])
  check(block("00 11 -> \(decoded)"), ["3: gives nothing, not \(decoded)"])
  // What is said cannot be understood.
  check(block("\(good) -> pulse 72"), ["1: the page has no example", "3: unknown words \"pulse 72\""])
  check(block("\(good) -> \(decoded)", "\(good) -> pulse rate 72"), ["4: a reading has a SpO2, which may be none"])
  check(
    block("\(good) -> \(decoded)", "\(good) -> \(decoded), pleth 64"),
    [
      "4: something is said twice in \"\(decoded), pleth 64\""
    ])
  check(block("\(good) -> \(decoded)", "8 40 -> nothing"), ["4: 8 is not a byte in hexadecimal"])
  check(block("\(good) -> \(decoded)", "\"text -> nothing"), ["4: the text has no closing quote"])
  check(block("-> nothing", "\(good) -> \(decoded)"), ["3: there are no bytes before ->"])
  check(block("\(good) -> \(decoded)", "-> nothing", "\(good) -> \(decoded)"), ["3: unknown words \"nothing\""])
  check(block("\(good) -> \(decoded)", good), ["5: the example has no ->"])
  check(block("\(good) -> \(decoded)", "host: F5 F5 -> sing"), ["4: contec-v5 has no command \"sing\""])
  // A page without examples, or with those of nobody.
  check("# Title", ["1: the page has no example"])
  check("```\n\(good) -> \(decoded)\n```", ["1: the page has no example"])
  check(
    "```bytes contec\n\(good) -> \(decoded)\n```",
    [
      "1: write a protocol after \"bytes\": \(OximeterProtocol.allCases.map(\.rawValue))", "1: the page has no example",
    ])
  check("```bytes contec-v5\n\(good) -> \(decoded)", ["1: the block has no end", "1: the page has no example"])
}
