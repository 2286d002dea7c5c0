import Testing
import VitalsModel

@testable import OximeterProtocols

@Suite struct NellcorASCIITests {
  @Test(
    arguments: [
      // Received from an N-560: the lines in the tests of an open reader (cosmopusher), and as quoted by
      // hansmuc/NellcorN560Seriell.
      ("29-Dec-17 07:18:43    99      66      12                     ", .values(66, 99)),
      ("29-Dec-17 07:18:45    99      66      17    MO               ", .values(66, 99, .artifact)),
      ("29-Dec-17 07:18:57    89*     66     201    MO SL            ", .values(66, 89, [.artifact, .alarm])),
      ("29-Dec-17 07:19:01    79*     66      18    MO SL       AS   ", .values(66, 79, [.artifact, .alarm])),
      ("29-Dec-17 07:19:07    77*     70       8       SL       AS   ", .values(70, 77, .alarm)),
      ("29-Dec-17 07:19:29   ---     ---     ---    SD          AS   ", .values(nil, nil, .sensorFault)),
      ("29-Dec-17 07:19:59   ---     ---     ---    SO               ", .values(nil, nil, .fingerOut)),
      ("29-Dec-17 07:20:27     0       0     ---    PS               ", .values(nil, nil, .searching)),
      ("29-Dec-17 07:21:13    96      63     ---    PS                  ", .values(63, 96, .searching)),
      ("07-Jan-04 11:24:54   100     102      36    MO             AO", .values(102, 100, .artifact)),
      ("N-560    VERSION 1.56.00    CRC:XXXX  SpO2 Limit: 90-100%    PR Limit: 60-170BPM", .known(.model("N-560"))),
      ("                             ADULT            0SAT-S ", .known()),
      ("                              ADULT           25SAT-S ", .known()),
      ("TIME                 %SpO2   BPM     PA     Status", .known()),
      // The memory of a handheld device, in a public account of it.
      ("18-FEB-09 10:00:21    97      98     092         ", .values(98, 97)),
      ("18-FEB-09 10:00:24    97     100     107         ", .values(100, 97)),
      ("18-FEB-09 10:00:28    98     105     057    MO     ", .values(105, 98, .artifact)),
      ("TIME                 %SPO2   BPM     PA   Status ", .known()),
      // The manuals of the NPB-290 and the N-395, whose columns the text of the page does not keep.
      ("12-NOV-97 14:00:05 100 120 50", .values(120, 100)),
      ("NPB-290 VERSION 1.0.0.1 CRC: XXXX SpO2 Limit: 30-100% PR Limit: 100-180BPM", .known(.model("NPB-290"))),
      ("TIME %SPO2 BPM PA Status", .known()), ("Output Complete", .known()),
      // An open reader of the N-595.
      ("          ADULT        0SAT-S     SPO2 RESP MODE: NORMAL", .known()),
      // Codes.
      ("29-Dec-17 07:18:43    99      66      12    LB", .values(66, 99, .lowBattery)),
      ("29-Dec-17 07:18:43    99      66      12    LM", .values(66, 99, [.artifact, .searching])),
      ("29-Dec-17 07:18:43    99      66      12    LP", .values(66, 99, .searching)),
      ("29-Dec-17 07:18:43    99      66*     12       PL", .values(66, 99, .alarm)),
      ("29-Dec-17 07:18:43    99      66      12       SH PH", .values(66, 99, .alarm)),
      ("29-Dec-17 07:18:43    99      66      12    SO", .values(66, 99, .fingerOut, stale: true)),
      ("29-Dec-17 07:18:43    99      66      12    SD", .values(66, 99, .sensorFault, stale: true)),
      ("29-Dec-17 07:18:43    99      66      12    ZZ", .values(66, 99)),
      // Pulse rates.
      ("29-Dec-17 07:18:43    99     127      12", .values(127, 99)),
      ("29-Dec-17 07:18:43    99     128      12", .values(128, 99)),
      ("29-Dec-17 07:18:43    99     255      12", .values(255, 99)),
      ("29-Dec-17 07:18:43    99     256      12", .values(256, 99)),
      ("29-Dec-17 07:18:43    99     321      12", .values(321, 99)),
      // What cannot be, and what is cut, doubled or garbled.
      ("29-Dec-17 07:18:43   101      66      12", .refused), ("29-Dec-17 07:18:43    99     401      12", .refused),
      ("29-Dec-17 07:18:43    99      66", .refused), ("29-Dec-17 07:18:43    99      66      12    M", .refused),
      ("29-Dec-17 07:18:43    99      66      12    MOSL", .refused),
      ("29-Dec-17 07:18:43    99      66      12    mo", .refused),
      ("29-Dec-17 07:18:43    00      66      12", .refused), ("29-Dec-17 07:18:43    99      06      12", .refused),
      ("29-Dec-17 07:18:43   099     066     012", .values(66, 99)),
      ("29-Dec-17 07:18:43    9A      66      12", .refused), ("29-Dec-17 07:18:43    9-      66      12", .refused),
      ("29-Dec-17 07:18:43    *       66      12", .refused), ("29-Dec-17 07:18:43    99**    66      12", .refused),
      ("29-Dec-17 07:18:43 99 66 12 44", .refused), ("29-Dec-17 07:18:4    99      66      12", .refused),
      ("29-Dex-17 07:18:43    99      66      12", .refused), ("9-Dec-17 07:18:43    99      66      12", .refused),
      ("29-Dec-17  07:18:43    99      66      12", .values(66, 99)),
      ("29-Dec-1707:18:43    99      66      12", .refused),
      ("07:18:43    99      66      12", .refused), ("VERSION 1.56.00", .refused), ("N-560 VERSION", .refused),
      ("TIME", .refused), ("no line at all", .refused),
    ] as [(String, LineOutcome)])
  func says(_ line: String, _ expected: LineOutcome) { check(NellcorLines.self, line, expected) }

  /// The first heading tells the model and the second the version; a dump of the past gives no readings, until it ends.
  @Test(
    arguments: [
      (["N-560 VERSION 1.56.00 CRC:XXXX", "TIME %SpO2"], [.known(.model("N-560")), .known(.firmware("1.56.00"))]),
      (
        ["N-560 VERSION 1.56.00 CRC:XXXX", " ADULT 0SAT-S", "TIME %SpO2"],
        [.known(.model("N-560")), .known(.firmware("1.56.00")), .known()]
      ),
      (
        [
          "NPB-290 VERSION 1.0.0.1 TREND SpO2 Limit", "22-NOV-97 14:00:05 100 120 150", "Output Complete",
          "22-NOV-97 14:00:05 100 120 150",
        ],
        [.known(.model("NPB-290")), .known(), .known(), .values(120, 100)]
      ),
      (
        [
          "NPB-290 VERSION 1.0.0.1 TREND SpO2 Limit", "22-NOV-97 14:00:05 100 120 150",
          "NPB-290 VERSION 1.0.0.1 CRC: XXXX", "22-NOV-97 14:00:05 100 120 150",
        ],
        [.known(.model("NPB-290")), .known(), .known(.model("NPB-290")), .values(120, 100)]
      ),
    ] as [([String], [LineOutcome])])
  func saysInARow(_ lines: [String], _ expected: [LineOutcome]) {
    var grammar = NellcorLines()
    #expect(lines.map { LineOutcome(grammar.meaning(of: Array($0.utf8))) } == expected)
  }

  @Test func verifies() {
    TextLineVerifier(oximeter: .nellcorASCII, steps: NellcorLines.steps).verifyEncoded()
  }

  @Test func encodes() {
    let readings: [(OximeterReading, String)] = [
      (
        OximeterReading(pulseRateBpm: 66, spo2Percent: 99, signalStrength: 1),
        "    99      66      12                     "
      ),
      (
        OximeterReading(pulseRateBpm: 66, spo2Percent: 79, signalStrength: 0, flags: [.artifact, .alarm, .lowBattery]),
        "    79*     66       0    MO SL    LB      "
      ),
      (
        OximeterReading(pulseRateBpm: 200, spo2Percent: 100, flags: .alarm),
        "   100     200*     48          PH         "
      ),
      (OximeterReading(flags: [.fingerOut, .searching]), "   ---     ---     ---    SO               "),
      (
        OximeterReading(pulseRateBpm: 401, spo2Percent: 99, flags: [.searching, .artifact]),
        "    99     ---     ---    LM               "
      ),
    ]
    var encoder = NellcorASCIIEncoder()
    for (index, (reading, text)) in readings.enumerated() {
      let bytes = encoder.encode(OximeterMoment(pleth: 0, reading: reading, clockSeconds: 572_763_533))
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
      #expect(lines.last == "24-Feb-18 04:58:53\(text)")
      #expect(lines.count == (index == 0 ? 4 : 1))
    }
  }

  /// Headings come at the start and every 25 lines.
  @Test func encodesHeadings() {
    let lines = String(decoding: DeviceStream.encoded(.nellcorASCII, frames: 60), as: UTF8.self).split(
      separator: "\r\n")
    #expect(lines.indices.filter { lines[$0].hasPrefix("N-560    VERSION 1.61.00    CRC:XXXX") } == [0, 28, 56])
    #expect(lines.count == 69)
  }
}
