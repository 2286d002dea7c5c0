import Scenarios
import VitalsModel

/// An option's value that names a file.
func fileName(_ text: String, of option: String) throws(Refusal) -> String {
  if text.isEmpty {
    throw Refusal(request: "\(option): the file name is missing", hint: "write \(option) FILE, or \(option) -")
  }
  return text
}

/// Refuses an option that has a value already.
func refuseSecond(_ first: String?, _ option: String) throws(Refusal) {
  if let first { throw Refusal(request: "\(option) is given twice", hint: "the first is \(first)") }
}

/// An option's value in the base unit of its quantity.
func value(_ quantity: Quantity, _ text: String, of option: String) throws(Refusal) -> Double {
  do throws(QuantityMistake) {
    return try quantity.value(text)
  } catch {
    throw Refusal(request: "\(option) \(text.asShellWord): \(error.message)", hint: error.advice)
  }
}
