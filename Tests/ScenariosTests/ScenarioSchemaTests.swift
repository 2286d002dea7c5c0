import Foundation
import Scenarios
import Testing

/// What the schema says at a path of keys; nil where there is nothing.
private func schema(_ path: String...) throws -> Any? {
  var value: Any? = try JSONSerialization.jsonObject(with: Data(scenarioSchema(fixture).utf8))
  for key in path { value = (value as? [String: Any])?[key] }
  return value
}

/// Whether a pattern of the schema matches, in the way JSON Schema means it: anywhere, unless anchored.
private func matches(_ pattern: Any?, _ text: String) throws -> Bool {
  let pattern = try #require(pattern as? String)
  return try Regex(pattern).firstMatch(in: text) != nil
}

@Suite struct ScenarioSchemaTests {
  @Test func hasTheKeysOfAScenario() throws {
    let properties = try #require(try schema("properties") as? [String: Any])
    #expect(
      properties.keys.sorted() == [
        "about", "camera", "expect", "host", "name", "platforms", "rules", "seed", "source", "subject", "tags",
        "timeline", "until", "waive",
      ])
    #expect(try schema("required") as? [String] == ["name", "about", "timeline", "expect"])
    #expect(try schema("additionalProperties") as? Bool == false)
    #expect(try schema("$schema") as? String == "http://json-schema.org/draft-07/schema#")
  }

  @Test func tellsEditorsWhatTheVocabularySays() throws {
    let heartRate = try schema("properties", "subject", "properties", "heartRate", "description") as? String
    #expect(heartRate == "Mean heart rate. 30 bpm to 220 bpm, 66 bpm if left out.")
    let tremor = try schema("properties", "subject", "properties", "tremor", "description") as? String
    #expect(tremor == "Trembling. 4 Hz to 12 Hz, none if left out.")
    let skin = try schema("properties", "subject", "properties", "skin") as? [String: Any]
    #expect(skin?["enum"] as? [String] == ["I", "II", "III", "IV", "V", "VI"])
    #expect(skin?["description"] as? String == "Fitzpatrick. II if left out.")
    let sources = try #require(try schema("properties", "source", "anyOf") as? [[String: String]])
    #expect(sources.compactMap { $0["const"] } == ["finger", "nothing/table", "nothing/flicker"])
    let words = try #require(try schema("definitions", "effect", "anyOf") as? [[String: String]])
    #expect(words.contains(["const": "cancelled(contactLost)", "description": "The attempt was given up."]))
    #expect(words.contains(["const": "torch(off)", "description": "The light."]))
    #expect(words.contains(["const": "adjustFrameRate", "description": "A steady frame rate."]))
    let lifecycle = try #require(try schema("definitions", "lifecycleEvent", "anyOf") as? [[String: String]])
    #expect(lifecycle.compactMap { $0["const"] }.contains("started"))
    #expect(!lifecycle.compactMap { $0["const"] }.contains("guidance"))
    #expect(!lifecycle.compactMap { $0["const"] }.contains("torch"))
    let first = try schema("properties", "host", "properties", "permission", "enum") as? [String]
    #expect(first == ["granted", "declined", "blockedByPolicy"])
    let calls = try #require(
      try schema("definitions", "stimulus", "properties", "call", "anyOf") as? [[String: String]])
    #expect(
      calls.compactMap { $0["const"] } == [
        "start", "start(offMainThread)", "stop", "cancelReading", "setAutoStart(true)", "setAutoStart(false)",
      ])
    let answers = try schema("definitions", "expectation", "properties", "is", "enum") as? [String]
    #expect(answers == ["returned", "notActivated", "cameraPermissionDenied"])
  }

  /// An editor must not mark what the parser takes, nor take a wrong unit.
  @Test(arguments: [
    ("subject", "heartRate", "66 bpm", true), ("subject", "heartRate", "66.5bpm", true),
    ("subject", "heartRate", "66", false), ("subject", "heartRate", "66 ms", false),
    ("subject", "heartRate", "-66 bpm", false), ("subject", "rmssd", "40 ms", true),
    ("subject", "rmssd", "0.04 s", true),
    ("subject", "rmssd", "40 bpm", false), ("subject", "breathingRate", "14 /min", true),
    ("subject", "breathingRate", "14 min", false), ("subject", "perfusionIndex", "2 %", true),
    ("subject", "perfusionIndex", "2", false), ("camera", "openDelay", "1m30s", true),
    ("camera", "openDelay", "300 ms", true), ("camera", "openDelay", "0s", true), ("camera", "openDelay", "1.5m", true),
    ("camera", "openDelay", "1m 2s 3ms", true), ("camera", "openDelay", "", false), ("camera", "openDelay", "m", false),
    ("camera", "openDelay", "1s1m", false), ("camera", "openDelay", "1M", false), ("camera", "openDelay", "5", false),
    ("camera", "clockDrift", "-20 ppm", true), ("camera", "clockDrift", "\u{2212}20.5ppm", true),
    ("camera", "clockDrift", "+20 ppm", true), ("camera", "clockDrift", "--20 ppm", false),
    ("camera", "clockDrift", "- 20 ppm", false), ("camera", "frameRate", "29.97 fps", true),
    ("subject", "tremor", "-6 Hz", false),
  ])
  func knowsTheUnits(section: String, field: String, text: String, isRight: Bool) throws {
    let pattern = try schema("properties", section, "properties", field, "pattern")
    #expect(try matches(pattern, text) == isRight)
    let word = try #require(fixture.sections.first { $0.name == section }?.fields.first { $0.name == field })
    let read = try? word.quantity.value(text, canBeNegative: word.range.lowerBound < 0)
    #expect((read != nil) == isRight)
  }

  @Test(arguments: [
    ("moment", "started#2", true), ("moment", "cancelled(contactLost)#2", true), ("moment", "contact lost#3", true),
    ("moment", "call stop#1", true), ("moment", "started#0", false), ("moment", "cancelled(other)#2", false),
    ("moment", "contact gone#2", false), ("moment", "call halt#2", false), ("moment", "started #2", false),
    ("moment", "torch(off)#2", true), ("moment", "adjustFrameRate#3", true), ("moment", "torch(dim)#2", false),
    ("callOccurrence", "start#2", true), ("callOccurrence", "start(offMainThread)#2", false),
    ("eventOccurrence", "started#12", true), ("eventOccurrence", "torch(off)#2", false),
    ("eventOccurrence", "contact lost#2", false), ("moment", "heartRate#2", true), ("moment", "rmssd#2", false),
    ("eventOccurrence", "heartRate#2", false),
  ])
  func knowsOccurrences(definition: String, text: String, isRight: Bool) throws {
    let alternatives = try #require(try schema("definitions", definition, "anyOf") as? [[String: Any]])
    let pattern = alternatives.compactMap { $0["pattern"] }.first
    #expect(try matches(pattern, text) == isRight)
  }

  @Test(arguments: [
    "x", "a-b-2", "2", "", "-a", "a-", "a--b", "A", "a_b", "a b", "é", "a.b", String(repeating: "a", count: 80),
    String(repeating: "a", count: 81), String(repeating: "a-", count: 40) + "a",
  ])
  func knowsNames(name: String) throws {
    let isRight = mistakes(scenario().replacing("name: x", with: "name: \"\(name)\"")).isEmpty
    #expect(try matches(try schema("properties", "name", "pattern"), name) == isRight)
    let tags = try schema("properties", "tags", "items", "pattern")
    #expect(try matches(tags, name) == mistakes(scenario("tags: [\"\(name)\"]")).isEmpty)
  }

  @Test(arguments: [
    "ticket 12", " ticket 12", "", "  ", "a\\nb", "\\n", String(repeating: "a", count: 200),
    String(repeating: "a", count: 201),
  ])
  func knowsReasons(reason: String) throws {
    let isRight = mistakes(scenario("waive: { V24: \"\(reason)\" }")).isEmpty
    let text = reason.replacing("\\n", with: "\n")
    let rule = try #require(try schema("properties", "waive", "additionalProperties") as? [String: Any])
    let most = try #require(rule["maxLength"] as? Int)
    #expect(try (matches(rule["pattern"], text) && text.count <= most) == isRight)
  }

  @Test(arguments: [
    ("heartRate", "66 bpm ± 0.05 bpm", true), ("heartRate", "66 ± 0.05 bpm", true), ("heartRate", "66±1bpm", true),
    ("heartRate", "66 bpm +- 1 bpm", true), ("heartRate", "66 bpm ± 1", false), ("heartRate", "66 bpm", false),
    ("heartRate", "± 1 bpm", false), ("heartRate", "66 ms ± 1 bpm", false), ("beats", "66 ± 1", true),
    ("beats", "66 beats ± 1", false), ("rmssd", "0.04 s ± 1 ms", true),
  ])
  func knowsTruths(measure: String, text: String, isRight: Bool) throws {
    let pattern = try schema(
      "definitions", "expectation", "properties", "truth", "properties", measure, "pattern")
    #expect(try matches(pattern, text) == isRight)
    #expect(mistakes(scenario(expect: "  - truth: { \(measure): \(text) }")).isEmpty == isRight)
  }

  @Test(arguments: [
    ("heartRate", "± 2 bpm", true), ("heartRate", "+-2.5bpm", true), ("heartRate", "± 2", false),
    ("heartRate", "2 bpm", false), ("heartRate", "withheld", true), ("heartRate", "± 2 bpm or withheld", true),
    ("heartRate", "+-2bpm  or  withheld", true), ("heartRate", "± 2 bpmor withheld", false),
    ("heartRate", "± 2 or withheld", false), ("heartRate", "± 2 bpm or witheld", false),
    ("heartRate", "± 2 bpm withheld", false), ("heartRate", "± 2 bpm or", false), ("heartRate", "or withheld", false),
    ("heartRate", "withheld or ± 2 bpm", false), ("heartRate", "Withheld", false),
    ("heartRate", "± 2 bpm or withheld or withheld", false), ("rmssd", "± 0.01 s or withheld", true),
    ("breathingRate", "± 2 /min or withheld", true), ("breathingRate", "± 2 bpm or withheld", false),
  ])
  func knowsDemands(measure: String, text: String, isRight: Bool) throws {
    let pattern = try schema(
      "definitions", "expectation", "properties", "result", "properties", measure, "pattern")
    #expect(try matches(pattern, text) == isRight)
    #expect(mistakes(scenario(expect: "  - result: { \(measure): \(text) }")).isEmpty == isRight)
  }

  @Test func knowsWhatMayChange() throws {
    let keys = try #require(try schema("definitions", "stimulus", "properties") as? [String: Any])
    #expect(
      ["contact", "heartRate", "perfusionIndex", "exposure", "over", "for"].allSatisfy { keys[$0] != nil }
        && keys["rmssd"] == nil)
    let pattern = try schema("definitions", "stimulus", "properties", "exposure", "pattern")
    #expect(try matches(pattern, "-1 EV"))
    let over = try #require(try schema("definitions", "stimulus", "dependencies", "over", "anyOf") as? [[String: Any]])
    #expect(over.compactMap { ($0["required"] as? [String])?.first } == ["heartRate", "perfusionIndex", "exposure"])
  }

  @Test func isTheSameTextEachTime() {
    #expect(scenarioSchema(fixture) == scenarioSchema(fixture))
    #expect(scenarioSchema(fixture).hasSuffix("}\n"))
  }

  @Test func aContractWithoutAResultHasNoResultForm() throws {
    let bare = Vocabulary(
      platforms: ["any"], rules: [], calls: [CallWord("go", about: "Say \"go\"\\now.\u{7}")],
      events: [EventWord("gone", about: "It went.")], world: [],
      sections: [
        SectionWord("lab", about: "", fields: [FieldWord("gain", .number, in: 0.5...8, standard: 1, about: "Gain.")])
      ], result: nil)
    let text = scenarioSchema(bare)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(object.count == 7)
    #expect(!text.contains("\"result\"") && !text.contains("\"over\"") && !text.contains("\"source\""))
    #expect(text.contains("\"minimum\": 0.5"))
  }
}
