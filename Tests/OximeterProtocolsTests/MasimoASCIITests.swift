import Testing
import VitalsModel

@testable import OximeterProtocols

@Suite struct MasimoASCIITests {
  private static let head = "02/24/18 04:48:53 SN=0000145838 "

  @Test(
    arguments: [
      // Received from a Rad-8: as quoted by hansmuc/NellcorN560Seriell, and by an open reader's README of 2016.
      (
        "02/24/18 04:48:53 SN=0000145838 SPO2=097% BPM=080 PI=04.96% SPCO=--.-% SPMET=--.-% DESAT=-- PIDELTA=+-- ALARM=0000 EXC=000800",
        .values(80, 97, perfusionHundredths: 496)
      ),
      (
        "02/22/16 22:47:49 SN=0000056661 SPO2=098% BPM=097 PI=02.41% SPCO=--.-% SPMET=--.-% DESAT=-- PIDELTA=+-- ALARM=0000 EXC=000800",
        .values(97, 98, perfusionHundredths: 241)
      ),
      // The sensor is off and the values stand still, with an alarm and a faint pulse: an open reader's comment, 2021.
      (
        "05/20/21 14:06:02 SN=0000182948 SPO2=098% BPM=101 PI=--.--% SPCO=--.-% SPMET=--.-% DESAT=-- PIDELTA=+-- ALARM=0010 EXC=000824",
        .values(101, 98, [.fingerOut, .lowPerfusion, .alarm], stale: true)
      ),
      // The pulse is too slow, and the alarm muted: an open reader of the Rad-8.
      (
        "03/06/05 21:11:30 SN=0000066575 SPO2=098% BPM=057 PI=07.02% SPCO=--.-% SPMET=--.-% DESAT=-- PIDELTA=+-- ALARM=0038 EXC=000800",
        .values(57, 98, perfusionHundredths: 702, .alarm)
      ),
      // No sensor: nmenon/masimo-datacapture.
      (
        "03/19/16 13:37:12 SN=0000093112 SPO2=---% BPM=---% DESAT=-- PIDELTA=+-- ALARM=0000 EXC=000001",
        .values(nil, nil, .sensorFault)
      ),
      // A Radical-7, of another build: nmenon/masimo-datacapture.
      (
        "03/17/16 19:19:36 SN=---------- SPO2=098% BPM=123 PI=00.55 SPCO=--% SPMET=--.-% SPHB=--.- SPOC=-- RESVD=--- DESAT=-- PIDELTA=+-- PVI=--- ALARM=000000 EXC=0000C00 EXC1=00000000",
        .values(123, 98, perfusionHundredths: 55, .artifact)
      ),
      // A Radical-7 and a Radical-5: the examples of an open reader.
      (
        "12/01/05 11:56:29 SN=0123456789 SPO2=098% BPM=240 PI=20.00% SPCO=01.0% SPMET=00.5% DESAT=01 PIDELTA=-02 PVI=027 ALARM=0000 EXC=000820",
        .values(240, 98, perfusionHundredths: 2000, .fingerOut, stale: true)
      ),
      (
        "09/15/10 15:10:29 SPO2=097% BPM=064 PI=11.82% ALARM=20 EXC=800",
        .values(64, 97, perfusionHundredths: 1182)
      ),
      // The trend: the manual of the Rad-8. It is of the past.
      ("07/21/04 09:56:12 SpO2=097 PR=069 PI=04.69 EXC=800:SET", .known()),
      ("07/21/04 09:56:14 SpO2=000 PR=000 PI=00.00 EXC=001", .known()),
      ("07/21/04 09:56:12 SpO2=101 PR=069 PI=04.69 EXC=800:SET", .refused),
    ] as [(String, LineOutcome)])
  func saysInPublic(_ line: String, _ expected: LineOutcome) { check(MasimoLines.self, line, expected) }

  @Test(
    arguments: [
      // The bits of EXC and of ALARM.
      ("SPO2=097% BPM=080 EXC=000", .values(80, 97)), ("SPO2=097% BPM=080 EXC=802", .values(80, 97, .sensorFault)),
      ("SPO2=097% BPM=080 EXC=801", .values(80, 97, .sensorFault, stale: true)),
      ("SPO2=097% BPM=080 EXC=804", .values(80, 97, .lowPerfusion)),
      ("SPO2=097% BPM=080 EXC=808", .values(80, 97, .searching)),
      ("SPO2=097% BPM=080 EXC=810", .values(80, 97, .artifact)),
      ("SPO2=097% BPM=080 EXC=840", .values(80, 97, .artifact)),
      ("SPO2=097% BPM=080 EXC=880", .values(80, 97, .sensorFault)),
      ("SPO2=097% BPM=080 EXC=b00", .values(80, 97)), ("SPO2=097% BPM=080 EXC=001800", .values(80, 97, .sensorFault)),
      ("SPO2=097% BPM=080 EXC=7E2800", .values(80, 97)),
      ("SPO2=097% BPM=080 ALARM=0040 EXC=800", .values(80, 97, .lowBattery)),
      ("SPO2=097% BPM=080 ALARM=0001 EXC=800", .values(80, 97, .alarm)),
      // Values of every width and order, and none.
      ("EXC=000800 BPM=321 PVI=012 SPO2=100", .values(321, 100)), ("SPO2=97% BPM=80 EXC=800", .values(80, 97)),
      ("SPO2=097% BPM=127 EXC=800", .values(127, 97)), ("SPO2=097% BPM=128 EXC=800", .values(128, 97)),
      ("SPO2=097% BPM=255 EXC=800", .values(255, 97)), ("SPO2=097% BPM=256 EXC=800", .values(256, 97)),
      ("SPO2=-% BPM=----- PI=-- EXC=800", .values(nil, nil)), ("SPO2=000% BPM=000 EXC=800", .values(nil, nil)),
      ("SPO2=097% BPM=080 PI=0.03 EXC=800", .values(80, 97, perfusionHundredths: 3)),
      ("SPO2=097% BPM=080 PI=00.00 EXC=800", .values(80, 97, perfusionHundredths: 0)),
      // What cannot be, and what is cut, doubled or garbled.
      ("SPO2=101% BPM=080 EXC=800", .refused), ("SPO2=097% BPM=401 EXC=800", .refused),
      ("SPO2=097% BPM=080 PI=04.9% EXC=800", .refused), ("SPO2=097% BPM=080 PI=0496% EXC=800", .refused),
      ("SPO2=0977% BPM=080 EXC=800", .refused), ("SPO2=0A7% BPM=080 EXC=800", .refused),
      ("SPO2=0-7% BPM=080 EXC=800", .refused), ("SPO2=% BPM=080 EXC=800", .refused),
      ("SPO2=097% BPM=080", .refused), ("SPO2=097% EXC=800", .refused), ("BPM=080 EXC=800", .refused),
      ("SPO2=097% BPM=080 EXC=80G", .refused), ("SPO2=097% BPM=080 EXC=", .refused),
      ("SPO2=097% BPM=080 EXC=0", .values(80, 97)),
      ("SPO2=097% BPM=080 EXC=000000800", .refused), ("SPO2=097% SPO2=097% BPM=080 EXC=800", .refused),
      ("SPO2=097% BPM=080 PR=080 EXC=800", .refused), ("SPO2=097%BPM=080 EXC=800", .refused),
      ("SPO2=097% BPM=080 ALARM EXC=800", .refused), ("=097% SPO2=097% BPM=080 EXC=800", .refused),
    ] as [(String, LineOutcome)])
  func says(_ values: String, _ expected: LineOutcome) { check(MasimoLines.self, Self.head + values, expected) }

  /// A line without its beginning is none.
  @Test(arguments: [
    "", "4:48:53 ", "02/24/18 ", "02/24/18", "02/24/1804:48:53 ", "2/24/18 04:48:53 ", "02-24-18 04:48:53 ",
  ])
  func refusesBeginning(_ beginning: String) {
    check(MasimoLines.self, beginning + "SPO2=097% BPM=080 EXC=800", .refused)
  }

  /// A digit that is lost from the flags, or comes twice, makes other flags of them: such a line is none. A width that
  /// stays is that of another device.
  @Test(arguments: [
    ("800 800 800 800", "800 800 800 800"), ("800 800 800 8200 800 800 800", "800 800 800 800 800 800"),
    ("000820 000820 000820 00820 000820 000820 000820", "000820 000820 000820 000820 000820 000820"),
    ("800 800 800 0000800 0000800 0000800 0000800", "800 800 800 0000800 0000800 0000800"),
  ])
  func refusesFlagsOfAnotherWidth(_ sent: String, _ given: String) {
    var decoder = OximeterProtocol.masimoASCII.decoder()
    var texts: [Int: Substring] = [:]
    var bytes: [UInt8] = []
    for exceptions in sent.split(separator: " ") {
      bytes += Array("02/24/18 04:48:53 SPO2=097% BPM=080 ALARM=0000 EXC=\(exceptions)\r".utf8)
      texts[bytes.count] = exceptions
    }
    #expect(decoder.decode(bytes).compactMap { texts[$0.end] }.joined(separator: " ") == given)
  }

  /// The serial number is told once three lines in a row have it, and again when it is another.
  @Test(arguments: [
    ("1 1 1 1", "- - 1 -"), ("1 2 1 1 1", "- - - - 1"), ("- - - -", "- - - -"), ("1 1 1 2 1 1", "- - 1 - - -"),
    ("1 1 1 2 2 2", "- - 1 - - 2"),
  ])
  func tellsSerialNumber(_ numbers: String, _ told: String) {
    var decoder = OximeterProtocol.masimoASCII.decoder()
    let lines = numbers.split(separator: " ").map { "02/24/18 04:48:53 SN=\($0) SPO2=097% BPM=080 EXC=800\n\r" }
    let answers = decoder.decode(Array(lines.joined().utf8)).map { frame -> String in
      if case .deviceID(let number) = frame.answer { return number }
      return "-"
    }
    #expect(answers.joined(separator: " ") == told)
  }

  @Test func verifies() {
    TextLineVerifier(oximeter: .masimoASCII, steps: MasimoLines.steps).verifyEncoded()
  }

  @Test func encodes() {
    let readings: [(OximeterReading, String)] = [
      (
        OximeterReading(pulseRateBpm: 80, spo2Percent: 97, perfusionIndexHundredths: 496),
        "SPO2=097% BPM=080 PI=04.96% # ALARM=0000 EXC=000800"
      ),
      (OximeterReading(flags: .fingerOut), "SPO2=---% BPM=--- PI=--.--% # ALARM=0000 EXC=000820"),
      (
        OximeterReading(
          pulseRateBpm: 321, spo2Percent: 100, perfusionIndexHundredths: 10_000,
          flags: [.searching, .artifact, .lowPerfusion, .sensorFault, .lowBattery, .alarm]),
        "SPO2=100% BPM=321 PI=--.--% # ALARM=0052 EXC=00081E"
      ),
    ]
    for (reading, text) in readings {
      let bytes = MasimoASCIIEncoder().encode(OximeterMoment(pleth: 0, reading: reading, clockSeconds: 572_763_533))
      let line = String(decoding: bytes, as: UTF8.self)
      let expected = text.split(separator: "#").joined(separator: "SPCO=--.-% SPMET=--.-% DESAT=-- PIDELTA=+--")
      #expect(line == "02/24/18 04:58:53 SN=0000012345 \(expected)\r\n")
    }
  }
}
