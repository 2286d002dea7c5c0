import OximeterProtocols
import Testing
import VitalsModel

@testable import OximeterLines

struct OximeterStreamTests {
  @Test func `what is asked for is sent when it is due`() {
    var stream = OximeterStream(ScriptedLine([]), speaking: .contecV7, from: Instant(microseconds: 700_000))
    while stream.next(before: Instant(microseconds: 6_000_000)) != nil {}
    #expect(stream.line.sent.map(\.at.microseconds) == [700_000, 2_700_000, 4_700_000, 5_700_000])
    #expect(stream.line.sent.map { $0.bytes[2] } == [0xa1, 0xa1, 0xa1, 0xaf])
    #expect(stream.now == Instant(microseconds: 6_000_000))
  }

  @Test func `pulling in small steps gives the same as pulling at once`() {
    let arrivals =
      DeviceStream(.noninDF7, seconds: 8).lumps(every: 0.05).without(3, 6.5)
      + [LineArrival(at: .zero + .seconds(9), .lost), LineArrival(at: .zero + .seconds(10), .returned(port: "b"))]
      + DeviceStream(.noninDF7, seconds: 5, from: 11).arrivals
    let whole = events(of: ScriptedLine(arrivals), speaking: .noninDF7, until: 20)
    var stream = OximeterStream(ScriptedLine(arrivals), speaking: .noninDF7)
    var pieces: [(at: Instant, event: LinkEvent)] = []
    for step in 1...2_000 {
      let limit = Instant(microseconds: Int64(step) * 10_000)
      while let next = stream.next(before: limit) {
        #expect(next.at < limit)
        pieces.append(next)
      }
      #expect(stream.now == limit)
    }
    #expect(pieces.map(\.event) == whole.map(\.event))
    #expect(pieces.map(\.at) == whole.map(\.at))
    #expect(zip(whole, whole.dropFirst()).allSatisfy { $0.at <= $1.at })
    #expect(stream.counts.good > 500)
  }

  @Test func `after the end nothing comes`() {
    let ended = LineArrival(at: .zero + .seconds(1), .ended)
    var stream = OximeterStream(ScriptedLine([ended, ended]), speaking: .bci)
    #expect(stream.next(before: .zero + .seconds(5))?.event == .state(.ended, at: .zero + .seconds(1)))
    #expect(stream.next(before: .zero + .seconds(5)) == nil)
    #expect(stream.state == .ended)
  }
}
