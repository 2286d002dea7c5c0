import Testing
import VitalsModel

@testable import Recordings

/// Reads a CSV and gives its capture times in milliseconds, or the message of its refusal.
private func read(_ text: String, _ columns: String? = nil, rate: Double? = nil) -> String {
  do {
    let names = try columns.map { text throws(RecordingError) in try ColumnNames(text) } ?? ColumnNames()
    let recording = try readRecording(csv: Array(text.utf8), columns: names, rateFps: rate)
    let times = recording.frames.map { Fixed.text((($0.captured - .zero).milliseconds), places: 0) }
    return "\(times.joined(separator: " ")) | \(recording.notes.joined(separator: "; "))"
  } catch {
    return "\(error.line.map { "line \($0): " } ?? "")\(error.message)"
  }
}

@Test func timesAreRead() {
  let rows: [(String, String?, String)] = [
    ("time,R,G,B\n0,250,0,1.5\n33,251,0,1.5\n", nil, "0 33 | time read as milliseconds, from the spacing of 33.000"),
    ("time,R,G,B\n5.0,1,2,3\n5.04,1,2,3\n", nil, "0 40 | time read as seconds, from the spacing of 0.040"),
    ("t;b;g;r\n0;1;2;3\n40000;1;2;3\n", nil, "0 40 | time read as microseconds, from the spacing of 40000.000"),
    (
      "\u{feff}Time (ms),Red,Green,Blue\r\n0,1,2,3\r\n50,1,2,3\r\n", nil,
      "0 50 | time read as milliseconds, as the column's name \"Time (ms)\" says"
    ),
    ("time_s,r,g,b\n0,1,2,3\n0.05,1,2,3\n", nil, "0 50 | time read as seconds, as the column's name \"time_s\" says"),
    (
      "x,a,b,c\n0,1,2,3\n7,1,2,3\n", "time=x:ms,red=a,green=b,blue=c",
      "0 7 | time read as milliseconds, as --columns says"
    ),
    // Microseconds since 1970, and a unit that the name has wrong.
    (
      "time_us,r,g,b\n1700000000000000,1,2,3\n1700000000033000,1,2,3\n", nil,
      "0 33 | time read as microseconds, as the column's name \"time_us\" says"
    ),
    (
      "time_s,r,g,b\n0,1,2,3\n33,1,2,3\n", nil,
      "0 33000 | time read as seconds, as the column's name \"time_s\" says; "
        + "the spacing of 33 is a camera's in milliseconds: try --columns time=time_s:ms; "
        + "frames are 33000.000 ms apart, as no camera's; is the time's unit right?; "
        + "1 gap of more than 0.5 s, the longest 33.000 s"
    ),
    // Decimal commas where they cannot be separators, and a unit in the name's first word.
    (
      "Millis;R;G;B\n0,0;1,5;2;3\n33,4;1,5;2;3\n", nil,
      "0 33 | time read as milliseconds, as the column's name \"Millis\" says; decimal commas read as points"
    ),
    // No line of names, and names by any of their words.
    (
      "0,1,2,3\n33,1,2,3\n", "time=1:ms,red=2,green=3,blue=4",
      "0 33 | time read as milliseconds, as --columns says; there is no line of column names, so they are called 1, 2, 3"
    ),
    (
      "frame time \u{b5}s,mean_red,mean_green,mean_blue\n0,1,2,3\n33000,1,2,3\n", nil,
      "0 33 | time read as microseconds, as the column's name \"frame time \u{b5}s\" says"
    ),
    // A blank line before the names, blanks after a cell, and a comma that ends each row.
    ("\n \ntime,R,G,B\n0,1,2,3 \t,\n33,1,2,3,\n", nil, "0 33 | time read as milliseconds, from the spacing of 33.000"),
    // Quotes, blanks, empty lines and further columns do not matter.
    (
      "\"time\", \"R\",\"G\",\"B\",note\n\n0,1,2,3,hello\n30,1,2,3,\n\n", nil,
      "0 30 | time read as milliseconds, from the spacing of 30.000"
    ),
    // Separators in quoted cells, a doubled mark, and a mark that begins no cell.
    (
      "time_ms;\"R; red\";G;B;\"a \"\"b\"\"; c\";5\" lens\n0;\"1\";2;3;\"x;y\";\n40;1;2;3;\"\";4\"\n", "red=R; red",
      "0 40 | time read as milliseconds, as the column's name \"time_ms\" says"
    ),
    (
      "t_ms,r,g,b,n\n0,1,2,3,x\n40,1,2,3,\"x", nil,
      "0 | time read as milliseconds, as the column's name \"t_ms\" says; the last line is cut off and left out"
    ),
    // A cut last line, a gap, a repeated time and one that goes back.
    (
      "time,R,G,B\n0,1,2,3\n33,1,2,3\n33,1,2,3\n20,1,2,3\n66,1,2,3\n900,1,2,3\n930,1,2", nil,
      "0 33 33 20 66 900 | time read as milliseconds, from the spacing of 46.000; the last line is cut off and left out; "
        + "1 frame repeats a time stamp; 1 frame goes back in time; 1 gap of more than 0.5 s, the longest 0.834 s"
    ),
  ]
  for (text, columns, expected) in rows { #expect(read(text, columns) == expected) }
}

@Test func tablesOfManyToolsAreRead() {
  let rows: [(String, String?, String)] = [
    (
      "timestamp_ns,r,g,b\n1700000000000000000,1,2,3\n1700000000033000000,1,2,3\n", nil,
      "0 33 | time read as nanoseconds, as the column's name \"timestamp_ns\" says"
    ),
    ("t,r,g,b\n0,1,2,3\n33000000,1,2,3\n", nil, "0 33 | time read as nanoseconds, from the spacing of 33000000.000"),
    ("x,r,g,b\n0,1,2,3\n5e6,1,2,3\n", "time=x:ns", "0 5 | time read as nanoseconds, as --columns says"),
    (
      "timeMs,redMean,greenMean,blueMean\n0,1,2,3\n33,1,2,3\n", nil,
      "0 33 | time read as milliseconds, as the column's name \"timeMs\" says"
    ),
    // Comments above the names, or the names as a comment.
    (
      "# a phone\n#\ntime_ms,R,G,B\n0,1,2,3\n33,1,2,3\n", nil,
      "0 33 | time read as milliseconds, as the column's name \"time_ms\" says"
    ),
    (
      "# a phone\n# time_ms,R,G,B\n0,1,2,3\n33,1,2,3\n", nil,
      "0 33 | time read as milliseconds, as the column's name \"time_ms\" says"
    ),
    (
      "# a phone\n0,1,2,3\n33,1,2,3\n", "time=1,red=2,green=3,blue=4",
      "0 33 | time read as milliseconds, from the spacing of 33.000; "
        + "there is no line of column names, so they are called 1, 2, 3"
    ),
    // Units below the names.
    (
      "time,R,G,B\n[s],a.u.,a.u.,a.u.\n0,1,2,3\n0.04,1,2,3\n", nil,
      "0 40 | time read as seconds, as the unit below the column's name says; "
        + "the line below the column names holds units"
    ),
    (
      "time,R,G,B\nms,,,\n0,1,2,3\n40,1,2,3\n", nil,
      "0 40 | time read as milliseconds, as the unit below the column's name says; "
        + "the line below the column names holds units"
    ),
    // Frames without a number; what is not there has the time of a frame.
    (
      "t_ms,r,g,b\n0,1,2,3\n33,NaN,2,3\n66,1,-inf,3\n99,1,2,\n,1,2,3\n133,1,2,3\n", nil,
      "0 133 | time read as milliseconds, as the column's name \"t_ms\" says; "
        + "4 frames without a number are left out, the first in line 3"
    ),
    (
      "t,r,g,b\n0,1,2,3\n1,1,null,3\n2,1,2,3\n", "time=-",
      "0 80 | time read as 25 frames a second, as --rate says; 1 frame without a number is left out, in line 3"
    ),
    // A time stamp that is far ahead of those after it, or beyond all recordings.
    (
      "t_ms,r,g,b\n999999,1,2,3\n33,1,2,3\n66,1,2,3\n99,1,2,3\n", nil,
      "0 33 66 | time read as milliseconds, as the column's name \"t_ms\" says; "
        + "1 frame is left out, whose time of 999999 is far from those beside it"
    ),
    (
      "t_ms,r,g,b\n0,1,2,3\n33,1,2,3\n60066,1,2,3\n60099,1,2,3\n133,1,2,3\n166,1,2,3\n199,1,2,3\n233,1,2,3\n266,1,2,3\n",
      nil,
      "0 33 133 166 199 233 266 | time read as milliseconds, as the column's name \"t_ms\" says; "
        + "2 frames are left out, whose times are far from those beside them, the first 60066"
    ),
    (
      "t_ms,r,g,b\n0,1,2,3\n1700000000000,1,2,3\n1700000000033,1,2,3\n0,1,2,3\n1700000000066,1,2,3\n9e17,1,2,3\n", nil,
      "0 33 66 | time read as milliseconds, as the column's name \"t_ms\" says; "
        + "3 frames are left out, whose times are far from those beside them, the first 0"
    ),
    // Whole seconds.
    (
      "time_s,r,g,b\n0,1,2,3\n0,1,2,3\n0,1,2,3\n1,1,2,3\n1,1,2,3\n1,1,2,3\n", nil,
      "0 0 0 1000 1000 1000 | time read as seconds, as the column's name \"time_s\" says; "
        + "4 of 6 frames repeat a time stamp: go by their rate with --columns time=- --rate 30fps; "
        + "frames are 1000.000 ms apart, as no camera's; is the time's unit right?; "
        + "4 frames repeat a time stamp; 1 gap of more than 0.5 s, the longest 1.000 s"
    ),
  ]
  for (text, columns, expected) in rows {
    #expect(read(text, columns, rate: columns == "time=-" ? 25 : nil) == expected)
  }
}

/// A clock that was set back for good is not taken for one that failed: no frame is left out.
@Test func aClockThatIsSetBackKeepsItsFrames() {
  for setBack in [3.0, 30, 59] {
    let times = (0..<1_800).map { Double($0) / 30 } + (1_800..<2_700).map { Double($0) / 30 - setBack }
    #expect(StampOrder(times, second: 1, longest: 1e6).strays.isEmpty, "\(setBack)")
  }
}

/// Whatever stamps a few frames have, the others keep theirs.
@Test(arguments: UInt64(1)...50) func straysAreFound(seed: UInt64) {
  var random = SeededGenerator(seed: seed, stream: "strays")
  var times = (0..<1_000).map { Double($0) / 30 }
  var expected: [Int] = []
  for _ in 0..<1 + Int(random.uniform() * 8) {
    let index = Int(random.uniform() * 900)
    guard !expected.contains(index) else { continue }
    times[index] += 4 + random.uniform() * 1_000
    expected.append(index)
  }
  #expect(StampOrder(times, second: 1, longest: 1e6).strays == expected.sorted())
}

@Test func whatIsNoRecordingIsRefused() {
  let rows: [(String, String?, String)] = [
    ("", nil, "it is empty; a recording is CSV with a line of column names"),
    ("time,R,G,B\n", nil, "there are no frames in it"),
    ("a\u{0}b", nil, "it is not a text file; a recording is CSV with a line of column names, or a trace"),
    (
      "R,G,B\n1,2,3\n", nil,
      "line 1: no column is named time, t, timestamp or elapsed; there are: R, G, B. "
        + "Name it with --columns time=NAME, or say --rate 30fps"
    ),
    ("t,R,G,B\n1,2,3,4\n", "time=-", "without a time it needs the frame rate: add --rate 30fps"),
    (
      "t,x,y\n1,2,3\n", nil,
      "line 1: no column is named red, green or blue; there are: t, x, y. Name one with --columns red=NAME"
    ),
    (
      "1,2,3,4\n", nil,
      "no column is named time, t, timestamp or elapsed; there are: 1, 2, 3, 4. "
        + "Name it with --columns time=NAME, or say --rate 30fps"
    ),
    ("time,R,G,B\n0,1,2,3\n", "red=ruby", "line 1: there is no column \"ruby\"; there are: time, R, G, B"),
    ("time,R,G,B\n0,1,2,3\n33,x,2,3\n", nil, "line 3: column 2 holds \"x\" where a number belongs"),
    ("time,R,G,B\n0,1,2,3\n33,nano,2,3\n", nil, "line 3: column 2 holds \"nano\" where a number belongs"),
    ("time,R,G,B\nnan,1,2,3\n33,,2,3\n", nil, "there are no frames in it"),
    ("time,R,G,B\nmin,a,b,c\n33,1,2,3\n", nil, "line 2: column 1 holds \"min\" where a number belongs"),
    ("# time,R,G,B\n", nil, "it is empty; a recording is CSV with a line of column names"),
    (
      "time,R,G,B\n99,1,2,3\n66,1,2,3\n33,1,2,3\n0,1,2,3\n", nil,
      "the lines are not in order of time: 3 of 4 go back in \"time\"; sort them by it, "
        + "or go by their rate with --columns time=- --rate 30fps"
    ),
    (
      "time,R,G,B\n0,1,2,3\n0,1,2,3\n0,1,2,3\n1,1,2,3\n1,1,2,3\n1,1,2,3\n", nil,
      "line 1: the spacing of 1.000 in \"time\" is no camera's in s, ms, us or ns; 4 of 6 frames repeat a time stamp: "
        + "go by their rate with --columns time=- --rate 30fps, or say which with --columns time=time:ms"
    ),
    (
      "time,R,G,B\n0,1,2,3\n33,256,2,3\n", nil,
      "line 3: column 2 holds 256; a colour's mean is 0 to 255: scale all colours down alike"
    ),
    (
      "time,R,G,B\n0,1,-2,3\n33,256,2,3\n", nil,
      "line 2: column 3 holds -2; a colour's mean is 0 to 255: give the light itself, not a filtered wave"
    ),
    ("time,R,G,B\n0x10,1,2,3\n", nil, "line 2: column 1 holds \"0x10\" where a number belongs"),
    (
      "t;r;g;b\n1.000,5;1;2;3\n", nil,
      "line 2: column 1 holds \"1.000,5\" where a number belongs; write decimals with a point"
    ),
    (
      "t;r;g;b\n1,000,5;1;2;3\n", nil,
      "line 2: column 1 holds \"1,000,5\" where a number belongs; write decimals with a point"
    ),
    (
      "t,r,g,b\n\"0,5\",1,2,3\n", nil,
      "line 2: column 1 holds \"0,5\" where a number belongs; write decimals with a point"
    ),
    ("t,r,g,b\n0,1,\"2,3\n40,1,2,3\"\n", nil, "line 2: the quotation mark before column 3 is not closed in its line"),
    ("\nt,\"r,g,b\n0,1,2,3\n", nil, "line 2: the quotation mark before column 2 is not closed in its line"),
    ("t,r,g,b\n0,5,1,0,2,0,3,0\n", nil, "line 2: there are 8 columns where 4 have a name"),
    (
      "time_ms,red,t,g,b\n0,1,0,2,3\n", nil,
      "line 1: columns 1 and 3, \"time_ms\" and \"t\", could both be time; name it with --columns time=NAME"
    ),
    ("time,R,G,B\n0,1,2,3\n33,1\n66,1,2,3\n", nil, "line 3: there are 2 columns where 4 belong"),
    (
      "time,R,G,B\n0,1,2,3\n1,1,2,3\n", nil,
      "line 1: the spacing of 1.000 in \"time\" is no camera's in s, ms, us or ns; say which with --columns time=time:ms"
    ),
    ("time,R,G,B\n0,1,2,3\n", "time=time:min", "\"min\" is not a unit of time: write s, ms, us or ns"),
    ("time,R,G,B\n0,1,2,3\n", "alpha=A", "\"alpha\" is not a column: name time, red, green or blue"),
    ("time,R,G,B\n0,1,2,3\n", "red", "\"red\" names no column: write time=NAME:ms,red=NAME,green=NAME,blue=NAME"),
    (
      "time,R,G,B\n0,1,2,3\n1e14,1,2,3\n", "time=time:s",
      "its frames span more than 7 days; is the time's unit right?"
    ),
  ]
  for (text, columns, expected) in rows { #expect(read(text, columns) == expected) }
}

@Test func framesWithoutATimeComeAtTheRate() {
  let rows: [(String, String?, Double, String)] = [
    ("R,G,B\n1,2,3\n1,2,3\n1,2,3\n", nil, 25, "0 40 80 | time read as 25 frames a second, as --rate says"),
    ("R,G,B\n1,2,3\n1,2,3\n", nil, 29.97, "0 33 | time read as 29.97 frames a second, as --rate says"),
    // The time stamps are right: of the two, only they can tell of lost frames.
    (
      "t_ms,R,G,B\n0,1,2,3\n40,1,2,3\n", nil, 30,
      "0 40 | time read as milliseconds, as the column's name \"t_ms\" says; the time stamps say 25 frames a second, "
        + "not 30, and are used; --columns time=- goes by --rate"
    ),
    (
      "t_ms,R,G,B\n0,1,2,3\n33.4,1,2,3\n", nil, 30,
      "0 33 | time read as milliseconds, as the column's name \"t_ms\" says"
    ),
    ("t_ms,R,G,B\n0,1,2,3\n40,1,2,3\n", "time=-", 50, "0 20 | time read as 50 frames a second, as --rate says"),
    ("R,G,B\n1,2,3\n1,2,3\n", nil, 1e-6, "its frames span more than 7 days; is the rate right?"),
  ]
  for (text, columns, rate, expected) in rows { #expect(read(text, columns, rate: rate) == expected) }
}

/// Red, green and blue of the second frame, and what the file calls them.
@Test func oneColourIsEnough() throws {
  let rows: [(String, String?, [Double], [String?])] = [
    ("t_ms,g,r,b\n0,1,2,3\n33,4,5,6\n", nil, [5, 4, 6], ["r", "g", "b"]),
    ("t_ms,Red\n0,1\n33,4\n", nil, [4, 0, 0], ["Red", nil, nil]),
    ("t_ms,Green\n0,1\n33,4\n", nil, [4, 0, 0], ["Green", nil, nil]),
    ("t_ms,ppg\n0,1\n33,4\n", nil, [4, 0, 0], ["ppg", nil, nil]),
    ("t_ms,a,b2\n0,1,2\n33,4,5\n", "red=b2", [5, 0, 0], ["b2", nil, nil]),
    ("t_ms,red,blue\n0,1,2\n33,4,5\n", nil, [4, 0, 5], ["red", nil, "blue"]),
    // Without red, which tells a finger, one of the others stands for it alone.
    ("t_ms,green,blue\n0,1,2\n33,4,5\n", nil, [4, 0, 0], ["green", nil, nil]),
  ]
  for (text, columns, expected, names) in rows {
    let columns = try columns.map { try ColumnNames($0) } ?? ColumnNames()
    let recording = try readRecording(csv: Array(text.utf8), columns: columns)
    #expect(recording.frames.last?.values == expected, "\(text)")
    #expect([recording.colours.red, recording.colours.green, recording.colours.blue] == names, "\(text)")
  }
}

@Test func referenceIntervals() throws {
  let reference = try readReferenceIntervals(Array("800 820\n810,790; 800\r\n".utf8))
  #expect(reference.intervalsMs == [800, 820, 810, 790, 800])
  #expect((reference.heartRateBpm - 60_000 / 804).magnitude < 1e-9)
  #expect((try #require(reference.rmssdMs) - 250.0.squareRoot()).magnitude < 1e-9)
  for (text, message) in [
    ("", "there are no intervals in it"),
    ("800\n0.8\n", "\"0.8\" is not an interval between heartbeats: write milliseconds, 200 to 3000"),
    ("0x3e8", "\"0x3e8\" is not an interval between heartbeats: write milliseconds, 200 to 3000"),
    ("800 x", "\"x\" is not an interval between heartbeats: write milliseconds, 200 to 3000"),
  ] {
    #expect(throws: RecordingError.self) { try readReferenceIntervals(Array(text.utf8)) }
    do { _ = try readReferenceIntervals(Array(text.utf8)) } catch { #expect(error.message == message) }
  }
}

/// No text makes the reader crash or hang, and what it reads are colours.
@Test(arguments: UInt64(1)...200) func noiseIsNoRecording(seed: UInt64) {
  var random = SeededGenerator(seed: seed, stream: "noise")
  let alphabet = Array("0123456789.,;-e\n\r\t \"time,R,G,B\n\u{feff}x".utf8)
  var bytes = seed.isMultiple(of: 2) ? Array("time,R,G,B\n".utf8) : []
  for _ in 0..<200 { bytes.append(alphabet[Int(random.uniform() * Double(alphabet.count))]) }
  do {
    let recording = try readRecording(csv: bytes, columns: ColumnNames())
    #expect(recording.frames.allSatisfy { $0.values.allSatisfy((0...255).contains) })
  } catch {
    #expect(!error.message.isEmpty)
  }
}

/// What is read is the double nearest to the text, as the standard library finds it.
@Test(arguments: UInt64(1)...20) func decimalsAreRoundedOnce(seed: UInt64) {
  var random = SeededGenerator(seed: seed, stream: "decimals")
  for _ in 0..<2_000 {
    let digits = (0...Int(random.uniform() * 19)).map { _ in "0123456789".randomElement(using: &random) ?? "0" }
    let leading = String(repeating: "0", count: Int(random.uniform() * 12))
    var text = [["", "-", "+"].randomElement(using: &random) ?? "", leading, String(digits)].joined()
    let place = text.index(text.startIndex, offsetBy: Int(random.uniform() * Double(text.count + 1)))
    if random.uniform() < 0.8 { text.insert(".", at: place) }
    if random.uniform() < 0.2 { text += "e\(Int(random.uniform() * 40) - 20)" }
    #expect(decimalValue(Array(text.utf8)[...])?.bitPattern == Double(text)?.bitPattern, "\(text)")
  }
}

@Test func whatIsNoDecimal() {
  for text in ["", ".", "-", "+", "1.2.3", "1,5", "--1", "1-", "e", "0x1", "nan", "inf", "1 2", "\u{663}"] {
    #expect(decimalValue(Array(text.utf8)[...]) == nil, "\(text)")
  }
  #expect(decimalValue(Array("0.1".utf8)[...]) == 0.1)
  #expect(decimalValue(Array("0.\(String(repeating: "0", count: 30))1".utf8)[...]) == 1e-31)
}
