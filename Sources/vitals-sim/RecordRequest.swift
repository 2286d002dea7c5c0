import OximeterProtocols
import Scenarios
import VitalsModel

/// What `record` was asked for.
struct RecordRequest: Sendable {
  /// Where the oximeter is.
  var port = OximeterPortRequest()
  /// Nil: until it is interrupted.
  var length: TimeSpan?
  /// Where the recording goes; `-` is standard output.
  var output: String?
  var replacesOutput = false
  /// Whether a device that can speak several formats, and keeps the one it was set to, is told to use the protocol's.
  var setsFormat = false
  /// How long a pulse is waited for.
  var patience = TimeSpan.seconds(30)
  /// Refuses options that do not go together.
  func check() throws(Refusal) {
    switch port.speaks {
    case .noninDF2, .noninDF7, .noninDF8: break
    case .contecV5, .contecV7, .bci, .noninASCII, .masimoASCII, .nellcorASCII, nil:
      guard setsFormat else { return }
      throw Refusal(request: "--set-format needs --protocol nonin-df2, nonin-df7 or nonin-df8")
    }
  }

  /// What the user says of device and subject, by its key in the header.
  var labels: [(key: String, text: String)] = []

  static let options: [Option<RecordRequest>] =
    [
      Option("oximeter", about: "its serial port, such as /dev/ttyUSB0", .value("PORT") { $0.port.path = $1 }),
      Option("output", "o", about: "where to write, line by line; - is standard output", .value("FILE", setOutput)),
      Option("force", "f", about: "replace FILE when it is there", .flag { $0.replacesOutput = true }),
      Option("for", about: "how long, such as 60s or 8h; until Ctrl-C", .value("TIME", setLength)),
      Option("protocol", about: "what it speaks; auto, which is the standard, finds out", .value("NAME", setProtocol)),
      Option("baud", about: "the speed of its line; as usual for the protocol", .value("N", setBaud)),
      Option(
        "set-format", about: "tell a nonin device to use the format of --protocol", .flag { $0.setsFormat = true }),
      Option("wait", about: "how long to wait for a pulse; 30s", .value("TIME", setPatience)),
    ] + labelOptions

  /// The options that only describe, each with its key in the header.
  private static let labelOptions = [
    label("device", "deviceName", "its name, for the header"),
    label("serial-number", "serialNumber", "its serial number, for the header"),
    label("firmware", "firmware", "the version of its software, for the header"),
    label("operator", "operator", "who records, for the header"),
    label("subject", "subject", "a code for the subject, for the header; no name"),
    label("finger", "finger", "which finger, such as left-index, for the header"),
  ]

  private static func label(_ option: String, _ key: String, _ about: String) -> Option<RecordRequest> {
    Option(
      option, about: about,
      .value("TEXT") { (request, text) throws(Refusal) in
        try refuseSecond(request.labels.first { $0.key == key }?.text, "--\(option)")
        guard !text.isEmpty, text.unicodeScalars.count <= 200 else {
          throw Refusal(request: "--\(option): a text of 1 to 200 characters is needed")
        }
        request.labels.append((key, text))
      })
  }

  @Sendable private static func setOutput(_ request: inout RecordRequest, _ text: String) throws(Refusal) {
    try refuseSecond(request.output, "-o")
    request.output = try fileName(text, of: "-o")
  }

  @Sendable private static func setLength(_ request: inout RecordRequest, _ text: String) throws(Refusal) {
    request.length = try time(text, of: "--for", from: 1, to: 604_800, range: "1s to 168h, a week")
  }

  @Sendable private static func setPatience(_ request: inout RecordRequest, _ text: String) throws(Refusal) {
    request.patience = try time(text, of: "--wait", from: 1, to: 3_600, range: "1s to 1h")
  }

  private static func time(
    _ text: String, of option: String, from least: Double, to most: Double, range: String
  ) throws(Refusal) -> TimeSpan {
    let seconds = try value(.time, text, of: option)
    guard (least...most).contains(seconds) else {
      throw Refusal(request: "\(option) \(text.asShellWord): it takes \(range)")
    }
    return TimeSpan(seconds: seconds)
  }

  @Sendable private static func setProtocol(_ request: inout RecordRequest, _ text: String) throws(Refusal) {
    try request.port.setProtocol(text)
  }

  @Sendable private static func setBaud(_ request: inout RecordRequest, _ text: String) throws(Refusal) {
    try request.port.setBaud(text)
  }
}

/// Which oximeter is meant, and what it speaks.
struct OximeterPortRequest: Sendable {
  var path: String?
  /// Nil: found out.
  var speaks: OximeterProtocol?
  /// Nil: as usual for the protocol.
  var baud: Int?

  mutating func setProtocol(_ text: String) throws(Refusal) {
    speaks = text == "auto" ? nil : try knownProtocol(text)
  }

  mutating func setBaud(_ text: String) throws(Refusal) {
    let isPlain = text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    guard isPlain, let baud = Int(text), (300...4_000_000).contains(baud) else {
      throw Refusal(request: "\(text.shown) is not a line speed", hint: "write a number of baud such as 19200")
    }
    self.baud = baud
  }

  /// The port, and how its line is set where the protocol is given; refuses what does not go together.
  func checked(for command: String) throws(Refusal) -> (path: String, known: (OximeterProtocol, LineSettings)?) {
    guard let path, !path.isEmpty else {
      throw Refusal(
        request: "\(command) needs --oximeter PORT: the serial port of the oximeter",
        hint: "vitals-sim devices lists the ports of this machine")
    }
    guard let speaks else {
      if baud != nil {
        throw Refusal(request: "--baud needs --protocol: auto tries the speeds of every protocol itself")
      }
      return (path, nil)
    }
    let usual = speaks.lineSettings
    guard let baud else { return (path, (speaks, usual[0])) }
    let known = usual.first { $0.baud == baud }
    return (path, (speaks, known ?? LineSettings(baud: baud, parity: usual[0].parity)))
  }
}

/// The protocol of that name.
func knownProtocol(_ text: String) throws(Refusal) -> OximeterProtocol {
  if let found = OximeterProtocol(rawValue: text) { return found }
  let known = OximeterProtocol.allCases.map(\.rawValue)
  let meant = nearest(to: text, among: known).map { "did you mean \($0)?" }
  throw Refusal(
    request: "unknown protocol \(text.shown)", hint: meant ?? "known are \(known.joined(separator: ", "))")
}
