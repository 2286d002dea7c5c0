#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// Speed as ratios, in one JSON document on standard output:
//   swift run -c release Benchmarks [--library FOLDER]
// Medians of repeated runs; nothing here passes or fails. What PulseAnalysis measures, held against references:
//   swift run -c release Benchmarks accuracy FOLDER...
// Whether a device can be read for a long time, and unplugged, without a loss; takes as long as it says:
//   swift run -c release Benchmarks soak

let arguments = CommandLine.arguments.dropFirst()
if arguments.first == "accuracy" { exit(runAccuracy(arguments.dropFirst())) }
if arguments.first == "soak" { exit(runSoak(arguments.dropFirst())) }
guard arguments.isEmpty || (arguments.count == 2 && arguments.first == "--library") else {
  complain(
    "usage: Benchmarks [--library FOLDER]\n       Benchmarks accuracy FOLDER... | --synthetic (--help tells more)\n"
      + "       Benchmarks soak")
  exit(2)
}
let library = arguments.last ?? "scenarios"
do {
  let figures =
    try sessionFigures() + synthesisFigures() + analysisFigures() + stageFigures() + engineFigures()
    + decoderFigures() + processFigures(library: library)
  print(json(figures))
} catch {
  complain("Benchmarks: error: \(error)")
  exit(3)
}

/// Writes a line to standard error.
func complain(_ line: String) {
  let bytes = Array("\(line)\n".utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}
