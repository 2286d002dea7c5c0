import Scenarios
import Testing

@Suite struct QuantityTextTests {
  @Test(
    arguments: [
      (Quantity.heartRate, "66 bpm", 66.0), (.heartRate, "66bpm", 66), (.heartRate, "72.5  bpm", 72.5),
      (.heartRate, "0 bpm", 0), (.heartRate, "66 bpm ", 66),
      (.time, "1m30s", 90), (.time, "1m 30s", 90), (.time, "1 m 30 s", 90), (.time, "1500ms", 1.5), (.time, "0s", 0),
      (.time, "1.5m", 90), (.time, "70 ms", 0.07), (.time, "250 us", 0.000_25), (.time, "2h", 7_200),
      (.time, "1h2m3s4ms5us", 3_723.004_005), (.time, "1m0.5s", 60.5),
      (.milliseconds, "40 ms", 40), (.milliseconds, "0.04 s", 40),
      (.perMinute, "14 /min", 14), (.perMinute, "14/min", 14), (.percent, "2 %", 2), (.percent, "0.3%", 0.3),
      (.frameRate, "29.97 fps", 29.97), (.number, "3", 3), (.number, "0.25", 0.25),
      (.frameRate, "23.976 fps", 23.976), (.frequency, "50 Hz", 50), (.frequency, "0.25Hz", 0.25),
      (.partsPerMillion, "20 ppm", 20), (.stops, "0.5 EV", 0.5),
    ] as [(Quantity, String, Double)])
  func reads(quantity: Quantity, text: String, value: Double) throws {
    #expect(try quantity.value(text) == value)
  }

  @Test(
    arguments: [
      ("-20 ppm", -20), ("\u{2212}20.5ppm", -20.5), ("+20 ppm", 20), ("20 ppm", 20), ("-0 ppm", 0),
    ] as [(String, Double)])
  func readsASignWhereThereCanBeOne(text: String, value: Double) throws {
    let read = try Quantity.partsPerMillion.value(text, canBeNegative: true)
    #expect(read == value)
    #expect(read.sign == (value < 0 ? .minus : .plus))
  }

  @Test(
    arguments: [
      ("-20", "a deviation needs its unit", "write \"-20 ppm\""),
      ("- 20 ppm", "\"- 20 ppm\" is not a deviation", "write \"-20 ppm\""),
      ("-2,5 ppm", "\"2,5 ppm\" is not a deviation", "write \"-2.5 ppm\""),
      ("-20 Hz", "a deviation is given in ppm, not \"Hz\"", "write \"-20 ppm\""),
      ("--20 ppm", "\"--20 ppm\" is not a deviation", "write \"-20 ppm\""),
      ("+-20 ppm", "\"+-20 ppm\" is not a deviation", "write \"-20 ppm\""),
      ("-", "\"-\" is not a deviation", "for instance \"20 ppm\""),
    ] as [(String, String, String?)])
  func refusesWithASign(text: String, message: String, advice: String?) {
    let mistake = #expect(throws: QuantityMistake.self) {
      try Quantity.partsPerMillion.value(text, canBeNegative: true)
    }
    #expect(mistake?.message == message)
    #expect(mistake?.advice == advice)
  }

  @Test(
    arguments: [
      (Quantity.heartRate, "66", "a heart rate needs its unit", "write \"66 bpm\""),
      (.time, "90", "a time needs its unit", "write \"90 s\""),
      (.time, "1m30", "a time needs its unit", "write \"1m30s\""),
      (.milliseconds, "40", "an interval needs its unit", "write \"40 ms\""),
      (.heartRate, "66 BPM", "a heart rate is given in bpm, not \"BPM\"", "write \"66 bpm\""),
      (.heartRate, "66 ms", "a heart rate is given in bpm, not \"ms\"", "write \"66 bpm\""),
      (.heartRate, "1.1 Hz", "a heart rate is given in bpm, not \"Hz\"", "write \"66 bpm\""),
      (.heartRate, "1.234hz", "a heart rate is given in bpm, not \"hz\"", "write \"74.04 bpm\""),
      (.time, "1M", "a time is given in h, m, s, ms or us, not \"M\"", "for instance \"1m30s\""),
      (.time, "1d", "a time is given in h, m, s, ms or us, not \"d\"", "for instance \"1m30s\""),
      (.time, "5 bpm", "a time is given in h, m, s, ms or us, not \"bpm\"", "for instance \"1m30s\""),
      (.number, "3 s", "a plain number has no unit", "write \"3\""),
      (.time, "-5s", "a time cannot be negative", nil),
      (.time, "- 5 s", "a time cannot be negative", nil),
      (.heartRate, "\u{2212}5 bpm", "a heart rate cannot be negative", nil),
      (.number, "-1", "a number cannot be negative", nil),
      (.time, "", "a time is missing", "for instance \"1m30s\""),
      (.time, "m", "\"m\" is not a time", "for instance \"1m30s\""),
      (.time, "30s1m", "\"30s1m\" is not a time", "for instance \"1m30s\""),
      (.time, "1s1s", "\"1s1s\" is not a time", "for instance \"1m30s\""),
      (.time, "1.5m3s", "\"1.5m3s\" is not a time", "for instance \"1m30s\""),
      (.time, "5. s", "\"5. s\" is not a time", "for instance \"1m30s\""),
      (.time, ".5 s", "\".5 s\" is not a time", "write \"0.5 s\""),
      (.time, "1e3 s", "\"1e3 s\" is not a time", "for instance \"1m30s\""),
      (.time, "+5 s", "\"+5 s\" is not a time", "for instance \"1m30s\""),
      (.time, "5 5 s", "\"5 5 s\" is not a time", "for instance \"1m30s\""),
      (.time, "5\u{a0}s", "\"5\\u{a0}s\" is not a time", "write \"5 s\""),
      (.percent, "2,5 %", "\"2,5 %\" is not a percentage", "write \"2.5 %\""),
      (.number, "nan", "\"nan\" is not a number", "for instance \"3\""),
      (.number, "inf", "\"inf\" is not a number", "for instance \"3\""),
      (.number, ".inf", "\".inf\" is not a number", "for instance \"3\""),
      (.number, "0x10", "\"0x10\" is not a number", "for instance \"3\""),
      (.number, "٣", "\"٣\" is not a number", "for instance \"3\""),
      (.time, "99999999999999999999 s", "the number is too large", nil),
    ] as [(Quantity, String, String, String?)])
  func refuses(quantity: Quantity, text: String, message: String, advice: String?) {
    let mistake = #expect(throws: QuantityMistake.self) { try quantity.value(text) }
    #expect(mistake?.message == message)
    #expect(mistake?.advice == advice)
  }

  @Test(
    arguments: [
      (Quantity.heartRate, 66.0, "66 bpm"), (.heartRate, 72.5, "72.5 bpm"), (.time, 0, "0 s"), (.time, 0.07, "70 ms"),
      (.time, 1.5, "1.5 s"), (.time, 90, "90 s"), (.time, 86_400, "24 h"), (.milliseconds, 40, "40 ms"),
      (.perMinute, 14, "14 /min"), (.percent, 0.25, "0.25 %"), (.frameRate, 29.97, "29.97 fps"), (.number, 3, "3"),
      (.frequency, 50, "50 Hz"), (.partsPerMillion, -20.5, "-20.5 ppm"), (.stops, -1, "-1 EV"),
    ] as [(Quantity, Double, String)])
  func writes(quantity: Quantity, value: Double, text: String) throws {
    #expect(quantity.text(value) == text)
    #expect(try quantity.value(text, canBeNegative: true) == value)
  }
}
