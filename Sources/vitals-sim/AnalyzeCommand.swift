import RecordingAnalysis
import Recordings

let analyzeCommand = Command(
  "analyze", "FILE [options]", about: "measure a recording: heart rate, variability, breathing, beats",
  details: [
    "FILE is CSV with a line of column names, EDF+, or a trace, told by what is in it; - is",
    "standard input. CSV holds a time and the means of red, green and blue (0 to 255) of",
    "each frame; one colour is enough. What cannot be trusted is withheld, with the reason.",
    "Windows follow each other; at least half of one at the end counts as one.",
    "Exit code 0: the file was measured, whatever is withheld; 2: it could not be read.",
  ],
  options: AnalyzeRequest.options, example: "vitals-sim analyze PPG.csv --window 60s --html PPG.html",
  request: AnalyzeRequest()
) { (request, operands) throws(Refusal) in
  guard let path = operands.first else {
    throw Refusal(request: "analyze needs a FILE: a recording", hint: "try: vitals-sim help analyze")
  }
  try refuseOperands(operands.dropFirst(), of: "analyze")
  let places = try AnalysisPlaces(request, sparing: path)
  let analysis = try places.orAbandon { () throws(Refusal) in
    let recording = try RecordingFile.read(path, request.reading)
    return try RecordingFile.refusing(path) { () throws(RecordingError) in
      try analyze(recording, name: path == "-" ? "standard input" : path, request.part)
    }
  }
  try places.write(analysis)
  return .passed
}
