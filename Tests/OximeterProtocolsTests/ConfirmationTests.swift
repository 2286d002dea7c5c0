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
    ("aaabbb", "aaabbb"), ("aaab", "aaa."), ("aaabb", "aaa.."), ("aaabbbccc", "aaabbbccc"), ("aaabbccc", "aaa--ccc"),
    // A garbled frame, which has the form: its reading is doubted, its wave is not.
    ("aaagaaa", "aaa-aaa"), ("aaagha", "aaa--a"), ("aaagbbb", "aaa-bbb"), ("aaagga", "aaa--a"),
    // Noise before a stream, with the form of a frame.
    ("naaa", ".aaa"), ("nmaaa", "..aaa"), ("aaaxnaaa", "aaax.aaa"), ("aaaxnmaaa", "aaax..aaa"),
    ("aabbb", "--bbb"), ("anaaa", "a-aaa"),
    // A change right before sync is lost is told by what comes after it.
    ("aaabxbbb", "aaabxbbb"), ("aaabbxbbb", "aaabbxbbb"), ("aaabxaaa", "aaa.xaaa"), ("aaagxbbb", "aaa.xbbb"),
    ("aaabxbbxbbb", "aaabx..xbbb"),
    // What wavers is believed when it is said again and again.
    ("aaabababa", "aaa-a-aba"), ("abababab", "abababab"), ("abababababab", "abababababab"),
    // What is another thing each time is believed after eight.
    ("abcdefg", "......."), ("abcdefgh", "abcdefgh"), ("aaabcdefg", "aaa......"), ("aaabcdefghi", "aaabcdefghi"),
    ("abcdabcdabcd", "abcdabcdabcd"), ("xabcdefgh", "xabcdefgh"),
  ]) func confirms(_ said: String, _ given: String) {
    var confirmation = FrameConfirmation(.none)
    var counts = DecodingCounts()
    var frames: [OximeterFrame] = []
    for (index, letter) in said.utf8.enumerated() {
      if letter == UInt8(ascii: "x") {
        confirmation.loseSync(&counts)
      } else {
        let frame = OximeterFrame(
          end: (index + 1) * 5, pleth: 1, reading: OximeterReading(pulseRateBpm: Int(letter), spo2Percent: 98))
        confirmation.take(frame, length: 5, counts: &counts, into: &frames)
      }
    }
    confirmation.breakOff(&counts)
    var written = said.utf8.map { $0 == UInt8(ascii: "x") ? $0 : UInt8(ascii: ".") }
    for frame in frames {
      written[frame.end / 5 - 1] = frame.reading?.pulseRateBpm.map { UInt8($0) } ?? UInt8(ascii: "-")
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
    var confirmation = FrameConfirmation(.none)
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
    var confirmation = FrameConfirmation(.none)
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

  /// Values that may move a little from frame to frame, as in a line once a second.
  @Test func allowsSteps() {
    func given(_ rates: [Int]) -> [Int?] {
      var confirmation = FrameConfirmation(FrameConfirmation.Steps(pulseRateBpm: 5, spo2Percent: 2))
      var counts = DecodingCounts()
      var frames: [OximeterFrame] = []
      for (index, rate) in rates.enumerated() {
        let frame = OximeterFrame(end: (index + 1) * 4, reading: OximeterReading(pulseRateBpm: rate, spo2Percent: 98))
        confirmation.take(frame, length: 4, counts: &counts, into: &frames)
      }
      return frames.map { $0.reading?.pulseRateBpm }
    }
    #expect(given([60, 64, 69, 72]) == [60, 64, 69, 72])
    #expect(given([60, 64, 160, 66, 68, 70]) == [64, 66, 68, 70])
    #expect(given([60, 62, 63, 160, 65]) == [60, 62, 63, 65])
  }
}
