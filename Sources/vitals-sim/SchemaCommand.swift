import Checks
import Scenarios

let schemaCommand = Command(
  "schema", "", about: "print the JSON Schema of scenario files, for editors",
  details: ["An editor with a YAML language server completes and checks scenarios with it."],
  example: "vitals-sim schema > scenario.schema.json"
) { (operands) throws(Refusal) in
  try refuseOperands(operands, of: "schema")
  let schema = scenarioSchema(ScenarioFiles.contract.vocabulary)
  StandardStream.output.write(schema.hasSuffix("\n") ? schema : schema + "\n")
  return .passed
}
