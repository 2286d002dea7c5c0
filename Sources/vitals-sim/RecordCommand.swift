import OximeterProtocols
import VitalsModel

let recordCommand = Command(
  "record", "--oximeter PORT -o FILE [options]", about: "record a pulse oximeter: its bytes and what they say",
  details: [
    "The recording is a trace in JSON Lines: the bytes as they came (capture), each value of",
    "the wave (sample), and readings, beats and gaps (reference). Lines are written as they",
    "come. It begins when the oximeter shows a pulse, and goes on when it was unplugged and",
    "comes back within 30 s. Exit code 3: the oximeter cannot be used; the message says why.",
  ],
  options: RecordRequest.options,
  example: "vitals-sim record --oximeter /dev/ttyUSB0 --for 60s -o finger.jsonl",
  request: RecordRequest()
) { (request, operands) throws(Refusal) in
  try refuseOperands(operands, of: "record")
  guard let output = request.output else {
    throw Refusal(request: "record needs -o FILE: where to write", hint: "try: vitals-sim help record")
  }
  try request.check()
  let port = try request.port.checked(for: "record")
  guard output == "-" || !isSameFile(output, port.path) else {
    throw Refusal(request: "-o \(output.asShellWord) is the port of the oximeter", hint: "name a file")
  }
  let file = try GrowingFile(output, replacing: request.replacesOutput)
  var recorder: OximeterRecorder
  do throws(Refusal) {
    recorder = try OximeterRecorder(request, on: port)
    try recorder.awaitPulse()
  } catch {
    file.abandon()
    throw error
  }
  try recorder.record(into: file)
  return Interruption.asked ?? .passed
}
