import OximeterProtocols
import Recordings
import Scenarios
import Traces
import VitalsModel

let decodeCommand = Command(
  "decode", "FILE [options]", about: "say what is in bytes that came from a pulse oximeter",
  details: [
    "FILE holds bytes as they came over the line, or is a recording of them; - is standard",
    "input. --frames writes CSV, a line for each frame: the place in bytes of its end, pleth,",
    "beat, pulse rate (bpm), SpO2 and perfusion index (%), signal strength, flags and stale.",
    "Exit code 0: there are frames in it; 2: there are none, or it could not be read.",
  ],
  options: DecodeRequest.options, example: "vitals-sim decode capture.bin --frames -", request: DecodeRequest()
) { (request, operands) throws(Refusal) in
  guard let path = operands.first else {
    throw Refusal(request: "decode needs a FILE: bytes of an oximeter", hint: "try: vitals-sim help decode")
  }
  try refuseOperands(operands.dropFirst(), of: "decode")
  let place = try request.framesFile.map { (file) throws(Refusal) in try Destination(opening: file) }
  do throws(Refusal) {
    let capture = try CaptureFile(path)
    let decoded = try capture.decoding(as: request.speaks)
    try decoded.refuseEmpty(path)
    let stream = place?.isStandardOutput == true ? StandardStream.error : StandardStream.output
    stream.write(decoded.summary)
    try place?.write(decoded.table)
  } catch {
    place?.abandon()
    throw error
  }
  return .passed
}

/// What `decode` was asked for.
struct DecodeRequest: Sendable {
  /// Nil: found out, or as the recording says.
  var speaks: OximeterProtocol?
  /// Where the frames go; nil: nowhere.
  var framesFile: String?

  static let options: [Option<DecodeRequest>] = [
    Option(
      "protocol", about: "what the device speaks; auto, which is the standard, finds out", .value("NAME", setProtocol)),
    Option("frames", about: "write every frame as CSV; - is standard output", .value("FILE", setFrames)),
  ]

  @Sendable private static func setProtocol(_ request: inout DecodeRequest, _ text: String) throws(Refusal) {
    request.speaks = text == "auto" ? nil : try knownProtocol(text)
  }

  @Sendable private static func setFrames(_ request: inout DecodeRequest, _ text: String) throws(Refusal) {
    try refuseSecond(request.framesFile, "--frames")
    request.framesFile = try fileName(text, of: "--frames")
  }
}

/// Bytes of an oximeter in a file.
private struct CaptureFile {
  let path: String
  let bytes: [UInt8]
  /// What a recording says that the device speaks.
  private let speaks: OximeterProtocol?

  /// How many of the bytes must be frames before a capture is taken to be of a protocol that nobody named.
  private static let leastShare = 0.2
  /// The most bytes: days of the fastest device.
  private static let mostBytes = 1_000_000_000

  init(_ path: String) throws(Refusal) {
    self.path = path
    let content = try readFile(path, limit: Self.mostBytes, what: "a capture", takesPipes: true)
    guard content.starts(with: "{\"format\":\"\(TraceHeader.format)\"".utf8) else {
      (bytes, speaks) = (content, nil)
      return
    }
    let trace = try TraceFile(path, bytes: content)
    bytes = trace.entries.flatMap { entry in if case .capture(let bytes) = entry.item { bytes } else { [UInt8]() } }
    guard !bytes.isEmpty else { throw Refusal(request: "\(path) is a trace without bytes of an oximeter") }
    speaks = trace.header?.further.first { $0.key == "protocol" }?.value.text.flatMap(OximeterProtocol.init)
  }

  /// Decoded as what the user says, or else the recording, or else as the protocol that makes most of the bytes.
  func decoding(as named: OximeterProtocol?) throws(Refusal) -> CaptureDecoding {
    if let speaks = named ?? speaks { return CaptureDecoding(bytes, as: speaks) }
    // Any file has bytes that look like a few frames.
    let all = OximeterProtocol.allCases.map { CaptureDecoding(bytes, as: $0) }
      .filter { Double($0.usedBytes) >= Self.leastShare * Double(bytes.count) && !$0.frames.isEmpty }
    guard let most = all.map(\.usedBytes).max() else {
      throw Refusal(
        request: "\(path) holds \(bytes.count) bytes and no valid frame of any protocol",
        hint: "check the speed and the parity of the line, and the model of the device")
    }
    let best = all.filter { $0.usedBytes == most }
    guard best.count == 1 else {
      let names = best.map(\.speaks.rawValue).joined(separator: " or ")
      throw Refusal(request: "\(path) may be \(names), which look alike", hint: "say which with --protocol")
    }
    return best[0]
  }
}

/// What a protocol makes of a capture.
private struct CaptureDecoding {
  let speaks: OximeterProtocol
  let frames: [OximeterFrame]
  private let counts: DecodingCounts
  private let byteCount: Int

  init(_ bytes: [UInt8], as speaks: OximeterProtocol) {
    self.speaks = speaks
    var decoder = speaks.decoder()
    frames = decoder.decode(bytes)
    decoder.finish()
    counts = decoder.counts
    byteCount = bytes.count
  }

  /// How many bytes belong to frames that were given.
  var usedBytes: Int { byteCount - counts.skipped }

  func refuseEmpty(_ path: String) throws(Refusal) {
    guard frames.isEmpty else { return }
    throw Refusal(
      request: "\(path) holds \(byteCount) bytes and no valid frame of \(speaks.rawValue)",
      hint: "leave --protocol out to try all, and check the speed and the parity of the line")
  }

  /// What it comes to, for a reader.
  var summary: String {
    let readings = frames.compactMap(\.reading)
    let usable = readings.filter(\.isUsable)
    var lines = [
      "\(speaks.rawValue): \(counts.good) good frames, \(usedBytes) of \(byteCount) bytes in frames\(counts.faults)"
    ]
    if speaks.hasPleth {
      let beats = frames.filter(\.isBeat).count
      lines.append("\(frames.filter { $0.pleth != nil }.count) values of the wave, \(beats) beats marked")
    }
    lines.append(
      "\(readings.count) readings, \(usable.count) of them usable"
        + range(usable.compactMap(\.pulseRateBpm), ": pulse rate", " bpm")
        + range(usable.compactMap(\.spo2Percent), ", SpO2", " %"))
    let told = frames.compactMap(\.answer).told.map { "\($0.key) \($0.text)" }
    if !told.isEmpty { lines.append("the device says: \(told.joined(separator: ", "))") }
    return lines.map { "\($0.withoutControls)\n" }.joined()
  }

  private func range(_ values: [Int], _ name: String, _ unit: String) -> String {
    guard let least = values.min(), let greatest = values.max() else { return "" }
    return least == greatest ? "\(name) \(least)\(unit)" : "\(name) \(least) to \(greatest)\(unit)"
  }

  /// Every frame, as CSV.
  var table: [UInt8] {
    var text = "byte,pleth,beat,pulseRateBpm,spo2Percent,perfusionIndexPercent,signalStrength,flags,stale\n"
    for frame in frames where frame.pleth != nil || frame.reading != nil {
      let reading = frame.reading
      let cells: [String] = [
        String(frame.end), frame.pleth.map(String.init) ?? "", frame.isBeat ? "1" : "0",
        reading?.pulseRateBpm.map(String.init) ?? "", reading?.spo2Percent.map(String.init) ?? "",
        reading?.perfusionIndexHundredths.map { Fixed.text(units: Int64($0), places: 2) } ?? "",
        reading?.signalStrength.map(String.init) ?? "", reading?.flags.names.joined(separator: " ") ?? "",
        reading.map { $0.isStale ? "1" : "0" } ?? "",
      ]
      text += cells.joined(separator: ",") + "\n"
    }
    return Array(text.utf8)
  }
}
