import Devices
import OximeterProtocols
import OximeterSynthesis
import ReadingSimulation
import Scenarios
import VitalsModel

let emulateCommand = Command(
  "emulate", "PROTOCOL [SCENARIO] [options]", about: "be a pulse oximeter on a serial port, with a synthetic finger",
  details: [
    "PROTOCOL is \(OximeterProtocol.allCases.prefix(6).map(\.rawValue).joined(separator: ", ")),",
    "\(OximeterProtocol.allCases.dropFirst(6).map(\.rawValue).joined(separator: ", ")). The port is a pseudo-terminal, named by",
    "the one line on standard output; what nobody reads is lost. SCENARIO's calls are left",
    "out. A fault begins at its TIME and takes as long as the second says, or for ever:",
  ] + EmulateRequest.faultDetails,
  options: EmulateRequest.options,
  example: "vitals-sim emulate contec-v7 --link oximeter --fault unplugged@30s+5s",
  request: EmulateRequest()
) { (request, operands) throws(Refusal) in
  guard let name = operands.first else {
    let known = OximeterProtocol.allCases.map(\.rawValue).joined(separator: ", ")
    throw Refusal(request: "emulate needs to know what to speak", hint: "name one of \(known)")
  }
  let device = try knownProtocol(name)
  try refuseOperands(operands.dropFirst(2), of: "emulate")
  let settings = try request.settings(of: device)
  let seed: UInt64
  if let path = request.recording {
    try refuseBesideRecording(request, scenario: operands.dropFirst().first)
    seed = request.finger.seed ?? 1
    let recording = try RecordingFile.read(path, RecordingFile.Reading())
    let tip = RecordedFingertip(recording)
    for note in recording.notes + (tip.tellsBeats ? [] : ["it tells no beats, so they were measured"]) {
      warn("\(path): \(note)")
    }
    try emulate(device, tip, settings, faults: [], request, seed: seed)
  } else {
    let take = try finger(of: request, scenarioPath: operands.dropFirst().first)
    for warning in take.warnings { warn(warning) }
    let tip = ScenarioFingertip(take.scenario, changes: take.timetable.entries, seed: take.seed)
    let faults = take.timetable.oximeterFaults(beginning: take.scenario.settings)
    try emulate(device, tip, settings, faults: faults, request, seed: take.seed)
  }
  return .passed
}

/// A recording is what it is.
private func refuseBesideRecording(_ request: EmulateRequest, scenario: String?) throws(Refusal) {
  if let scenario {
    throw Refusal(request: "the finger is that of the recording, or that of \(scenario)", hint: "leave one of them out")
  }
  if let override = request.finger.overrides.first {
    throw Refusal(request: "\(override.text) cannot change a recording")
  }
}

/// What the scenario and the options say of the finger.
private func finger(of request: EmulateRequest, scenarioPath: String?) throws(Refusal) -> Take {
  for override in request.finger.overrides {
    for section in ["camera", "host"] where override.value.name.hasPrefix("\(section).") {
      throw Refusal(request: "\(override.text): an oximeter has no \(section)")
    }
  }
  var finger = request.finger
  // Without a length, the scenario would be run for the sake of its own.
  finger.length = request.length ?? .seconds(604_800)
  return try Take(finger, scenarioPath: scenarioPath)
}

private func emulate<Tip: Fingertip>(
  _ device: OximeterProtocol, _ tip: Tip, _ settings: OximeterSettings, faults: [OximeterFault],
  _ request: EmulateRequest, seed: UInt64
) throws(Refusal) {
  let oximeter = VirtualOximeter(
    device, tip: tip, settings: settings, faults: faults + request.faults.map(\.value), seed: seed)
  var port = try EmulatedPort(oximeter, device, link: request.link, checksSpeed: request.checksSpeed)
  StandardStream.output.write("\(port.name)\n")
  try port.play(for: request.length, speed: request.speed ?? 1)
}
