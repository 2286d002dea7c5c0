import Foundation

// Speed as ratios, in one JSON document on standard output:
//   swift run -c release Benchmarks [--library FOLDER]
// Medians of repeated runs; nothing here passes or fails.

let arguments = CommandLine.arguments.dropFirst()
guard arguments.isEmpty || (arguments.count == 2 && arguments.first == "--library") else {
  FileHandle.standardError.write(Data("usage: Benchmarks [--library FOLDER]\n".utf8))
  exit(2)
}
let library = arguments.last ?? "scenarios"
do {
  let figures = try sessionFigures() + stageFigures() + processFigures(library: library)
  print(json(figures))
} catch {
  FileHandle.standardError.write(Data("Benchmarks: error: \(error)\n".utf8))
  exit(3)
}
