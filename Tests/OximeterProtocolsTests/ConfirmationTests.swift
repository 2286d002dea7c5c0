import Testing
import VitalsModel

@testable import OximeterProtocols

/// What a device says, a letter for each frame: `x` is a byte out of place, any other letter a reading of its own. What
/// is given is written the same, with `.` for a frame that is not given and `-` for one that is given for its wave.
@Suite struct ConfirmationTests {
  @Test(arguments: [
    // Three in a row confirm, and all of them are given.
    ("a", "."), ("aa", ".."), ("aaa", "aaa"), ("aaaa", "aaaa"),
    ("aaaxa", "aaax."), ("aaaxaa", "aaax.."), ("aaaxaaa", "aaaxaaa"), ("xaaa", "xaaa"), ("aaxaa", "..x.."),
    // A value that changes.
    ("aaabbb", "aaabbb"), ("aaab", "aaa."), ("aaabb", "aaa.."), ("aaabbbccc", "aaabbbccc"), ("aaabbccc", "aaabbccc"),
    // A garbled frame, which has the form: its reading is doubted, its wave is not.
    ("aaagaaa", "aaa-aaa"), ("aaagha", "aaa--a"), ("aaagbbb", "aaa-bbb"),
    // What is said twice in a row is not garbled.
    ("aaagga", "aaagga"), ("aabbb", "aabbb"), ("aaabbxccc", "aaabbxccc"),
    // Noise before a stream, with the form of a frame.
    ("naaa", ".aaa"), ("nmaaa", "..aaa"), ("aaaxnaaa", "aaax.aaa"), ("aaaxnmaaa", "aaax..aaa"), ("anaaa", "a-aaa"),
    // A change right before sync is lost is told by what comes after it.
    ("aaabxbbb", "aaabxbbb"), ("aaabbxbbb", "aaabbxbbb"), ("aaabxaaa", "aaa.xaaa"), ("aaagxbbb", "aaa.xbbb"),
    ("aaabxbbxbbb", "aaabx..xbbb"),
    // What wavers is believed when it is said again and again.
    ("aaabababa", "aaa-a-aba"), ("abababab", "abababab"), ("abababababab", "abababababab"),
    // What is another thing each time is believed after eight, and at the beginning of a stream after three.
    ("xabcdefg", "x......."), ("xabcdefgh", "xabcdefgh"), ("ab", ".."), ("abc", "abc"), ("abcdef", "abc..."),
    ("aaabcdefg", "aaa......"), ("aaabcdefghi", "aaabcdefghi"), ("aba", "..."),
    ("abcdefghijklabcdefg", "abcdefghijklabcdefg"),
  ]) func confirms(_ said: String, _ given: String) {
    var confirmation = FrameConfirmation()
    var counts = DecodingCounts()
    var frames: [OximeterFrame] = []
    for (index, letter) in said.utf8.enumerated() {
      if letter == UInt8(ascii: "x") {
        confirmation.loseSync(&counts)
      } else {
        // Letters that follow on each other are far apart; those from `m` on are noise.
        let reading = OximeterReading(
          pulseRateBpm: 8 * (Int(letter) - 90), spo2Percent: letter < UInt8(ascii: "m") ? 98 : Int(letter) / 2)
        let frame = OximeterFrame(end: (index + 1) * 5, pleth: 1, reading: reading)
        confirmation.take(frame, length: 5, counts: &counts, into: &frames)
      }
    }
    confirmation.breakOff(&counts)
    var written = said.utf8.map { $0 == UInt8(ascii: "x") ? $0 : UInt8(ascii: ".") }
    for frame in frames {
      written[frame.end / 5 - 1] = frame.reading?.pulseRateBpm.map { UInt8($0 / 8 + 90) } ?? UInt8(ascii: "-")
    }
    #expect(String(decoding: written, as: UTF8.self) == given)
    #expect(frames.map(\.end) == frames.map(\.end).sorted())
    #expect(counts.good == frames.count)
    #expect(counts.skipped == 5 * written.count { $0 == UInt8(ascii: ".") })
  }

  /// Marks, a digit for each frame, and the beats that they are; `x` is a byte out of place.
  @Test(arguments: [
    ("0001100", "0001000"), ("1110111", "1000100"), ("000110001100", "000100001000"),
    // The first frame of a mark was garbled, or one within it.
    ("000x1000", "000x1000"), ("0001x1000", "0001x0000"), ("0001xx1000", "0001xx0000"),
    ("0001xxxxxxxx1000", "0001xxxxxxxx1000"),
  ]) func findsBeats(_ marks: String, _ beats: String) {
    var confirmation = FrameConfirmation()
    var counts = DecodingCounts()
    var frames: [OximeterFrame] = []
    let reading = OximeterReading(pulseRateBpm: 60, spo2Percent: 98)
    for (index, mark) in marks.utf8.enumerated() where mark != UInt8(ascii: "x") {
      let frame = OximeterFrame(end: (index + 1) * 5, pleth: 1, isBeat: mark == UInt8(ascii: "1"), reading: reading)
      confirmation.take(frame, length: 5, counts: &counts, into: &frames)
    }
    var written = marks.utf8.map { $0 == UInt8(ascii: "x") ? $0 : UInt8(ascii: "0") }
    for frame in frames where frame.isBeat { written[frame.end / 5 - 1] = UInt8(ascii: "1") }
    #expect(String(decoding: written, as: UTF8.self) == beats)
  }

  /// No finger has 1 %: that takes more than three frames.
  @Test func asksMoreOfWhatHardlyCanBe() {
    var confirmation = FrameConfirmation()
    var counts = DecodingCounts()
    var given: [Int] = []
    for index in 1...9 {
      var frames: [OximeterFrame] = []
      let frame = OximeterFrame(end: index * 5, reading: OximeterReading(pulseRateBpm: 72, spo2Percent: 1))
      confirmation.take(frame, length: 5, counts: &counts, into: &frames)
      given.append(frames.count)
    }
    #expect(given == [0, 0, 0, 0, 0, 0, 0, 8, 1])
  }

  /// Frames of nonin-df2 look like five bytes with 1 % and another pulse rate each, without an end.
  @Test func makesNothingOfWhatHardlyCanBe() {
    var confirmation = FrameConfirmation()
    var counts = DecodingCounts()
    var frames: [OximeterFrame] = []
    for index in 1...100 {
      let reading = OximeterReading(pulseRateBpm: 8 + index % 25, spo2Percent: 1)
      let frame = OximeterFrame(end: index * 5, pleth: 1, reading: reading)
      confirmation.take(frame, length: 5, counts: &counts, into: &frames)
    }
    #expect(frames == [])
    #expect(counts.skipped >= 80 * 5)
    confirmation.breakOff(&counts)
    #expect(counts.skipped == 500)
  }

  /// Values that move from frame to frame all the time.
  @Test func followsWhatMoves() {
    check { OximeterReading(pulseRateBpm: 60 + $0, spo2Percent: 98) }
    check { OximeterReading(pulseRateBpm: 60 + $0 % 10, spo2Percent: 98) }
    check { OximeterReading(pulseRateBpm: 60 + $0 * 37 % 100, spo2Percent: 98) }
    check { OximeterReading(pulseRateBpm: 60, spo2Percent: 98, perfusionIndexHundredths: 300 + $0 * 3) }
    check { OximeterReading(pulseRateBpm: 60, spo2Percent: 98, perfusionIndexHundredths: 300 + $0 * 7 % 31) }
    check { OximeterReading(pulseRateBpm: 60, spo2Percent: 98, perfusionIndexHundredths: 300 + $0 / 2) }
    check { OximeterReading(pulseRateBpm: 60, spo2Percent: 98, perfusionIndexHundredths: 300 + $0 / 3) }
    check(doubted: 2) { OximeterReading(pulseRateBpm: 60, spo2Percent: 98, signalStrength: 4 + $0 % 3) }
    check(doubted: 4) { OximeterReading(pulseRateBpm: 60 + $0 % 2, spo2Percent: 98, signalStrength: 4 + $0 / 2 % 2) }
  }

  /// Of forty frames all are given but two at the end, and all with their readings but so many of the first twelve.
  private func check(
    doubted: Int = 0, at location: SourceLocation = #_sourceLocation, _ reading: (Int) -> OximeterReading
  ) {
    var confirmation = FrameConfirmation()
    var counts = DecodingCounts()
    var frames: [OximeterFrame] = []
    for index in 0..<40 {
      let frame = OximeterFrame(end: (index + 1) * 5, pleth: 1, reading: reading(index))
      confirmation.take(frame, length: 5, counts: &counts, into: &frames)
    }
    let others = frames.indices.filter { frames[$0].reading != reading($0) }
    #expect(others.count == doubted, sourceLocation: location)
    #expect(others.allSatisfy { $0 < 12 && frames[$0].reading == nil }, sourceLocation: location)
    #expect(frames.count >= 38, sourceLocation: location)
  }

  /// One frame among others whose perfusion index moves: a garbled pulse rate is none of what moves.
  @Test func doubtsWhatIsGarbledAmongWhatMoves() {
    var confirmation = FrameConfirmation()
    var counts = DecodingCounts()
    var frames: [OximeterFrame] = []
    for index in 0..<40 {
      let reading = OximeterReading(
        pulseRateBpm: index == 30 ? 61 : 60, spo2Percent: 98, perfusionIndexHundredths: 300 + index * 3)
      let frame = OximeterFrame(end: (index + 1) * 5, pleth: 1, reading: reading)
      confirmation.take(frame, length: 5, counts: &counts, into: &frames)
    }
    #expect(frames.count == 40)
    #expect(frames.indices.filter { frames[$0].reading == nil } == [30])
  }

  /// A frame between two others that has its values from both.
  @Test(arguments: [
    (OximeterReading(pulseRateBpm: 72, spo2Percent: 98, signalStrength: 5), true),
    (OximeterReading(pulseRateBpm: 60, spo2Percent: 98, signalStrength: 7), true),
    (OximeterReading(pulseRateBpm: 72, spo2Percent: 97, signalStrength: 6), true),
    (OximeterReading(pulseRateBpm: 66, spo2Percent: 97, signalStrength: 6), false),
    (OximeterReading(pulseRateBpm: 72, spo2Percent: 99, signalStrength: 5), false),
    (OximeterReading(pulseRateBpm: 72, spo2Percent: 98, signalStrength: 5, flags: .searching), false),
    (OximeterReading(spo2Percent: 98, signalStrength: 5), false),
  ])
  func believesWhatLiesBetween(_ reading: OximeterReading, _ isBelieved: Bool) {
    var confirmation = FrameConfirmation()
    var counts = DecodingCounts()
    var frames: [OximeterFrame] = []
    let before = OximeterReading(pulseRateBpm: 60, spo2Percent: 98, signalStrength: 5)
    let after = OximeterReading(pulseRateBpm: 72, spo2Percent: 96, signalStrength: 7)
    for (index, said) in [before, before, before, reading, after, after, after].enumerated() {
      let frame = OximeterFrame(end: (index + 1) * 5, pleth: 1, reading: said)
      confirmation.take(frame, length: 5, counts: &counts, into: &frames)
    }
    #expect(frames.map(\.reading) == [before, before, before, isBelieved ? reading : nil, after, after, after])
  }
}
