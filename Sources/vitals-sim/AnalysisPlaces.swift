import RecordingAnalysis
import Reporting

/// Where an analysis goes: to a terminal, and to files where that is asked for.
struct AnalysisPlaces {
  private let json: Destination?
  private let html: Destination?

  /// Opens every place, so that a wrong one is refused before anything is done; so is one that would take the place of
  /// the recording.
  init(_ request: AnalyzeRequest, sparing recording: String) throws(Refusal) {
    json = try request.jsonFile.map { (path) throws(Refusal) in try Destination(opening: path) }
    do throws(Refusal) {
      html = try request.htmlFile.map { (path) throws(Refusal) in try Destination(opening: path) }
    } catch {
      json?.abandon()
      throw error
    }
    try orAbandon { () throws(Refusal) in
      for place in [json, html].compactMap(\.self) where place.replaces(recording) {
        throw Refusal(request: "cannot write \(place.path): it would take the place of \(recording)")
      }
      if let json, let html {
        if json.isStandardOutput, html.isStandardOutput {
          throw Refusal(request: "only one report can go to standard output")
        }
        if html.replaces(json.path) { throw Refusal(request: "only one report can go to \(json.path)") }
      }
    }
  }

  /// Does some work; when it fails, nothing is left behind.
  func orAbandon<Value>(_ work: () throws(Refusal) -> Value) throws(Refusal) -> Value {
    do throws(Refusal) {
      return try work()
    } catch {
      json?.abandon()
      html?.abandon()
      throw error
    }
  }

  /// Writes all of it.
  func write(_ analysis: Analysis) throws(Refusal) {
    if let json {
      try orAbandon { () throws(Refusal) in
        for window in analysis.windows {
          let line = analysisJSON(of: window, in: analysis, tool: VitalsSim.version)
          try json.append(Array(line.utf8)[...])
        }
        try json.finish()
      }
    }
    if let html {
      let page = analysisPage(of: analysis, tool: VitalsSim.version, library: .installed)
      try html.write(Array(page.utf8))
    }
    // A report for a machine has standard output for itself.
    let isTaken = json?.isStandardOutput ?? false || html?.isStandardOutput ?? false
    let stream: StandardStream = isTaken ? .error : .output
    stream.write(
      analysisText(of: analysis).split(separator: "\n", omittingEmptySubsequences: false)
        .map { String($0).withoutControls }.joined(separator: "\n"))
  }
}
