import Foundation
import Testing

/// The commands that try the judges: `judge` on traces of any session, `mutants` and `rules` on a library.
@Suite struct JudgingTests {
  /// A reading whose finger is lifted, in a folder that `mutants` and `rules` find by themselves.
  private static let lifted = """
    name: lifted
    about: A lift of 6 s ends the attempt, and a shorter one does not.
    rules: [V25]
    timeline:
      - { at: 0 s, call: start }
      - { after: started, delay: 6 s, contact: lost, for: 1 s }
      - { after: started, delay: 12 s, contact: lost, for: 8 s }
      - { at: 40 s, call: stop }
    expect:
      - see: cancelled(contactLost)

    """

  private let program: Program

  init() throws {
    program = try Program()
    try program.write("scenarios/lifted.yaml", Self.lifted)
  }

  private func trace(editing edit: (String) -> String = { $0 }) throws -> String {
    #expect(try program.call("run", "scenarios", "--trace", "traces", "-p", "ios").exitCode == 0)
    return edit(try program.read("traces/lifted.ios.\(try seed()).jsonl"))
  }

  private func seed() throws -> String {
    let name = try #require(program.names.first { $0.hasPrefix("traces/lifted.ios.") })
    return name.split(separator: ".").dropFirst(2).first.map(String.init) ?? ""
  }

  @Test func aTraceIsJudgedByTheRules() throws {
    let text = try trace()
    try program.write("right", text)
    let right = try program.call("judge", "right")
    #expect(right.exitCode == 0 && right.error.isEmpty)
    #expect(right.output.hasPrefix("  passed  right  ios  55.0 s"), "\(right.output)")

    // Another engine's trace: without the truths nothing is invented.
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let bare = lines.filter { !$0.contains("\"truth\"") && !$0.contains("\"stimulus\"") }.joined(separator: "\n")
    try program.write("bare", bare.replacingOccurrences(of: "\"built-in\"", with: "\"acme 2\""))
    let other = try program.call("judge", "bare")
    #expect(other.exitCode == 0, "\(other.output)")
    #expect(other.output.contains("note: the engine is acme 2: rules of our own choice only warn"))

    // Without its `cancelled` the next start comes out of a reading.
    try program.write("broken", lines.filter { !$0.contains("\"event\":\"cancelled\"") }.joined(separator: "\n"))
    let broken = try program.call("judge", "broken", "right")
    #expect(broken.exitCode == 1)
    #expect(broken.output.contains("FAILED  broken") && broken.output.contains("V25"), "\(broken.output)")
    #expect(broken.output.contains("replay    vitals-sim judge broken\n"))
    #expect(broken.output.contains("1 passed, 1 failed"))

    try program.write("cut", String(text.dropLast(20)))
    let cut = try program.call("judge", "cut")
    #expect(cut.exitCode == 0 && cut.error.contains("warning: cut: ") && cut.error.contains("was cut off"))
  }

  @Test func aTraceIsJudgedByAScenario() throws {
    try program.write("t", try trace())
    #expect(try program.call("judge", "t", "--scenario", "scenarios/lifted.yaml").exitCode == 0)
    try program.write("other.yaml", Self.lifted.replacingOccurrences(of: "contactLost", with: "poorSignal"))
    let other = try program.call("judge", "t", "--scenario", "other.yaml", "--json", "-")
    #expect(other.exitCode == 1)
    #expect(other.output.hasPrefix("{") && other.output.contains("see cancelled(poorSignal)"))
    #expect(other.error.contains("other.yaml:10:5"), "\(other.error)")
    try program.write("android.yaml", Self.lifted + "platforms: [android]\n")
    let refusals = [
      (["t", "--scenario", "android.yaml"], "t is of ios, and android.yaml runs only on android"),
      (["t", "--scenario", "nowhere.yaml"], "there is no file or directory nowhere.yaml"),
      (["t", "--json", "t"], "it would take the place of t"),
    ]
    for (arguments, error) in refusals {
      let outcome = try program.call(["judge"] + arguments)
      #expect(outcome.exitCode == 2 && outcome.error.contains(error), "\(outcome.error)")
    }
  }

  @Test func whatIsNoTraceOfThisContractIsRefused() throws {
    let text = try trace()
    let edits = [
      ("\"ios\"", "\"beos\"", "of an unknown platform, beos"),
      ("\"contract\":\"vitals", "\"contract\":\"v", "of the contract v-reading"),
      ("{\"t\":40.000000,\"call\"", "{\"t\":1.000000,\"call\"", "it goes back in time, to 1.000 s"),
      ("{\"t\":40.000000,\"call\"", "{\"t\":604801.000000,\"call\"", "more than 7 days"),
    ]
    for (old, new, error) in edits {
      let edited = text.replacingOccurrences(of: old, with: new)
      #expect(edited != text, "\(old)")
      try program.write("edited", edited)
      let outcome = try program.call("judge", "edited")
      #expect(outcome.exitCode == 2 && !outcome.isCrash && outcome.output.isEmpty)
      #expect(outcome.error.contains(error), "\(outcome.error)")
    }
    let body = text.split(separator: "\n").dropFirst()
      .filter { !$0.contains("\"sample\"") && !$0.contains("\"timer\"") }.joined(separator: "\n")
    try program.write("golden", body + "\n")
    #expect(try program.call("judge", "golden").error.contains("is a golden and does not say its platform"))
  }

  /// Values that no engine would send are breaches at most.
  @Test func strangeValuesCrashNothing() throws {
    let text = try trace()
    let edits = [
      ("\"startProgress\":1.000", "\"startProgress\":-999999999999999"), ("\"ibiMs\":", "\"ibiMs\":9e15,\"x\":"),
      ("\"progress\":", "\"progress\":\"much\",\"x\":"), ("\"reason\":\"contactLost\"", "\"why\":\"contactLost\""),
      ("\"event\":\"preview\"", "\"event\":\"started\""), ("\"event\":\"started\"", "\"event\":\"completed\""),
      ("\"command\":\"torch\",\"on\":true", "\"command\":\"torch\""), ("\"call\":\"stop\"", "\"call\":\"explode\""),
      ("\"guidance\":\"compliant\"", "\"guidance\":\"\""), ("\"frameRateFps\":30.00", "\"frameRateFps\":-1.00"),
      ("\"state\":\"lost\"", "\"state\":7"),
    ]
    for (old, new) in edits {
      let edited = text.replacingOccurrences(of: old, with: new)
      #expect(edited != text, "\(old)")
      try program.write("edited", edited)
      let outcome = try program.call("judge", "edited")
      #expect([0, 1, 2].contains(outcome.exitCode) && !outcome.isCrash, "\(new): \(outcome.error)")
    }
  }

  @Test func mutantsAreKilledOrSurvive() throws {
    let killed = try program.call("mutants", "--only", "lift-of-7-s-allowed", "--only", "lift-of-1-s-cancels")
    #expect(killed.exitCode == 0 && killed.error.isEmpty)
    #expect(killed.output.contains("killed    lift-of-7-s-allowed  V25  by lifted (ios)\n"), "\(killed.output)")
    #expect(killed.output.contains("\n2 of 2 mutants killed (100 %)"))
    let survived = try program.call("mutants", "--only", "lift-of-1-s-cancels", "--only", "minute-of-50-s", "scenarios")
    #expect(survived.exitCode == 1)
    #expect(survived.output.contains("survived  minute-of-50-s       V10  50 s are taken"), "\(survived.output)")
    #expect(survived.output.contains("\n1 of 2 mutants killed (50.0 %)"))
    let list = try program.call("mutants", "--list").output
    #expect(list.contains("cancel-ignored") && list.contains(" decision, "))
  }

  /// What the built-in engine fails itself kills no mutant.
  @Test func aWrongScenarioKillsNothing() throws {
    try program.write("wrong.yaml", shortScenario("wrong", expect: "see: completed"))
    let outcome = try program.call("mutants", "wrong.yaml", "--only", "ninth-event")
    #expect(outcome.exitCode == 1 && outcome.output.hasPrefix("survived  ninth-event"), "\(outcome.output)")
    #expect(outcome.error.contains("the built-in engine fails 2 checks here, which kills nothing"), "\(outcome.error)")
  }

  @Test func rulesHaveJudgesAndOccasions() throws {
    let outcome = try program.call("rules")
    #expect(outcome.exitCode == 1, "one scenario does not exercise every rule")
    #expect(outcome.output.contains("V25  monitor     1 scenario   lifted\n"), "\(outcome.output)")
    #expect(outcome.output.contains("missing: V10 is exercised by no scenario\n"))
    try program.write("log", "✔ Test holdsFromAnyThread() passed after 0.001 seconds.\n")
    let tested = try program.call("rules", "--tests", "log")
    #expect(tested.exitCode == 1)
    #expect(tested.output.contains("which did not pass\n"), "\(tested.output)")
  }
}
