import Foundation
import OximeterProtocols

/// What a decoder gives of the bytes of an example: everything but the frames' places.
struct NoteOutcome: Equatable, CustomStringConvertible {
  /// One after the other, without repetitions.
  var readings: [OximeterReading] = []
  /// The wave: a value for each frame, or one when it is that of every frame.
  var pleth: [Int] = []
  var beats = 0
  var answers: [DeviceAnswer] = []

  /// What frames say together.
  init(_ frames: some Sequence<OximeterFrame>) {
    for frame in frames {
      if let reading = frame.reading, reading != readings.last { readings.append(reading) }
      if let value = frame.pleth { pleth.append(value) }
      if let answer = frame.answer { answers.append(answer) }
      beats += frame.isBeat ? 1 : 0
    }
    if let first = pleth.first, pleth.allSatisfy({ $0 == first }) { pleth = [first] }
  }

  /// The same but for its beats.
  var withoutBeats: NoteOutcome {
    var other = self
    other.beats = 0
    return other
  }

  /// What it says in the words of the pages.
  var description: String {
    var words: [String] = []
    for reading in readings {
      words.append("pulse rate \(reading.pulseRateBpm.map(String.init) ?? "none")")
      words.append("SpO2 \(reading.spo2Percent.map(String.init) ?? "none")")
      if let index = reading.perfusionIndexPercent { words.append("PI \(index)") }
      if let strength = reading.signalStrength { words.append("strength \(strength)") }
      words += Self.flags.filter { reading.flags.contains($0.flag) }.map(\.words)
      if reading.isStale { words.append("held") }
    }
    if !pleth.isEmpty { words.append("pleth " + pleth.map(String.init).joined(separator: " ")) }
    words += Array(repeating: "beat", count: beats)
    words += answers.map(Self.words)
    return words.isEmpty ? "nothing" : words.joined(separator: ", ")
  }
}

extension NoteOutcome {
  private static let flags: [(words: String, flag: OximeterFlags)] = [
    ("finger out", .fingerOut), ("searching", .searching), ("artifact", .artifact), ("low perfusion", .lowPerfusion),
    ("sensor fault", .sensorFault), ("low battery", .lowBattery), ("alarm", .alarm),
  ]

  /// Reads what stands behind the arrow.
  init(words: String) throws(NoteMistake) {
    self.init([])
    let items = words.split(separator: ",", omittingEmptySubsequences: false).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    guard Set(items).count == items.count else { throw NoteMistake("something is said twice in \"\(words)\"") }
    if items == ["nothing"] { return }
    var reading: OximeterReading?
    for item in items {
      if item == "beat" {
        beats = 1
      } else if let text = Self.rest(of: item, after: "pleth") {
        pleth += try text.split(separator: " ").map { value throws(NoteMistake) in try Self.number(value) }
      } else if let answer = try Self.answer(item) {
        answers.append(answer)
      } else {
        var changed = reading ?? OximeterReading()
        try Self.add(item, to: &changed)
        reading = changed
      }
    }
    guard let reading else { return }
    readings = [reading]
    for name in ["pulse rate", "SpO2"] where !items.contains(where: { $0.hasPrefix("\(name) ") }) {
      throw NoteMistake("a reading has a \(name), which may be none")
    }
  }

  private static func add(_ item: String, to reading: inout OximeterReading) throws(NoteMistake) {
    if let text = rest(of: item, after: "pulse rate") {
      reading.pulseRateBpm = text == "none" ? nil : try number(text)
    } else if let text = rest(of: item, after: "SpO2") {
      reading.spo2Percent = text == "none" ? nil : try number(text)
    } else if let text = rest(of: item, after: "strength") {
      reading.signalStrength = try number(text)
    } else if let text = rest(of: item, after: "PI") {
      guard let percent = Double(text) else { throw NoteMistake("\(text) is not a number") }
      reading.perfusionIndexHundredths = Int((percent * 100).rounded())
    } else if item == "held" {
      reading.isStale = true
    } else if let flag = flags.first(where: { $0.words == item }) {
      reading.flags.insert(flag.flag)
    } else {
      throw NoteMistake("unknown words \"\(item)\"")
    }
  }

  private static func answer(_ item: String) throws(NoteMistake) -> DeviceAnswer? {
    if item == "acknowledged" { return .acknowledged(true) }
    if item == "refused" { return .acknowledged(false) }
    if let text = rest(of: item, after: "model") { return .model(try quoted(text)) }
    if let text = rest(of: item, after: "vendor") { return .vendor(try quoted(text)) }
    if let text = rest(of: item, after: "device") { return .deviceID(try quoted(text)) }
    if let text = rest(of: item, after: "firmware") { return .firmware(try quoted(text)) }
    if let text = rest(of: item, after: "disconnecting") {
      guard let reason = UInt8(text) else { throw NoteMistake("\(text) is not the number of a reason") }
      return .disconnecting(reason: reason)
    }
    if let text = rest(of: item, after: "packet") {
      let bytes = try noteBytes(text[...])
      guard let type = bytes.first else { throw NoteMistake("the packet has no type") }
      return .packet(type: type, payload: Array(bytes.dropFirst()))
    }
    return nil
  }

  private static func words(_ answer: DeviceAnswer) -> String {
    switch answer {
    case .model(let name): "model \"\(name)\""
    case .vendor(let name): "vendor \"\(name)\""
    case .deviceID(let name): "device \"\(name)\""
    case .firmware(let version): "firmware \"\(version)\""
    case .acknowledged(let isTaken): isTaken ? "acknowledged" : "refused"
    case .disconnecting(let reason): "disconnecting \(reason)"
    case .packet(let type, let payload):
      "packet " + ([type] + payload).map { String(format: "%02X", $0) }.joined(separator: " ")
    }
  }

  private static func rest(of item: String, after name: String) -> String? {
    item.hasPrefix("\(name) ") ? item.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) : nil
  }

  private static func number(_ text: some StringProtocol) throws(NoteMistake) -> Int {
    guard let number = Int(text) else { throw NoteMistake("\(text) is not a whole number") }
    return number
  }

  private static func quoted(_ text: String) throws(NoteMistake) -> String {
    guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else {
      throw NoteMistake("\(text) is not in quotes")
    }
    return String(text.dropFirst().dropLast())
  }
}
