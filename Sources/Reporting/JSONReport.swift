import Checks
import Traces
import VitalsModel

/// The version of the JSON report's layout.
public let jsonReportSchema = "vitals-sim report 1"

/// The report for a machine: one JSON document that ends with a newline.
///
/// Keys are camelCase with their unit last, absent is absent, numbers have fixed decimals. Two reports of the same
/// runs differ in nothing but the values of `wallSeconds`.
public func jsonText(of report: LibraryReport) -> String {
  var json = JSONText()
  json.object { json in
    json.string("schema", jsonReportSchema)
    json.string("tool", report.tool)
    json.string("disclaimer", LibraryReport.disclaimer)
    json.string("source", report.source)
    json.string("verdict", report.verdict.rawValue)
    json.object("counts") { json in
      for verdict in Verdict.allCases { json.integer(verdict.rawValue, report.count(verdict)) }
    }
    json.number("wallSeconds", report.wallSeconds, places: 6)
    json.array("scenarios") { json in
      for run in report.runs { json.object { append(run, to: &$0) } }
    }
  }
  return json.text + "\n"
}

private func append(_ run: RunReport, to json: inout JSONText) {
  json.string("name", run.scenario)
  json.string("file", run.file)
  json.string("platform", run.platform)
  json.integer("seed", run.seed)
  json.string("verdict", run.verdict.rawValue)
  json.string("traceHash", run.traceHash)
  json.number("virtualSeconds", run.virtualSeconds, places: 6)
  json.number("wallSeconds", run.wallSeconds, places: 6)
  append(run.result, "result", to: &json)
  append(run.truth, "truth", to: &json)
  json.array("checks") { json in
    for check in run.checks { json.object { append(check, to: &$0) } }
  }
  if !run.notes.isEmpty {
    json.array("notes") { json in
      for note in run.notes { json.string(nil, note) }
    }
  }
  json.string("replayCommand", run.replayCommand)
}

private func append(_ check: CheckResult, to json: inout JSONText) {
  json.string("name", check.name)
  json.string("rule", check.rule)
  if let mark = check.mark {
    json.integer("line", mark.line)
    json.integer("column", mark.column)
  }
  json.string("verdict", check.verdict.rawValue)
  json.string("expected", check.expected)
  json.string("actual", check.actual)
  json.string("waiver", check.waiver)
  if let margin = check.margin, margin.value.isFinite {
    json.object("margin") { json in
      json.number("value", margin.value, places: margin.places)
      json.string("unit", margin.unit)
    }
  }
  if let moment = check.at { json.number("at", moment.seconds, places: 6) }
}

private func append(_ message: Message?, _ key: String, to json: inout JSONText) {
  guard let message else { return }
  json.object(key) { json in
    for field in message.fields { append(field, to: &json) }
  }
}

private func append(_ field: Field, to json: inout JSONText) {
  switch field.value {
  case .text(let text): json.string(field.key, text)
  case .integer(let number): json.integer(field.key, number)
  case .fixed(let units, let places): json.raw(field.key, Fixed.text(units: units, places: places))
  case .flag(let flag): json.raw(field.key, flag ? "true" : "false")
  case .object(let fields):
    json.object(field.key) { json in
      for field in fields { append(field, to: &json) }
    }
  }
}
