import Testing
import VitalsModel

@testable import OximeterProtocols

@Suite struct NoninASCIITests {
  // The forms are those of the operator's manuals of the models 2500 (p. 18), 8500 (p. 15), 8600V (p. 22), 9600
  // (p. 5-3), 9847 (p. 37) and 4100 (p. 32), with values put in.
  @Test(
    arguments: [
      ("SPO2=097 HR=065", .values(65, 97)), ("SPO2=100 HR=321", .values(321, 100)),
      ("SPO2=--- HR=---", .values(nil, nil)),
      ("SPO2=097 HR=065 F", .values(65, 97)), ("SPO2=--- HR=--- F", .values(nil, nil)),
      ("10:24:31 SPO2=097 HR=065", .values(65, 97)), ("10:24:31 SPO2=097 HR=065*", .values(65, 97)),
      ("SPO2=097 HR=065 B", .values(65, 97)), ("SPO2=097 HR=065 F*", .values(65, 97)),
      ("SPO2= 97 HR= 65", .values(65, 97)), ("SPO2=097  HR=065  ", .values(65, 97)),
      ("SPO2=--- HR=065", .values(65, nil)),
      ("SPO2=000 HR=000", .values(nil, nil)),
      ("SPO2=001 HR=127", .values(127, 1)), ("SPO2=100 HR=128", .values(128, 100)),
      ("SPO2=097 HR=255", .values(255, 97)),
      ("SPO2=097 HR=256", .values(256, 97)), ("SPO2=097 HR=400", .values(400, 97)),
      // What cannot be, and what is cut, doubled or garbled.
      ("SPO2=101 HR=065", .refused), ("SPO2=097 HR=401", .refused), ("SPO2=097 HR=511", .refused),
      ("SPO2=97 HR=065", .refused), ("SPO2=0977 HR=065", .refused), ("SPO2=097 HR=65", .refused),
      ("SPO2=097 HR=0655", .refused), ("SPO2=097HR=065", .refused), ("SPO2=09A HR=065", .refused),
      ("SPO2=0-7 HR=065", .refused), ("SPO2=9 7 HR=065", .refused), ("SPO2=    HR=065", .refused),
      ("SPO2=097 HR=065 FF", .refused), ("SPO2=097 HR=065 X", .refused), ("SPO2=097 HR=065 SPO2=097 HR=065", .refused),
      ("7 HR=065", .refused), ("10:24:3 SPO2=097 HR=065", .refused), ("10:24:31SPO2=097 HR=065", .refused),
      ("SPO2=097", .refused), ("HR=065", .refused), ("SPO2=097 BPM=065", .refused), ("no line at all", .refused),
      // Headings of power-up, of which no manual gives the words.
      ("REAL TIME DATA 02/24/18 04:48:53", .known()), ("10:24:31", .known()), ("10:24:31 SPO2:097", .known()),
      ("10:24:31 SPO2=", .refused),
    ] as [(String, LineOutcome)])
  func says(_ line: String, _ expected: LineOutcome) { check(NoninLines.self, line, expected) }

  @Test func verifies() {
    TextLineVerifier(oximeter: .noninASCII, steps: NoninLines.steps).verifyEncoded()
  }

  @Test func encodes() {
    var encoder = NoninASCIIEncoder()
    let readings = [
      OximeterReading(pulseRateBpm: 65, spo2Percent: 97), OximeterReading(flags: .fingerOut),
      OximeterReading(pulseRateBpm: 321, spo2Percent: 100), OximeterReading(pulseRateBpm: 401, spo2Percent: 101),
    ]
    let lines = readings.flatMap { encoder.encode(OximeterMoment(pleth: 0, reading: $0, clockSeconds: 572_763_533)) }
    #expect(
      String(decoding: lines, as: UTF8.self) == """
        REAL TIME DATA 02/24/18 04:58:53\r\n\
        SPO2=097 HR=065\r\nSPO2=--- HR=---\r\nSPO2=100 HR=321\r\nSPO2=--- HR=---\r\n
        """)
  }
}
