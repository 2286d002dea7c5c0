import Foundation
import VitalsModel

/// What `Benchmarks accuracy` was asked for.
struct AccuracyRequest {
  static let usage = """
    usage: Benchmarks accuracy FOLDER... [--window 60s] [--lag 9s] [--rate 30fps] [--json FILE] [-v]
           Benchmarks accuracy --synthetic [--json FILE]

    Scores what PulseAnalysis measures. A FOLDER holds recordings at any depth, in two layouts: PPG.csv with RR.txt (a
    chest strap's intervals), and left.csv or right.csv with reference.csv (oximeters and capnograph, a row a second).
    -v tells each window. --synthetic scores synthetic fingers, rhythms and lights without a pulse. Exit codes: 0, 1
    when a recording could not be read and others were, 2 when none was or the request is wrong, 3 when FILE cannot be
    written.
    """

  var folders: [String] = []
  var isSynthetic = false
  var isVerbose = false
  var json: String?
  var options = AccuracyOptions()

  /// Reads the arguments after `accuracy`; throws what is wrong with them.
  init(_ arguments: ArraySlice<String>) throws(AccuracyRefusal) {
    var rest = arguments
    while let word = rest.popFirst() {
      switch word {
      case "--synthetic": isSynthetic = true
      case "-v", "--verbose": isVerbose = true
      case "--json": json = try Self.value(of: word, &rest)
      case "--window": options.window = try Self.span(word, &rest, 5...3_600)
      case "--lag": options.lag = try Self.span(word, &rest, 0...60)
      case "--rate":
        let text = try Self.value(of: word, &rest)
        let number = text.hasSuffix("fps") ? Double(text.dropLast(3).filter { $0 != " " }) : nil
        guard let number, (5...240).contains(number) else {
          throw AccuracyRefusal("--rate takes 5fps to 240fps, not \"\(text)\"")
        }
        options.rateFps = number
      case let option where option.hasPrefix("-"): throw AccuracyRefusal("unknown option \(option)\n\(Self.usage)")
      default: folders.append(word)
      }
    }
    guard isSynthetic || !folders.isEmpty else { throw AccuracyRefusal("name a folder, or --synthetic\n\(Self.usage)") }
  }

  private static func value(of option: String, _ rest: inout ArraySlice<String>) throws(AccuracyRefusal) -> String {
    guard let value = rest.popFirst() else { throw AccuracyRefusal("\(option) needs a value") }
    return value
  }

  /// Whole seconds, as the references come: `60s`, `60 s`, `1m30s` is not taken.
  private static func span(
    _ option: String, _ rest: inout ArraySlice<String>, _ range: ClosedRange<Int64>
  ) throws(AccuracyRefusal) -> TimeSpan {
    let text = try value(of: option, &rest)
    let number = text.hasSuffix("s") ? Int64(text.dropLast().filter { $0 != " " }) : nil
    guard let number, range.contains(number) else {
      throw AccuracyRefusal(
        "\(option) takes whole seconds from \(range.lowerBound)s to \(range.upperBound)s, not \"\(text)\"")
    }
    return .seconds(number)
  }
}

/// Why the request cannot be met.
struct AccuracyRefusal: Error {
  let message: String

  init(_ message: String) { self.message = message }
}

/// All figures of one run, as `--json` writes them.
struct AccuracyDocument: Codable {
  var windowS: Double
  var lagS: Double
  var sets: [ScoredSet] = []
  var problems: [AccuracyProblem] = []
  var synthetic: SyntheticDocument?

  /// Keys in order and numbers in full, so that two runs on the same folders give the same bytes.
  func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self) + Data("\n".utf8)
  }
}

/// Runs `Benchmarks accuracy` and gives its exit code.
func runAccuracy(_ arguments: ArraySlice<String>) -> Int32 {
  if let word = arguments.first, arguments.count == 1, ["-h", "--help", "help"].contains(word) {
    print(AccuracyRequest.usage)
    return 0
  }
  do {
    let request = try AccuracyRequest(arguments)
    var document = AccuracyDocument(windowS: request.options.window.seconds, lagS: request.options.lag.seconds)
    (document.sets, document.problems) = scoreFolders(request.folders, request.options)
    for problem in document.problems { complain("Benchmarks: error: \(problem.text)") }
    for set in document.sets where !set.windows.isEmpty { print(set.text(request.options, verbose: request.isVerbose)) }
    if request.isSynthetic {
      let synthetic = scoreSynthetic()
      print(synthetic.text)
      document.synthetic = synthetic
    }
    if let path = request.json {
      let json = try document.json()
      guard FileManager.default.createFile(atPath: path, contents: json) else {
        complain("Benchmarks: error: \(path) cannot be written")
        return 3
      }
    }
    if document.problems.isEmpty { return 0 }
    return document.sets.allSatisfy(\.windows.isEmpty) && !request.isSynthetic ? 2 : 1
  } catch let refusal as AccuracyRefusal {
    complain("Benchmarks: error: \(refusal.message)")
    return 2
  } catch {
    complain("Benchmarks: error: \(error.localizedDescription)")
    return 3
  }
}
