import Foundation
import PulseAnalysis
import Testing
import VitalsModel

@testable import RecordingAnalysis
@testable import Recordings

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct ReportTests {
  private static let hostile = "a<b>&\"'\u{1}</script><script>alert(1)</script>"

  private func analysis(
    _ request: AnalysisRequest, name: String = "x.csv", notes: [String] = [], dark: Bool = false
  ) throws -> Analysis {
    let frames = pulseFrames(bpm: 72, seconds: 60).map {
      dark ? FrameSample(captured: $0.captured, red: 1, green: 2, blue: 3) : $0
    }
    return try analyze(recording(frames, notes: notes), name: name, request)
  }

  private func objects(_ analysis: Analysis) throws -> [[String: Any]] {
    try analysis.windows.map { window in
      let text = analysisJSON(of: window, in: analysis, tool: "tool")
      #expect(text.hasSuffix("}\n") && !text.dropLast().contains("\n"), "one line")
      return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }
  }

  @Test func jsonHoldsWhatWasMeasured() throws {
    let analysis = try analysis(AnalysisRequest(), name: Self.hostile, notes: [Self.hostile])
    let object = try objects(analysis)[0]
    let measurement = analysis.windows[0].measurement
    #expect(object["file"] as? String == Self.hostile)
    #expect(object["notes"] as? [String] == [Self.hostile])
    #expect(object["fromS"] as? Double == 0 && object["toS"] as? Double == 60)
    #expect(object["frames"] as? Int == 1_800 && object["setAsideFrames"] as? Int == 0)
    #expect(["red", "green", "blue"].contains(object["channel"] as? String))
    let heartRate = try #require(object["heartRateBpm"] as? Double)
    #expect((heartRate - (measurement.heartRateBpm ?? 0)).magnitude <= 0.0005)
    let beats = try #require(object["beats"] as? [[String: Any]])
    #expect(beats.count == measurement.beats.count)
    #expect(beats.compactMap { $0["atS"] as? Double } == measurement.beats.map(\.at.seconds))
    #expect(beats.first?["flag"] as? String == "first" && beats.last?["flag"] as? String == "normal")
    #expect(object["truth"] == nil)
  }

  @Test func whatIsWithheldIsLeftOutAndHasItsReason() throws {
    let object = try objects(try analysis(AnalysisRequest(), dark: true))[0]
    let withheld = try #require(object["withheld"] as? [String: String])
    let keys = Measure.all.map(\.key)
    #expect(withheld.keys.sorted() == keys.sorted())
    for key in keys { #expect(object[key] == nil) }
    #expect(object["channel"] == nil)
    #expect((object["beats"] as? [Any])?.isEmpty ?? false)
    #expect(object["quality"] as? Double == 0 && object["coverage"] as? Double == 0)
  }

  @Test func everyMeasureOfAWindowIsGivenOrWithheld() throws {
    for object in try objects(try analysis(AnalysisRequest(window: 10))) {
      let withheld = try #require(object["withheld"] as? [String: String])
      for key in Measure.all.map(\.key) { #expect((object[key] == nil) == (withheld[key] != nil), "\(key)") }
    }
  }

  @Test func theTerminalIsToldWhyAndHowMuch() throws {
    let whole = analysisText(of: try analysis(AnalysisRequest(), notes: ["a note"]))
    #expect(whole.hasPrefix("x.csv: 0.0 to 60.0 s, 1800 frames, read in "))
    #expect(whole.contains("\n  heart rate       72.0 bpm\n"))
    #expect(whole.contains(#/\n  perfusion index  [0-9.]+ % of (red|green|blue)\n/#))
    #expect(whole.hasSuffix("\n  note: a note\n\n\(Analysis.disclaimer)\n"))
    let dark = analysisText(of: try analysis(AnalysisRequest(), dark: true))
    #expect(dark.contains("\n  heart rate       withheld\n"))
    #expect(dark.contains("\n  withheld: every measure: no heart rate: too dark to see a fingertip\n"))
    let table = analysisText(of: try analysis(AnalysisRequest(window: 30)))
    #expect(table.contains("\n  2 of 2 windows have a heart rate\n"))
    #expect(table.split(separator: "\n").filter { $0.hasPrefix("  ") && $0.contains(" 72.0 ") }.count == 2)
    let none = analysisText(of: try analysis(AnalysisRequest(window: 30), dark: true))
    #expect(none.contains("  withheld: every measure: no heart rate: too dark to see a fingertip (2 of 2)\n"))
  }

  private static let library = ChartLibrary(script: "var Dygraph;", style: ".dygraph {}")

  @Test(arguments: [true, false]) func pageHoldsNoTextOfOthersUnescaped(hasLibrary: Bool) throws {
    for request in [AnalysisRequest(keepsWave: true), AnalysisRequest(window: 20, keepsWave: true)] {
      let analysis = try analysis(request, name: Self.hostile, notes: [Self.hostile])
      let page = analysisPage(of: analysis, tool: "tool", library: hasLibrary ? Self.library : nil)
      #expect(!page.contains("alert(1)</script>") && !page.contains("a<b>"))
      #expect(page.contains("a&lt;b&gt;&amp;&quot;&#39;\u{fffd}&lt;/script&gt;"))
      #expect(page.components(separatedBy: "</script>").count - 1 == (hasLibrary ? 2 : 0))
      #expect(page.contains("dygraphs (libjs-dygraphs on Debian) was not found") == !hasLibrary)
      #expect(page.components(separatedBy: "<svg").count - 1 == (hasLibrary ? 0 : 3))
      #expect(page.contains(Analysis.disclaimer))
      for outside in ["http://", "https://", "src=", "@import", "NaN,", "nan", "inf"] {
        #expect(!page.contains(outside), "\(outside)")
      }
    }
  }

  @Test func aStaticPageIsWellFormed() throws {
    for dark in [true, false] {
      let analysis = try analysis(AnalysisRequest(keepsWave: true), name: Self.hostile, dark: dark)
      let page = analysisPage(of: analysis, tool: "tool", library: nil)
      for drawing in page.components(separatedBy: "<svg").dropFirst() {
        let svg = "<svg" + (drawing.components(separatedBy: "</svg>").first ?? "") + "</svg>"
        let parser = XMLParser(data: Data(svg.utf8))
        #expect(parser.parse(), "\(String(describing: parser.parserError))")
      }
      #expect(page.components(separatedBy: "<svg").count - 1 == (dark ? 1 : 3), "nothing but the colours is there")
      #expect(page.components(separatedBy: "There is nothing to draw.").count - 1 == (dark ? 2 : 0))
      let circles = page.components(separatedBy: "<circle").count - 1
      let beats = analysis.windows[0].measurement.beats
      // Each beat on the wave, and each interval.
      #expect(circles == (dark ? 0 : beats.count + beats.count { $0.flag != .first }))
    }
  }

  @Test func aLibraryThatWouldEndItsElementIsNone() {
    #expect(ChartLibrary(script: "\"</SCRIPT>\"", style: "") == nil)
    #expect(ChartLibrary(script: "", style: "</style>") == nil)
    #expect(Self.library != nil)
  }

  @Test func aLongWaveIsThinnedToItsExtremes() throws {
    let frames = pulseFrames(bpm: 72, seconds: 7_200, fps: 10)
    let analysis = try analyze(recording(frames), name: "x", AnalysisRequest(window: 600, keepsWave: true))
    let chart = Chart.all(of: analysis)[0]
    let wave = chart.curves[0].points.compactMap(\.self)
    #expect(chart.isThinned && (60_000...Chart.mostWavePoints).contains(wave.count))
    #expect(analysisPage(of: analysis, tool: "", library: nil).contains("too long to draw every pulse"))
    #expect(zip(wave, wave.dropFirst()).allSatisfy { $0.at < $1.at })
    let all = analysis.windows.flatMap { $0.wave?.stretches ?? [] }.flatMap(\.percent)
    #expect(wave.map(\.value).max() == all.max() && wave.map(\.value).min() == all.min())
  }

  @Test func theWaveRisesWhereBeatsAre() throws {
    let analysis = try analysis(AnalysisRequest(keepsWave: true))
    let window = analysis.windows[0]
    let stretch = try #require(window.wave?.stretches.first)
    #expect(window.wave?.stretches.count == 1)
    func value(_ seconds: Double) -> Double {
      stretch.percent[min(max(Int((seconds - stretch.from.seconds) * 32), 0), stretch.percent.count - 1)]
    }
    for beat in window.measurement.beats.dropFirst(2).dropLast(2) {
      #expect(value(beat.at.seconds + 0.12) > value(beat.at.seconds - 0.12), "\(beat.at.seconds)")
    }
  }
}
