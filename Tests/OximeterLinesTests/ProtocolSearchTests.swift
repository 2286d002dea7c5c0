import OximeterProtocols
import Testing
import VitalsModel

@testable import OximeterLines

/// A device on a port, as a search finds it.
struct SearchedDevice {
  var speaks: OximeterProtocol?
  /// Nil on a pseudo-terminal, which has no speed.
  var settings: LineSettings?
  var finger = DeviceStream.Finger.steady
  var noise: [UInt8] = []
  var answers: [UInt8: [UInt8]] = [:]
  /// What a bridge still holds, read with the settings before, where these are not the first.
  var leftover: [UInt8] = []

  /// What it sends after its line was opened so. The wrong speed makes noise of it.
  func line(_ settings: LineSettings, seed: UInt64, garbage: Int = 0) -> SearchedLine {
    var arrivals: [LineArrival] = []
    var generator = SeededGenerator(seed: seed, stream: "search")
    if let speaks {
      arrivals = DeviceStream(speaks, seconds: 14, from: generator.uniform() / speaks.framesPerSecond, finger)
        .lumps(every: 0.016).cut(intoAtMost: 40, seed: seed)
      if let cut = arrivals.first, case .bytes(let first) = cut.content {
        arrivals[0] = LineArrival(at: cut.at, .bytes(Array(first.suffix(max(1, first.count / 2)))))
      }
    } else if !noise.isEmpty {
      arrivals = (0..<300).map { LineArrival(at: Instant(microseconds: 100_000 * $0), .bytes(noise)) }
    }
    if let own = self.settings, own != settings {
      arrivals = arrivals.map { arrival in
        guard case .bytes(let bytes) = arrival.content else { return arrival }
        return LineArrival(at: arrival.at, .bytes(bytes.map { _ in UInt8.random(in: 0...255, using: &generator) }))
      }
    }
    if !leftover.isEmpty, settings.baud != 115_200 {
      arrivals = (arrivals + [LineArrival(at: Instant(microseconds: 15_000), .bytes(leftover))]).sorted {
        $0.at < $1.at
      }
    }
    return SearchedLine(
      waiting: speaks == .contecV7, line: ScriptedLine(arrivals.withGarbage(runs: garbage, seed: seed)),
      answers: answers, isAt: self.settings == nil || self.settings == settings)
  }
}

/// A line that is silent until it is told to speak, if the device is such a one.
struct SearchedLine: OximeterLine {
  var waiting: Bool
  var line: ScriptedLine
  let answers: [UInt8: [UInt8]]
  let isAt: Bool
  private var replies: [LineArrival] = []

  init(waiting: Bool, line: ScriptedLine, answers: [UInt8: [UInt8]], isAt: Bool) {
    self.waiting = waiting
    self.line = line
    self.answers = answers
    self.isAt = isAt
  }

  mutating func next(before limit: Instant) -> LineArrival? {
    if let reply = replies.first, reply.at < limit { return replies.removeFirst() }
    return waiting ? nil : line.next(before: limit)
  }

  mutating func send(_ bytes: [UInt8], at now: Instant) {
    guard isAt else { return }
    if bytes.count == 9, bytes[2] == 0xa1, waiting {
      waiting = false
      // What it would have sent before was not sent.
      while line.next(before: now) != nil {}
    }
    if bytes.count == 9, let answer = answers[bytes[2]] {
      replies.append(LineArrival(at: now + .milliseconds(20), .bytes(answer)))
    }
    line.send(bytes, at: now)
  }
}

struct ProtocolSearchTests {
  /// The outcome of a search, and how many seconds it took.
  static func search(
    _ device: SearchedDevice, among candidates: [OximeterProtocol] = OximeterProtocol.allCases, asks: Bool = false,
    seed: UInt64 = 1, garbage: Int = 0
  ) -> (outcome: SearchOutcome, seconds: Double) {
    var search = ProtocolSearch(candidates, asks: asks)
    var seconds = 0.0
    while let settings = search.settings {
      var line = device.line(settings, seed: seed &+ UInt64(seconds * 10), garbage: garbage)
      var now = Instant.zero
      var events = search.begin(at: now)
      listening: while true {
        for event in events {
          switch event {
          case .send(let bytes): line.send(bytes, at: now)
          case .set: break listening
          case .finished(let outcome): return (outcome, seconds + now.seconds)
          }
        }
        guard let deadline = search.deadline else { break }
        if let arrival = line.next(before: deadline) {
          now = arrival.at
          events = search.take(arrival)
        } else {
          now = deadline
          events = search.serveDeadline(at: now)
        }
      }
      seconds += now.seconds
    }
    Issue.record("a search ends with an outcome")
    return (.lost, seconds)
  }

  @Test(arguments: OximeterProtocol.allCases, [0, 5])
  func `each device is found on its own line, and no other`(speaks: OximeterProtocol, garbage: Int) throws {
    for settings in speaks.lineSettings {
      for seed: UInt64 in 1...2 {
        let (outcome, seconds) = Self.search(
          SearchedDevice(speaks: speaks, settings: settings), seed: seed, garbage: garbage)
        guard case .found(let found) = outcome else {
          Issue.record("\(speaks) at \(settings.text): \(outcome)")
          continue
        }
        #expect(found.speaks == speaks)
        #expect(found.settings == settings)
        #expect(seconds < 8 + 4.5 / speaks.framesPerSecond)
        if let rate = found.framesPerSecond { #expect(abs(rate / speaks.framesPerSecond - 1) < 0.1) }
      }
    }
  }

  @Test(arguments: OximeterProtocol.allCases, DeviceStream.Finger.allCases)
  func `each device is found whatever it measures`(speaks: OximeterProtocol, finger: DeviceStream.Finger) {
    let (outcome, _) = Self.search(SearchedDevice(speaks: speaks, finger: finger), seed: 7)
    guard case .found(let found) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(found.speaks == speaks)
  }

  @Test(arguments: OximeterProtocol.allCases)
  func `on a line without a speed each is found with its most usual one`(speaks: OximeterProtocol) throws {
    for seed: UInt64 in 1...2 {
      let (outcome, seconds) = Self.search(SearchedDevice(speaks: speaks), seed: seed)
      guard case .found(let found) = outcome else {
        Issue.record("\(speaks): \(outcome)")
        continue
      }
      #expect(found.speaks == speaks)
      #expect(found.settings == speaks.lineSettings[0])
      #expect(seconds < (speaks.framesPerSecond > 2 ? 2.5 : 5 + 4.5 / speaks.framesPerSecond))
    }
  }

  @Test(arguments: OximeterProtocol.allCases)
  func `what was read with the settings before is not counted`(speaks: OximeterProtocol) {
    for seed: UInt64 in 1...4 {
      let settings = speaks.lineSettings[0]
      let (outcome, _) = Self.search(
        SearchedDevice(speaks: speaks, settings: settings, leftover: [UInt8](repeating: 0, count: 250)), seed: seed)
      guard case .found(let found) = outcome else {
        Issue.record("\(speaks): \(outcome)")
        continue
      }
      #expect(found.speaks == speaks && found.settings == settings)
    }
  }

  @Test(arguments: OximeterProtocol.allCases)
  func `a device is found into whose sensor a finger comes meanwhile`(speaks: OximeterProtocol) {
    for seconds in 1...6 {
      let settings = speaks.lineSettings[0]
      let device = SearchedDevice(speaks: speaks, settings: settings, finger: .comes(Double(seconds) + 0.5))
      guard case .found(let found) = Self.search(device).outcome else {
        Issue.record("\(speaks), \(seconds) s")
        continue
      }
      #expect(found.speaks == speaks)
    }
  }

  @Test func `a device is found at a speed that is not its own`() {
    let odd = LineSettings(baud: 9_600, parity: .none)
    let (outcome, _) = Self.search(SearchedDevice(speaks: .contecV5, settings: odd))
    guard case .found(let found) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(found.speaks == .contecV5)
    #expect(found.settings == odd)
  }

  @Test func `a line that says nothing is given up in time`() {
    let (outcome, seconds) = Self.search(SearchedDevice())
    let tried = [(115_200, "N"), (9_600, "N"), (19_200, "O"), (4_800, "O")]
    guard case .silent(let heard) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(heard.map { ($0.settings.baud, $0.settings.parity.rawValue) }.elementsEqual(tried, by: ==))
    #expect(heard.allSatisfy { $0.bytes == 0 })
    #expect(seconds == ProtocolSearch(asks: false).budgetOfSilence.seconds)
    #expect(seconds < 10)
    #expect(ProtocolSearch([.contecV5], asks: false).budgetOfSilence == .seconds(3))
  }

  @Test func `bytes without a frame are told from silence`() {
    func check(_ noise: [UInt8], isText: Bool, within limit: Double, at location: SourceLocation = #_sourceLocation) {
      let (outcome, seconds) = Self.search(SearchedDevice(noise: noise))
      guard case .unintelligible(let tried) = outcome else {
        Issue.record("\(outcome)", sourceLocation: location)
        return
      }
      #expect(Set(tried.map(\.settings)).count == 4, sourceLocation: location)
      #expect(tried.allSatisfy { $0.isText == isText && $0.bytes > 4 }, sourceLocation: location)
      #expect(seconds <= limit, sourceLocation: location)
    }
    check([0xff, 0x00, 0x9c, 0x13], isText: false, within: 8.4)
    check(Array("TEMP 21.5\r\n".utf8), isText: true, within: 15)
    check([0x00], isText: false, within: 14)
  }

  @Test(arguments: [OximeterProtocol.contecV7, nil])
  func `a device that can be asked tells what it is, also when it does not measure`(sends: OximeterProtocol?) throws {
    let settings = LineSettings(baud: 115_200, parity: .none)
    let device = SearchedDevice(
      speaks: sends, settings: settings,
      answers: [
        0xa8: try #require(ContecV7Answer.model("CMS50D+")), 0xa9: try #require(ContecV7Answer.vendor("maker")),
        0xaa: try #require(ContecV7Answer.deviceID("1234567")),
      ])
    let (outcome, seconds) = Self.search(device, asks: true)
    guard case .found(let found) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(found.speaks == .contecV7)
    #expect(found.settings == settings)
    #expect(found.answers.contains(.vendor("maker")))
    #expect(found.answers.contains(.deviceID("1234567")))
    #expect(found.answers.count >= 3)
    #expect(seconds < 3)
  }

  @Test func `an unplugged device ends it`() {
    for content in [LineArrival.Content.lost, .ended] {
      var search = ProtocolSearch(asks: false)
      _ = search.begin(at: .zero)
      #expect(search.take(LineArrival(at: .zero, content)) == [.finished(.lost)])
      #expect(search.settings == nil && search.deadline == nil)
    }
  }

  @Test func `it runs on lines of any kind`() {
    let device = SearchedDevice(speaks: .noninDF2, settings: LineSettings(baud: 9_600, parity: .none))
    var opened: [LineSettings] = []
    var search = ProtocolSearch(asks: true)
    let outcome = search.run { settings in
      opened.append(settings)
      return (device.line(settings, seed: 5), .zero)
    }
    guard case .found(let found) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(found.speaks == .noninDF2)
    #expect(opened == [LineSettings(baud: 115_200, parity: .none), LineSettings(baud: 9_600, parity: .none)])
  }
}
