import Devices
import OximeterLines
import OximeterProtocols
import VitalsModel

/// An oximeter on a serial port that is open, and what is known of it.
struct OximeterConnection {
  /// The port as the user wrote it.
  let port: String
  let line: SerialLine
  let speaks: OximeterProtocol
  /// What it said of itself.
  let answers: [DeviceAnswer]

  /// Opens a port to a device that speaks a known protocol.
  init(port: String, speaks: OximeterProtocol, settings: LineSettings) throws(Refusal) {
    self.port = port
    self.speaks = speaks
    answers = []
    line = try Self.open(port, settings)
  }

  /// Opens a port, and finds out what its device speaks.
  ///
  /// - Parameters:
  ///   - patience: how long it may take the device to begin
  ///   - tell: is told what is so and what to do while it is silent or not understood
  init(findingOn port: String, patience: TimeSpan, tell: (String) -> Void) throws(Refusal) {
    self.port = port
    let line = try Self.open(port, firstSettings)
    self.line = line
    while true {
      let outcome = try searchProtocol(on: line, port: port)
      let obstacle: Obstacle
      switch outcome {
      case .found(let found):
        (speaks, answers) = (found.speaks, found.answers)
        try Self.set(line, found.settings, port)
        tell("\(port): \(found.text)")
        return
      case .lost: throw Refusal(blocked: SerialPortProblem.unplugged.text(port: port))
      case .silent: obstacle = .silent
      case .unintelligible: obstacle = .unintelligible
      }
      guard line.clock.now < .zero + patience else {
        line.close()
        throw Refusal(blocked: "\(port): \(outcome.text)", hint: obstacle.advice)
      }
      tell("\(port): \(obstacle.text)")
    }
  }

  /// Sends what the device is to be told at the end, and closes the port.
  func close(_ farewell: [UInt8]) {
    if !farewell.isEmpty { line.send(farewell, at: line.clock.now) }
    line.close()
  }

  private static func open(_ port: String, _ settings: LineSettings) throws(Refusal) -> SerialLine {
    do throws(SerialPortProblem) {
      return try SerialLine(port: port, settings: settings)
    } catch {
      throw Refusal(blocked: error.text(port: port))
    }
  }

  static func set(_ line: SerialLine, _ settings: LineSettings, _ port: String) throws(Refusal) {
    do throws(SerialPortProblem) {
      try line.set(settings)
    } catch {
      throw Refusal(blocked: error.text(port: port))
    }
  }
}

/// Listens to a line, and asks, until its device is understood or all was tried once.
func searchProtocol(on line: SerialLine, port: String) throws(Refusal) -> SearchOutcome {
  var search = ProtocolSearch(asks: true)
  return try search.run { (settings) throws(Refusal) in
    try OximeterConnection.set(line, settings, port)
    return (line, line.clock.now)
  }
}

/// How a port is opened before anything is known of its device.
let firstSettings = OximeterProtocol.contecV7.lineSettings[0]

extension FoundOximeter {
  /// `contec-v7 at 115200 8N1, model CMS50D+`.
  var text: String {
    let told = answers.told.map { field in
      let name = ["vendor": "made by", "deviceID": "number"][field.key] ?? field.key
      return "\(name) \(field.text)"
    }
    return (["\(speaks.rawValue) at \(settings.text)"] + told).joined(separator: ", ")
  }
}

extension [DeviceAnswer] {
  /// What a device says of itself by what it is, in the order in which it began to: a model comes in parts.
  var told: [(key: String, text: String)] {
    var told: [(key: String, text: String)] = []
    func add(_ key: String, _ text: String) {
      if let known = told.firstIndex(where: { $0.key == key }) {
        if key == "model", !told[known].text.contains(text) { told[known].text += text }
      } else {
        told.append((key, text))
      }
    }
    for answer in self {
      switch answer {
      case .model(let text): add("model", text)
      case .vendor(let text): add("vendor", text)
      case .deviceID(let text): add("deviceID", text)
      case .firmware(let text): add("firmware", text)
      case .acknowledged, .disconnecting, .packet: break
      }
    }
    return told
  }
}

extension SearchOutcome {
  /// What was found, or what was tried in vain.
  var text: String {
    func list(_ tried: [TriedSettings]) -> String { tried.map(\.settings.text).joined(separator: ", ") }
    switch self {
    case .found(let found): return found.text
    case .silent(let tried): return "silent at \(list(tried))"
    case .unintelligible(let tried):
      let bytes = tried.map(\.bytes).reduce(0, +)
      return "\(bytes) bytes and no valid frame at \(list(tried))"
    case .lost: return "it went away"
    }
  }
}
