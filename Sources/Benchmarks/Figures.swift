import VitalsModel

/// One measured figure: its name, which ends in its unit, and its value.
struct Figure {
  let name: String
  let value: Double
  var places = 1
}

/// The figures as one JSON object.
func json(_ figures: [Figure]) -> String {
  let lines = figures.map { "  \"\($0.name)\": \(Fixed.text($0.value, places: $0.places))" }
  return "{\n\(lines.joined(separator: ",\n"))\n}"
}

/// The median wall time of `work` in seconds, over `runs` after one that is not counted.
func medianSeconds<Failure: Error>(runs: Int, _ work: () throws(Failure) -> Void) throws(Failure) -> Double {
  let clock = ContinuousClock()
  try work()
  var times: [Duration] = []
  for _ in 0..<runs {
    let start = clock.now
    try work()
    times.append(clock.now - start)
  }
  let (seconds, attoseconds) = times.sorted()[runs / 2].components
  return Double(seconds) + Double(attoseconds) * 1e-18
}
