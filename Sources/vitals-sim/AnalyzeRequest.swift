import RecordingAnalysis
import Recordings
import Scenarios
import VitalsModel

/// What `analyze` was asked for.
struct AnalyzeRequest: Sendable {
  /// How the file is to be read.
  var reading = RecordingFile.Reading()
  /// The part of it, and the windows.
  var part = AnalysisRequest()
  private var windowText: String?
  private var fromText: String?
  private var lengthText: String?
  /// Where the measures go for a machine; nil: nowhere.
  var jsonFile: String?
  /// Where the page goes; nil: nowhere.
  var htmlFile: String?

  static let options: [Option<AnalyzeRequest>] = [
    Option("columns", about: "which hold what: time=t:ms,red=R,green=G,blue=B", .value("SPEC", setColumns)),
    Option("rate", about: "frames a second where CSV has no time, such as 30fps", .value("RATE", setRate)),
    Option("window", "w", about: "a result for each of these, such as 60s", .value("TIME", setWindow)),
    Option("from", about: "leave out what comes before, such as 10s", .value("TIME", setFrom)),
    Option("for", about: "measure no more than this much", .value("TIME", setLength)),
    Option("json", about: "write one object, with --window one a line", .value("FILE", setJSONFile)),
    Option("html", about: "write a page with wave, beats and intervals", .value("FILE", setHTMLFile)),
  ]

  @Sendable private static func setColumns(_ request: inout AnalyzeRequest, _ text: String) throws(Refusal) {
    try refuseSecond(request.reading.columnsText, "--columns")
    request.reading.columnsText = text
  }

  @Sendable private static func setRate(_ request: inout AnalyzeRequest, _ text: String) throws(Refusal) {
    try refuseSecond(request.reading.rateText, "--rate")
    let rate = try value(.frameRate, text, of: "--rate")
    guard (1...1_000).contains(rate) else {
      throw Refusal(request: "--rate \(text.asShellWord): a frame rate is 1 fps to 1000 fps")
    }
    (request.reading.rateText, request.reading.rateFps) = (text, rate)
  }

  @Sendable private static func setWindow(_ request: inout AnalyzeRequest, _ text: String) throws(Refusal) {
    try refuseSecond(request.windowText, "--window")
    let window = try span(text, of: "--window")
    guard window >= AnalysisRequest.shortestWindow else {
      let shortest = Quantity.time.text(AnalysisRequest.shortestWindow.seconds)
      throw Refusal(request: "--window \(text.asShellWord): a window is at least \(shortest)")
    }
    (request.windowText, request.part.window) = (text, window)
  }

  @Sendable private static func setFrom(_ request: inout AnalyzeRequest, _ text: String) throws(Refusal) {
    try refuseSecond(request.fromText, "--from")
    (request.fromText, request.part.from) = (text, try span(text, of: "--from"))
  }

  @Sendable private static func setLength(_ request: inout AnalyzeRequest, _ text: String) throws(Refusal) {
    try refuseSecond(request.lengthText, "--for")
    let length = try span(text, of: "--for")
    guard length > .zero else { throw Refusal(request: "--for \(text.asShellWord): that is no time at all") }
    (request.lengthText, request.part.length) = (text, length)
  }

  @Sendable private static func setJSONFile(_ request: inout AnalyzeRequest, _ text: String) throws(Refusal) {
    try refuseSecond(request.jsonFile, "--json")
    request.jsonFile = try fileName(text, of: "--json")
  }

  @Sendable private static func setHTMLFile(_ request: inout AnalyzeRequest, _ text: String) throws(Refusal) {
    try refuseSecond(request.htmlFile, "--html")
    request.htmlFile = try fileName(text, of: "--html")
    request.part.keepsWave = true
  }

  /// A time that no recording is longer than.
  private static func span(_ text: String, of option: String) throws(Refusal) -> TimeSpan {
    let seconds = try value(.time, text, of: option)
    guard seconds <= Recording.longest.seconds else {
      throw Refusal(request: "\(option) \(text.asShellWord): a recording has at most 168h, a week")
    }
    return TimeSpan(seconds: seconds)
  }
}
