/// What `Benchmarks soak` was asked for.
struct SoakRequest {
  static let usage = """
    usage: Benchmarks soak [--minutes 10] [--replugs 100]

    Reads a virtual oximeter of 100 frames a second on a pseudo-terminal, in real time: no sample may be lost, memory
    must stay as it was, and the reader may take 2 % of a core. Then unplugs it and brings it back again and again: each
    time is one gap, and no descriptor is left open. Exit codes: 0, 1 when a figure is missed, 2 when the request is
    wrong, 3 when there is no pseudo-terminal to be had.
    """

  var minutes = 10
  var replugs = 100

  /// Reads the arguments after `soak`; throws what is wrong with them.
  init(_ arguments: ArraySlice<String>) throws(SoakRefusal) {
    var rest = arguments
    while let word = rest.popFirst() {
      switch word {
      case "--minutes": minutes = try Self.number(of: word, &rest, 1...1_440)
      case "--replugs": replugs = try Self.number(of: word, &rest, 0...10_000)
      default: throw SoakRefusal("unknown argument \(word)\n\(Self.usage)")
      }
    }
  }

  private static func number(
    of option: String, _ rest: inout ArraySlice<String>, _ range: ClosedRange<Int>
  ) throws(SoakRefusal) -> Int {
    guard let text = rest.popFirst(), let number = Int(text), range.contains(number) else {
      throw SoakRefusal("\(option) takes a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}

/// Why the request cannot be met.
struct SoakRefusal: Error {
  let message: String

  init(_ message: String) { self.message = message }
}

/// A figure with whether it is as it should be.
struct SoakFigure {
  let name: String
  let text: String
  let isMet: Bool

  /// As a line of the report.
  var line: String {
    let padded = name + String(repeating: " ", count: max(0, 12 - name.count))
    return "\(padded)  \(isMet ? "ok    " : "MISSED")  \(text)"
  }
}

/// Runs `Benchmarks soak` and gives its exit code.
func runSoak(_ arguments: ArraySlice<String>) -> Int32 {
  if let word = arguments.first, arguments.count == 1, ["-h", "--help", "help"].contains(word) {
    print(SoakRequest.usage)
    return 0
  }
  do throws(SoakRefusal) {
    let request = try SoakRequest(arguments)
    do throws(SoakTrouble) {
      var figures = try soakStream(minutes: request.minutes)
      for figure in figures { print(figure.line) }
      if request.replugs > 0 {
        let replugged = try soakReplugs(request.replugs)
        for figure in replugged { print(figure.line) }
        figures += replugged
      }
      return figures.allSatisfy(\.isMet) ? 0 : 1
    } catch {
      complain("Benchmarks: error: \(error.message)")
      return 3
    }
  } catch {
    complain("Benchmarks: error: \(error.message)")
    return 2
  }
}
