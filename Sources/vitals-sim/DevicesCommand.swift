import Devices
import OximeterLines
import VitalsModel

let devicesCommand = Command(
  "devices", "[PORT...] [options]", about: "list the serial ports, and what speaks on them",
  details: [
    "Without a PORT, all of this machine. --probe opens each, listens for some seconds,",
    "asks what can be asked, and says what speaks there. A pseudo-terminal is named as a PORT.",
    "Exit code 3: a PORT that was named cannot be used, or nothing that is known speaks there.",
  ],
  options: DevicesRequest.options, example: "vitals-sim devices --probe", request: DevicesRequest()
) { (request, ports) throws(Refusal) in
  let listed: [SerialPortDescription]
  do throws(SerialPortProblem) {
    listed = try serialPorts()
  } catch {
    throw Refusal(blocked: "the serial ports cannot be listed: \(error.text(port: "a port"))")
  }
  let paths = ports.isEmpty ? listed.map(\.path) : ports
  if paths.isEmpty {
    StandardStream.output.write("no serial ports; plug one in, or name a pseudo-terminal\n")
  }
  var areAllUnderstood = true
  for path in paths {
    let target = realPath(path) ?? path
    if let port = listed.first(where: { $0.path == target }) {
      StandardStream.output.write(port.lines)
    } else {
      StandardStream.output.write("\(path.withoutControls)\n")
    }
    guard request.probes || !ports.isEmpty else { continue }
    let (text, isUnderstood) = try request.probes ? probe(path) : look(path)
    StandardStream.output.write("  \(text.withoutControls)\n")
    areAllUnderstood = areAllUnderstood && isUnderstood
  }
  return areAllUnderstood || ports.isEmpty ? .passed : .blocked
}

/// What `devices` was asked for.
struct DevicesRequest: Sendable {
  var probes = false

  static let options: [Option<DevicesRequest>] = [
    Option("probe", about: "open each port and find out what speaks there", .flag { $0.probes = true })
  ]
}

/// Whether a port can be opened.
private func look(_ path: String) -> (text: String, isUnderstood: Bool) {
  do throws(SerialPortProblem) {
    try SerialLine(port: path, settings: firstSettings).close()
    return ("it can be opened; --probe finds out what speaks there", true)
  } catch {
    return (error.text(port: path), false)
  }
}

/// What speaks on a port.
private func probe(_ path: String) throws(Refusal) -> (text: String, isUnderstood: Bool) {
  let line: SerialLine
  do throws(SerialPortProblem) {
    line = try SerialLine(port: path, settings: firstSettings)
  } catch {
    return (error.text(port: path), false)
  }
  defer { line.close() }
  let outcome = try searchProtocol(on: line, port: path)
  switch outcome {
  case .found(let found):
    line.send(found.speaks.farewell, at: line.clock.now)
    return (outcome.text, true)
  case .silent: return ("\(outcome.text); \(Obstacle.silent.advice)", false)
  case .unintelligible: return ("\(outcome.text); \(Obstacle.unintelligible.advice)", false)
  case .lost: return (outcome.text, false)
  }
}

extension SerialPortDescription {
  /// The port, and below it what is known of it.
  fileprivate var lines: String {
    let identity = usb.map { "USB \($0.text)" + ($0.serialNumber.map { ", serial number \($0)" } ?? "") }
    let names = [description, manufacturer, product].compactMap(\.self).filter { !$0.isEmpty }
    let first = ([path] + [identity].compactMap(\.self)).joined(separator: "  ")
    // What is told twice is shown once.
    let told = names.reduce(into: [String]()) { told, name in if !told.contains(name) { told.append(name) } }
    let below = (told.isEmpty ? [] : [told.joined(separator: ", ")]) + lastingNames
    return ([first] + below.map { "  \($0)" }).map { "\($0.withoutControls)\n" }.joined()
  }
}
