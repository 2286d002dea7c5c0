import PulseAnalysis
import VitalsModel

/// The version of the layout of `analysisJSON`.
public let analysisJSONSchema = "vitals-sim analysis 1"

/// A window for a machine: one JSON object in one line, which ends with a newline.
///
/// Keys are camelCase with their unit last, numbers have fixed decimals, and what is absent is left out.
public func analysisJSON(of window: MeasuredWindow, in analysis: Analysis, tool: String) -> String {
  var line = JSONLine()
  line.string("schema", analysisJSONSchema)
  line.string("tool", tool)
  line.string("disclaimer", Analysis.disclaimer)
  line.string("file", analysis.name)
  line.number("fromS", window.from.seconds, places: 6)
  line.number("toS", window.to.seconds, places: 6)
  line.integer("frames", window.frames)
  line.integer("setAsideFrames", window.setAsideFrames)
  if let channel = window.channel { line.string("channel", channel) }
  let measurement = window.measurement
  for measure in Measure.all {
    if let value = measure.value(measurement) { line.number(measure.key, value, places: measure.exactPlaces) }
  }
  line.number("quality", measurement.quality, places: 4)
  line.number("coverage", window.coverage, places: 4)
  line.list("beats", measurement.beats) { beat, line in
    line.object { line in
      line.number("atS", beat.at.seconds, places: 6)
      line.string("flag", beat.flag.rawValue)
    }
  }
  line.object("withheld") { line in
    for withheld in measurement.withheld { line.string(withheld.measure, withheld.reason) }
  }
  if let truth = window.truth {
    line.object("truth") { line in
      for measure in Measure.all {
        if let value = measure.truth(truth) { line.number(measure.key, value, places: measure.exactPlaces) }
      }
    }
  }
  line.list("notes", analysis.notes) { note, line in line.element(JSONString.quoted(note)) }
  return line.text
}

/// A JSON object in one line as it grows.
private struct JSONLine {
  private var body = ""

  /// The object and a newline.
  var text: String { "{\(body)}\n" }

  mutating func string(_ key: String, _ value: String) { add(key, JSONString.quoted(value)) }
  mutating func integer(_ key: String, _ value: Int) { add(key, String(value)) }

  /// A number with fixed decimals; nothing when it is not finite, since JSON cannot say so.
  mutating func number(_ key: String, _ value: Double, places: Int) {
    if value.isFinite { add(key, Fixed.text(value, places: places)) }
  }

  mutating func object(_ key: String, _ body: (inout JSONLine) -> Void) {
    var inner = JSONLine()
    body(&inner)
    add(key, "{\(inner.body)}")
  }

  /// An object that is an element of a list.
  mutating func object(_ body: (inout JSONLine) -> Void) {
    var inner = JSONLine()
    body(&inner)
    element("{\(inner.body)}")
  }

  mutating func list<Element>(_ key: String, _ elements: [Element], _ write: (Element, inout JSONLine) -> Void) {
    var inner = JSONLine()
    for element in elements { write(element, &inner) }
    add(key, "[\(inner.body)]")
  }

  /// An element of a list, which already is JSON.
  mutating func element(_ value: String) { body += (body.isEmpty ? "" : ",") + value }

  private mutating func add(_ key: String, _ value: String) { element("\(JSONString.quoted(key)):\(value)") }
}
