import ReadingContract
import ReadingSession
import ReadingSimulation
import Scenarios
import Simulation
import Testing
import Traces
import VitalsModel

@testable import Mutants

/// Each family of faults changes what it says and leaves the rest alone: a mutant that equals the engine would be
/// killed by nothing.
@Suite struct FaultTests {
  /// A session in 20 s: a reading that the app cancels, an interruption, and a stop.
  private static let timeline = """
    name: a
    about: b
    until: 20 s
    timeline:
      - { at: 0 s, call: start }
      - { after: started, delay: 4 s, call: cancelReading }
      - { after: cancelled, delay: 2 s, phoneCall: ongoing, for: 3 s }
      - { at: 18 s, call: stop }
    expect:
      - never: failed
    """

  /// What happened: the events, commands and replies with their times.
  private struct Told {
    let lines: [(at: Double, text: String)]

    func count(_ text: String) -> Int { lines.count { $0.text.hasPrefix(text) } }
    func times(_ text: String) -> [Double] { lines.filter { $0.text.hasPrefix(text) }.map(\.at) }
    var texts: [String] { lines.map(\.text) }
  }

  private static func run(on platform: Platform = .ios, _ spoil: (inout Fault) -> Void) throws -> Told {
    var fault = Fault(platform: platform)
    spoil(&fault)
    let session = BrokenSession(fault)
    return try told(on: platform) { _ in session }
  }

  private static func told<Session: SessionUnderTest<FrameSample>>(
    on platform: Platform, _ session: (Platform) -> Session
  ) throws -> Told {
    let vocabulary = readingContract.vocabulary
    let scenario = try parseScenario(Array(timeline.utf8), vocabulary: vocabulary)
    let trace = runReading(
      scenario, vocabulary: vocabulary, platform: platform.rawValue, seed: 1, source: .synthetic, keepsInputs: false,
      session: session)
    return Told(
      lines: trace.compactMap { entry in
        switch entry.item {
        case .event(let event): (entry.at.seconds, event.text)
        case .command(let command): (entry.at.seconds, command.text)
        case .reply(let id, .returned): (entry.at.seconds, "returned \(id)")
        case .reply(let id, .threw(let error)): (entry.at.seconds, "threw \(id) \(error.name)")
        case .call, .notice, .sample, .capture, .reference, .timer, .stimulus, .truth: nil
        }
      })
  }

  private static let right = Result { try told(on: .ios) { EngineSession(platform: $0) } }

  @Test func withoutAFaultItIsTheEngine() throws {
    for platform in Platform.allCases {
      let engine = try Self.told(on: platform) { EngineSession(platform: $0) }
      let broken = try Self.run(on: platform) { _ in }
      #expect(engine.texts == broken.texts)
      #expect(engine.lines.map(\.at) == broken.lines.map(\.at))
      #expect(engine.count("started") == (platform == .ios ? 1 : 2) && engine.count("cancelled") == 1)
    }
  }

  @Test func inputsAreLostLateOrOthers() throws {
    let right = try Self.right.get()
    #expect(right.count("cancelled") == 1)
    let deaf = try Self.run { $0.ignores { input, _ in input.isCall("cancelReading") } }
    #expect(deaf.count("cancelled reason cancelledByApp") == 0)
    // The caller cannot tell.
    #expect(deaf.texts.filter { $0.hasPrefix("returned") } == right.texts.filter { $0.hasPrefix("returned") })

    let late = try Self.run { $0.hearsLate(by: .milliseconds(500)) { input, _ in input.isCall("cancelReading") } }
    let (was, now) = (right.times("cancelled"), late.times("cancelled"))
    #expect(now.first.map { ($0 - (was.first ?? 0)) } == 0.5)
    #expect(late.times("returned 2") == right.times("returned 2"))

    let blind = try Self.run { $0.sees { _, _ in nil } }
    #expect(blind.count("guidance") == 0)
    let dark = try Self.run { $0.sees { frame, _ in FrameSample(captured: frame.captured, red: 9, green: 9, blue: 9) } }
    #expect(dark.count("guidance guidance noContact") > 10)
    #expect(dark.count("guidance guidance compliant") == 0)
  }

  @Test func callsAreAnsweredOrEndIt() throws {
    let answered = try Self.run {
      $0.hears = { input, _ in
        guard let id = input.callID, input.isCall("cancelReading") else { return .asIs }
        return .answered([.cancelled("poorSignal"), .reply(id: id, .returned)])
      }
    }
    #expect(answered.count("cancelled reason poorSignal") == 1)
    #expect(answered.count("preview") > 3)

    let over = try Self.run {
      $0.hears = { input, _ in
        guard let id = input.callID, input.isCall("cancelReading") else { return .asIs }
        return .over([.failed("internalError"), .reply(id: id, .returned)])
      }
    }
    #expect(over.texts.suffix(3) == ["failed error internalError", "returned 2", "returned 3"])

    let renewed = try Self.run {
      $0.hears = { input, _ in input.isCall("cancelReading") ? .renewed([.ownCall("start")]) : .asIs }
    }
    #expect(renewed.count("camera on true") == 2 && renewed.count("cancelled") == 0)
  }

  @Test func wordsAreLeftOutDoubledChangedLateOrReordered() throws {
    let right = try Self.right.get()
    let omitted = try Self.run { $0.omits { effect, _ in effect.isCommand("torch", on: false) } }
    #expect(omitted.texts == right.texts.filter { $0 != "torch on false" } && omitted.texts != right.texts)

    let doubled = try Self.run { $0.doubles { effect, _ in effect.isEvent("started") } }
    #expect(doubled.count("started") == 2 * right.count("started"))

    let changed = try Self.run { $0.tells("heartbeat") { $1.phase == .measuring ? $0.with("ibiMs", nil) : $0 } }
    #expect(changed.count("heartbeat ibiMs") == 0 && right.count("heartbeat ibiMs") > 0)
    #expect(changed.count("heartbeat") == right.count("heartbeat"))
    let silent = try Self.run { $0.tells("heartbeat") { _, _ in nil } }
    #expect(silent.count("heartbeat") == 0 && silent.count("preview") == right.count("preview"))

    let late = try Self.run { $0.delays(by: .milliseconds(300)) { effect, _ in effect.isEvent("started") } }
    #expect(zip(late.times("started"), right.times("started")).allSatisfy { ($0 - $1 - 0.3).magnitude < 1e-6 })
    // The app's next call waits for `started`, so the attempt may go on a little longer.
    #expect(late.times("preview").prefix(4) == right.times("preview").prefix(4))

    let reordered = try Self.run {
      $0.orders = { effects, _ in effects.contains { $0.isEvent("started") } ? effects.reversed() : effects }
    }
    #expect(reordered.texts != right.texts && reordered.texts.sorted() == right.texts.sorted())
  }

  @Test func timersAndClocksAreWrong() throws {
    let right = try Self.right.get()
    let first = try #require(right.times("started").first)
    let never = try Self.run { $0.wakes = { _, _ in nil } }
    #expect(never.count("guidance") == 0)
    let late = try Self.run { $0.wakes = { due, _ in due + .milliseconds(500) } }
    #expect(try #require(late.times("guidance").first) - right.times("guidance")[0] == 0.5)
    let quick = try Self.run { $0.timing.steady = .seconds(1) }
    #expect(try #require(quick.times("started").first) < first)
    let fast = try Self.run { $0.clock = .speed(1.25) }
    #expect(try #require(fast.times("started").first) < first)
    let byFrames = try Self.run { $0.clock = .frames }
    let gaps = zip(byFrames.times("guidance"), byFrames.times("guidance").dropFirst()).map { $1 - $0 }
    #expect(gaps.allSatisfy { (0.9...8.1).contains($0) } && byFrames.times("guidance") != right.times("guidance"))

    let ringing = try Self.run {
      $0.alarm = { past in past.rungAt == nil && past.phase == .positioning ? .zero + .seconds(1) : nil }
      $0.rings = { _ in [.guidance("frameDrop")] }
    }
    #expect(ringing.times("guidance guidance frameDrop") == [1])
    #expect(ringing.count("guidance") == right.count("guidance") + 1)
    let failing = try Self.run {
      $0.alarm = { past in past.phase == .positioning ? .zero + .seconds(2) : nil }
      $0.rings = { _ in [.failed("cameraUnavailable")] }
    }
    #expect(failing.texts.last == "returned 3" || failing.texts.last == "returned 2")
    #expect(failing.count("failed") == 1 && failing.count("started") == 0)
  }

  @Test func twinsAndProfilesAreWrong() throws {
    let right = try Self.right.get()
    let twins = try Self.run { $0.hasTwin = true }
    #expect(twins.count("started") == 2 * right.count("started"))
    #expect(twins.count("camera") == right.count("camera") && twins.count("returned") == right.count("returned"))
    let android = try Self.run { $0.profile = .android }
    #expect(android.count("torch on false") < right.count("torch on false"), "a call is no interruption there")
  }
}

extension Message {
  /// `preview progress 0.1 ...`, as far as these tests look.
  fileprivate var text: String {
    ([name]
      + fields.map { field in
        switch field.value {
        case .text(let text): "\(field.key) \(text)"
        case .flag(let flag): "\(field.key) \(flag)"
        case .integer, .fixed, .object: field.key
        }
      }).joined(separator: " ")
  }
}
