import Checks
import Scenarios

let explainCommand = Command(
  "explain", "RULE", about: "say what a rule asks for and which scenarios are about it",
  details: ["Looks for scenarios in the folder ./scenarios."],
  example: "vitals-sim explain V10"
) { (operands) throws(Refusal) in
  let rules = ScenarioFiles.contract.rules
  let range = "\(rules.first?.number ?? "") to \(rules.last?.number ?? "")"
  guard let number = operands.first else {
    throw Refusal(request: "explain needs a RULE, \(range)", hint: "try: vitals-sim help explain")
  }
  try refuseOperands(operands.dropFirst(), of: "explain")
  guard let rule = rules.first(where: { $0.number == number }) else {
    let meant = nearest(to: number, among: rules.map(\.number)).map { "did you mean \($0)?" }
    throw Refusal(request: "there is no rule \(number)", hint: meant ?? "the rules are \(range)")
  }
  StandardStream.output.write(explanation(of: rule))
  return .passed
}

private func explanation(of rule: Rule) -> String {
  var text = "\(rule.number)  \(rule.sentence)\n"
  if let window = rule.window { text += "  window     \(window)\n" }
  text += "  judged by  "
  text += judge(of: rule) + "\n"
  guard PathKind("scenarios") == .directory else { return text }
  guard let library = try? ScenarioFiles.read(["scenarios"]) else {
    return text + "  scenarios  unknown, the files in ./scenarios have mistakes\n"
  }
  let naming = library.filter { $0.scenario.rules.contains { $0.value == rule.number } }.map(\.path)
  let lines = naming.isEmpty ? ["none in ./scenarios names it"] : naming
  for (index, line) in lines.enumerated() { text += "  \(index == 0 ? "scenarios" : "         ")  \(line)\n" }
  return text
}

private func judge(of rule: Rule) -> String {
  switch rule.judge {
  case .monitor:
    ScenarioFiles.contract.monitoredRules.contains(rule.number)
      ? "a monitor, on every run in which it applies" : "nobody in this version"
  case .tests(let names): names.isEmpty ? "nobody in this version" : "tests: \(names.joined(separator: ", "))"
  }
}
