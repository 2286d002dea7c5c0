import OximeterProtocols
import Testing
import VitalsModel

@testable import OximeterLines

struct OximeterLinkTests {
  /// What happens on the line, and the states and gaps that are told of, with tenths of seconds.
  struct Course: CustomTestStringConvertible {
    let name: String
    var speaks = OximeterProtocol.contecV5
    let arrivals: [LineArrival]
    var until = 20.0
    let expected: String

    var testDescription: String { name }
  }

  static func at(_ seconds: Double, _ content: LineArrival.Content) -> LineArrival {
    LineArrival(at: Instant(microseconds: Int64(seconds * 1e6)), content)
  }

  static func noise(_ from: Double, _ to: Double, every step: Double = 0.05) -> [LineArrival] {
    stride(from: from, to: to, by: step).map { at($0, .bytes([0xff, 0x80, 0x81])) }
  }

  static let courses: [Course] = {
    func stream(_ from: Double, _ seconds: Double, of speaks: OximeterProtocol = .contecV5) -> [LineArrival] {
      DeviceStream(speaks, seconds: seconds, from: from).arrivals
    }
    return [
      Course(name: "nothing", arrivals: [], expected: ""),
      Course(name: "a stream", arrivals: stream(1, 30), expected: "streaming@1.0"),
      Course(name: "a stream that ends", arrivals: stream(1, 4), expected: "streaming@1.0 silent@7.0"),
      Course(
        name: "a short silence", arrivals: stream(1, 19).without(5, 6.2), expected: "streaming@1.0 gap:silence@5.0-6.2"),
      Course(
        name: "a pause in which a reader may have been held up", arrivals: stream(1, 19).without(5, 5.9),
        expected: "streaming@1.0 gap:damaged@5.5-6.4"),
      Course(
        name: "a long silence", arrivals: stream(1, 19).without(5, 9),
        expected: "streaming@1.0 silent@7.0 streaming@9.0 gap:silence@5.0-9.0"),
      Course(
        name: "noise", arrivals: noise(1, 4), expected: "unintelligible@3.0 silent@6.0"),
      Course(name: "a little noise", arrivals: noise(1, 1.1), expected: ""),
      Course(
        name: "noise, then a stream", arrivals: noise(0, 5) + stream(5, 15),
        expected: "unintelligible@2.0 streaming@5.0"),
      Course(
        name: "noise instead of a stream",
        arrivals: stream(1, 4) + noise(5, 8) + stream(8, 12),
        expected: "streaming@1.0 unintelligible@7.0 streaming@8.0 gap:damaged@5.0-8.0"),
      Course(
        name: "lost and returned",
        arrivals: stream(1, 4) + [at(5, .lost), at(9, .returned(port: "b"))] + stream(9.5, 10),
        expected: "streaming@1.0 lost@5.0 silent@9.0 streaming@9.5 gap:unplugged@5.0-9.5"),
      Course(
        name: "lost for a moment",
        arrivals: stream(1, 4) + [at(5, .lost), at(5.2, .returned(port: "b"))] + stream(5.3, 10),
        until: 15, expected: "streaming@1.0 lost@5.0 silent@5.2 streaming@5.3 gap:unplugged@5.0-5.3"),
      Course(
        name: "returned, and silent", arrivals: stream(1, 4) + [at(5, .lost), at(6, .returned(port: "b"))],
        expected: "streaming@1.0 lost@5.0 silent@6.0"),
      Course(
        name: "lost for ever", arrivals: stream(1, 4) + [at(5, .lost), at(12, .ended)] + stream(13, 5),
        expected: "streaming@1.0 lost@5.0 ended@12.0"),
      Course(
        name: "lost before a frame came", arrivals: [at(1, .lost), at(2, .returned(port: "b"))] + stream(3, 17),
        expected: "lost@1.0 silent@2.0 streaming@3.0"),
      Course(
        name: "a line of text a second", speaks: .noninASCII, arrivals: stream(0.5, 40, of: .noninASCII), until: 40,
        expected: "streaming@2.5"),
      Course(
        name: "text that stops", speaks: .noninASCII, arrivals: stream(0.5, 8, of: .noninASCII), until: 40,
        expected: "streaming@2.5 silent@10.5"),
      Course(
        name: "text that pauses", speaks: .masimoASCII, arrivals: stream(0, 30, of: .masimoASCII).without(9.5, 14.5),
        until: 30, expected: "streaming@2.0 silent@12.0 streaming@15.0 gap:silence@9.0-15.0"),
      Course(
        name: "one line of text is missing", speaks: .masimoASCII,
        arrivals: stream(0, 30, of: .masimoASCII).without(9.5, 10.5), until: 30,
        expected: "streaming@2.0 gap:silence@9.0-11.0"),
      Course(
        name: "other text", speaks: .nellcorASCII,
        arrivals: stride(from: 0.0, to: 20, by: 1).map { at($0, .bytes(Array("hello\r\n".utf8))) },
        until: 20, expected: "unintelligible@12.0"),
    ]
  }()

  @Test(arguments: courses)
  func `states and gaps are told of as they come about`(course: Course) {
    func tenths(_ instant: Instant) -> String { "\((instant.seconds * 10).rounded() / 10)" }
    let told = events(of: ScriptedLine(course.arrivals), speaking: course.speaks, until: course.until).compactMap {
      switch $0.event {
      case .state(let state, let at): "\(state.rawValue)@\(tenths(at))"
      case .gap(let gap): "gap:\(gap.cause.rawValue)@\(tenths(gap.from))-\(tenths(gap.to))"
      case .send, .sample, .reading, .answer: nil
      }
    }
    #expect(told.joined(separator: " ") == course.expected)
  }

  /// What is sent, with seconds, where the device is as the course says.
  @Test func `each device is told what it needs, and no other is told anything`() {
    func check(
      _ speaks: OximeterProtocol, _ arrivals: [LineArrival], until end: Double, setsFormat: Bool = false,
      _ expected: String, at location: SourceLocation = #_sourceLocation
    ) {
      let told = events(of: ScriptedLine(arrivals), speaking: speaks, until: end, setsFormat: setsFormat)
      let sent = told.compactMap { next -> String? in
        guard case .send(let bytes) = next.event else { return nil }
        let mark = bytes.count == 9 ? bytes[2] : bytes.count == 6 ? bytes[4] : bytes[0]
        return "\(String(mark, radix: 16))@\((next.at.seconds * 10).rounded() / 10)"
      }
      #expect(sent.joined(separator: " ") == expected, sourceLocation: location)
    }
    let v7 = DeviceStream(.contecV7, seconds: 10, from: 0.5).arrivals
    check(.contecV7, [], until: 6.5, "a1@0.0 a1@2.0 a1@4.0 af@5.0 a1@6.0")
    check(.contecV7, v7, until: 15.5, "a1@0.0 af@5.0 af@10.0 a1@12.5 a1@14.5 af@15.0")
    check(
      .contecV7, v7 + [Self.at(11, .lost), Self.at(30, .returned(port: "b"))], until: 36.5,
      "a1@0.0 af@5.0 af@10.0 a1@30.0 a1@32.0 a1@34.0 af@35.0 a1@36.0")
    check(.noninDF7, [], until: 60, "")
    check(.noninDF2, [], until: 60, setsFormat: true, "2@0.0")
    check(.noninDF7, [], until: 60, setsFormat: true, "7@0.0")
    check(.noninDF8, [Self.at(3, .lost), Self.at(4, .returned(port: "b"))], until: 60, setsFormat: true, "8@0.0 8@4.0")
    check(.nellcorASCII, [], until: 60, "11@6.0")
    check(.nellcorASCII, DeviceStream(.nellcorASCII, seconds: 30).arrivals, until: 60, "11@34.0")
    check(.contecV5, [], until: 60, setsFormat: true, "")
    check(.bci, [], until: 60, "")
    check(.noninASCII, [], until: 60, "")
    check(.masimoASCII, [], until: 60, "")
    let farewells = OximeterProtocol.allCases.filter { !OximeterLink($0).farewell.isEmpty }
    #expect(farewells == [.contecV7])
    #expect(OximeterProtocol.contecV7.farewell == [0x7d, 0x81, 0xa2, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80])
  }

  @Test(arguments: OximeterProtocol.allCases)
  func `each frame gives a sample, and what it says new a reading`(speaks: OximeterProtocol) {
    let stream = DeviceStream(speaks, seconds: 30, from: 0.25)
    for seed: UInt64 in 1...2 {
      let told = events(
        of: ScriptedLine(stream.lumps(every: 0.016).cut(intoAtMost: 12, seed: seed)), speaking: speaks, until: 31)
      var samples: [OximeterSample] = []
      var readings: [TimedReading] = []
      for (_, event) in told {
        switch event {
        case .sample(let sample): samples.append(sample)
        case .reading(let reading):
          if speaks.hasPleth { #expect(samples.last?.captured == reading.captured) }
          readings.append(reading)
        case .gap: Issue.record("nothing is missing")
        case .send, .answer, .state: break
        }
      }
      // The first may be held to be cut off.
      #expect(
        (stream.frames.count - 2...stream.frames.count).contains(speaks.hasPleth ? samples.count : readings.count))
      #expect(samples.isEmpty != speaks.hasPleth)
      #expect(readings.count < 100)
      #expect(Set(readings.map(\.reading.pulseRateBpm)) == [72, 73, 74])
      #expect(readings.allSatisfy { $0.captured <= $0.arrived })
      #expect(zip(readings, readings.dropFirst()).allSatisfy { ($1.captured - $0.captured).seconds < 2.2 })
    }
  }

  @Test func `a gap that is not over is known`() {
    func check(_ arrivals: [LineArrival], _ expected: String?, at location: SourceLocation = #_sourceLocation) {
      var stream = OximeterStream(ScriptedLine(arrivals), speaking: .contecV5)
      while stream.next(before: Instant(microseconds: 10_000_000)) != nil {}
      var told: String?
      if case .gap(let gap)? = stream.openGap {
        told = "\(gap.cause.rawValue) \(gap.from.seconds.rounded())-\(gap.to.seconds)"
      }
      #expect(told == expected, sourceLocation: location)
    }
    let stream = DeviceStream(.contecV5, seconds: 4, from: 1).arrivals
    check([], nil)
    check(DeviceStream(.contecV5, seconds: 12, from: 1).arrivals, nil)
    check([Self.at(2, .lost)], nil)
    check(stream, "silence 5.0-10.0")
    check(stream + [Self.at(5, .lost)], "unplugged 5.0-10.0")
    check(stream + [Self.at(5, .lost), Self.at(6, .returned(port: "b"))], "unplugged 5.0-10.0")
    check(stream + [Self.at(5, .lost), Self.at(6, .returned(port: "b"))] + Self.noise(6, 10), "unplugged 5.0-10.0")
    check(stream + Self.noise(5, 10), "damaged 5.0-10.0")
    check(stream + [Self.at(5, .lost), Self.at(9, .ended)], "unplugged 5.0-9.0")
  }

  @Test func `a hundred replugs are a hundred gaps`() {
    var arrivals: [LineArrival] = []
    for cycle in 0...100 {
      let begin = Double(cycle) * 3
      if cycle > 0 { arrivals.append(Self.at(begin - 0.1, .returned(port: "p\(cycle)"))) }
      arrivals += DeviceStream(.noninDF2, seconds: 2, from: begin).arrivals
      if cycle < 100 { arrivals.append(Self.at(begin + 2, .lost)) }
    }
    let told = events(of: ScriptedLine(arrivals), speaking: .noninDF2, until: 310)
    let gaps = told.compactMap { next -> OximeterGap? in if case .gap(let gap) = next.event { gap } else { nil } }
    #expect(gaps.count == 100)
    #expect(gaps.allSatisfy { $0.cause == .unplugged && abs(($0.to - $0.from).seconds - 1) < 0.1 })
  }

  @Test func `frames that were garbled leave their place empty`() {
    var arrivals = DeviceStream(.noninDF2, seconds: 20).arrivals
    guard case .bytes(var bytes) = arrivals[1_000].content else { return }
    bytes[2] ^= 0x55
    arrivals[1_000] = LineArrival(at: arrivals[1_000].at, .bytes(bytes))
    let told = events(of: ScriptedLine(arrivals), speaking: .noninDF2, until: 21)
    let gaps = told.compactMap { next -> OximeterGap? in if case .gap(let gap) = next.event { gap } else { nil } }
    #expect(gaps.map(\.cause) == [.damaged])
    let times = told.compactMap { next -> Double? in
      if case .sample(let sample) = next.event { sample.captured.seconds } else { nil }
    }
    let steps = zip(times, times.dropFirst()).map { ($1 - $0) * 75 }.sorted()
    #expect(abs(steps[steps.count - 1].rounded() - steps[steps.count - 1]) < 0.05)
    #expect(steps[steps.count - 1] > 1.9 && steps[steps.count - 2] < 1.05)
  }

  @Test func `a deadline is always ahead, and a call that comes early does nothing`() {
    for seed: UInt64 in 1...20 {
      var generator = SeededGenerator(seed: seed, stream: "course")
      let speaks = OximeterProtocol.allCases[Int(seed) % OximeterProtocol.allCases.count]
      var link = OximeterLink(speaks)
      var now = Instant.zero
      _ = link.begin(at: now)
      #expect(link.begin(at: now).isEmpty)
      for _ in 0..<400 {
        if let deadline = link.deadline {
          #expect(deadline > now)
          #expect(link.serveDeadline(at: now).isEmpty)
        }
        let wait = TimeSpan(seconds: generator.uniform() * generator.uniform() * 3)
        if let deadline = link.deadline, deadline <= now + wait {
          now = deadline
          _ = link.serveDeadline(at: now)
          continue
        }
        now = now + wait
        let frames = DeviceStream(speaks, seconds: 3 / speaks.framesPerSecond, from: now.seconds).frames.flatMap(\.self)
        let content: LineArrival.Content =
          switch Int.random(in: 0..<20, using: &generator) {
          case 0: .lost
          case 1: .returned(port: "p")
          case 2: .bytes([])
          case 3...6: .bytes([UInt8.random(in: 0...255, using: &generator)])
          default: .bytes(frames)
          }
        for event in link.take(LineArrival(at: now, content)) {
          if case .sample(let sample) = event { #expect(sample.arrived <= now) }
        }
      }
    }
  }
}
