import Testing

@testable import Scenarios

private let text = """
  name: a
  about: b
  subject:
    heartRate: 66 bpm
    rmssd: 30 ms
  timeline:
    - at: 0 s
      call: start
  expect:
    - never: failed

  """

@Suite struct SettingOverrideTests {
  /// The settings that come of overrides, or the mistakes in them.
  private func check(_ overrides: [String], _ yaml: String = text) -> String {
    do {
      var parsed: [SettingOverride] = []
      for override in overrides { parsed.append(try SettingOverride(override, vocabulary: fixture)) }
      let scenario = try parseScenario(Array(yaml.utf8), vocabulary: fixture, overriding: parsed)
      let heartRate = scenario.settings["subject", "heartRate"] ?? -1
      let rmssd = scenario.settings["subject", "rmssd"] ?? -1
      let permission = scenario.settings[state: "permission"] ?? "-"
      return "\(Int(heartRate)) \(Int(rmssd)) \(permission)"
    } catch let refusal as ScenarioRefusal {
      return refusal.diagnostics.map { mistake in
        "\(mistake.override.map { "override \($0)" } ?? "line \(mistake.mark.line)"): \(mistake.message) | "
          + (mistake.advice ?? "")
      }.joined(separator: "\n")
    } catch let mistake as SettingOverrideMistake {
      return "\(mistake.message) | \(mistake.advice ?? "")"
    } catch {
      return "\(error)"
    }
  }

  @Test func valuesTakeThePlaceOfTheFiles() {
    let rows: [(overrides: [String], expected: String)] = [
      ([], "66 30 -"),
      (["subject.heartRate=72 bpm"], "72 30 -"), (["subject.heartRate=72bpm"], "72 30 -"),
      ([" subject . heartRate = 72 bpm "], "72 30 -"),
      (["subject.heartRate=72 bpm", "subject.rmssd=5 ms"], "72 5 -"),
      // The later of two counts.
      (["subject.heartRate=72 bpm", "subject.heartRate=80 bpm"], "80 30 -"),
      (["host.permission=declined"], "66 30 declined"),
      (["subject.heartRate=300 bpm"], "override 0: heartRate must be 30 bpm to 220 bpm, not 300 bpm | "),
      (["subject.rmssd=5 ms", "subject.heartRate=72"], "override 1: a heart rate needs its unit | write \"72 bpm\""),
      (["subject.heartRate="], "override 0: a heart rate is missing | for instance \"66 bpm\""),
      (
        ["subject.hartRate=70 bpm"],
        "override 0: unknown key \"hartRate\" in subject | did you mean \"heartRate\"?"
      ),
      (["camra.frameRate=30 fps"], "unknown section \"camra\" | did you mean \"camera\"?"),
      (["heartRate=72 bpm"], "write SECTION.FIELD=VALUE | did you mean subject.heartRate=…?"),
      (["subject.heartRate"], "write SECTION.FIELD=VALUE | for instance \"subject.heartRate=66 bpm\""),
      ([""], "write SECTION.FIELD=VALUE | for instance \"subject.heartRate=66 bpm\""),
      (["subject.=3"], "write SECTION.FIELD=VALUE | for instance \"subject.heartRate=66 bpm\""),
    ]
    for row in rows { #expect(check(row.overrides) == row.expected, "\(row.overrides)") }
  }

  @Test func mistakesOfTheFileAreToldToo() {
    let wrong = text.replacing("30 ms", with: "30")
    #expect(
      check(["subject.heartRate=1 bpm"], wrong) == """
        override 0: heartRate must be 30 bpm to 220 bpm, not 1 bpm | 
        line 5: an interval needs its unit | write "30 ms"
        """)
    // One that is replaced is none.
    #expect(check(["subject.rmssd=5 ms"], wrong) == "66 5 -")
    #expect(
      check(["subject.rmssd=5 ms"], text.replacing("\n  heartRate: 66 bpm\n  rmssd: 30 ms", with: " x")).hasPrefix(
        "line 3"))
    #expect(
      check(["subject.rmssd=5 ms"], text.replacing("\n  heartRate: 66 bpm\n  rmssd: 30 ms", with: "")) == "66 5 -")
  }

  @Test func aKeyOfTheScenarioItselfIsReadByItsRules() {
    let key = SettingOverride(key: "until", value: "never")
    #expect(throws: ScenarioRefusal.self) {
      try parseScenario(Array(text.utf8), vocabulary: fixture, overriding: [key])
    }
  }
}
