import PulseAnalysis
import PulseSynthesis
import VitalsModel

/// How often a light without a pulse was given a heart rate.
struct ControlScore: Codable {
  struct Source: Codable {
    let source: String
    let runs: Int
    var heartRates = 0
    /// The first run that was given one.
    var example: String?
  }

  var sources: [Source]
  let runs: Int
  let heartRates: Int
  /// One-sided, exact, of the share of runs with a heart rate, in percent.
  let upperBoundPercent: Double
}

/// 3,000 minutes of all lights without a pulse, at the usual frame rates.
func controlScore() -> ControlScore {
  let total = 3_000
  let kinds = Nothing.allCases
  let rates = [30.0, 24, 60, 20, 15, 25, 29.97]
  var sources: [ControlScore.Source] = []
  for (index, kind) in kinds.enumerated() {
    let runs = total / kinds.count + (index < total % kinds.count ? 1 : 0)
    var source = ControlScore.Source(source: kind.rawValue, runs: runs)
    for run in 0..<runs {
      let fps = rates[run % rates.count]
      var minute = SyntheticMinute(source: .nothing(kind, frameRateFps: fps))
      minute.frameRateFps = fps
      let seed = UInt64(run + 1)
      guard let bpm = minute.measured(seed: seed).result.heartRateBpm else { continue }
      source.heartRates += 1
      if source.example == nil { source.example = "seed \(seed) at \(cell(fps)) fps: \(cell(bpm)) bpm" }
    }
    sources.append(source)
  }
  let count = sources.reduce(0) { $0 + $1.heartRates }
  return ControlScore(
    sources: sources, runs: total, heartRates: count,
    upperBoundPercent: 100 * upperBound(events: count, runs: total))
}

/// The exact one-sided 95 % upper bound of a probability (Clopper and Pearson 1934): the one under which so few events
/// in so many runs, or fewer, happen once in 20 times. Without an event it is 1 - 0.05^(1 / runs).
func upperBound(events: Int, runs: Int) -> Double {
  guard events < runs else { return 1 }
  var (low, high) = (0.0, 1.0)
  for _ in 0..<60 {
    let middle = 0.5 * (low + high)
    if chance(ofAtMost: events, runs: runs, probability: middle) > 0.05 { low = middle } else { high = middle }
  }
  return 0.5 * (low + high)
}

/// The binomial distribution, summed from no event on.
private func chance(ofAtMost events: Int, runs: Int, probability: Double) -> Double {
  let (yes, no) = (Maths.log(probability), Maths.log(1 - probability))
  var logarithm = Double(runs) * no
  var sum = 0.0
  for count in 0...events {
    sum += Maths.exp(logarithm)
    logarithm += Maths.log(Double(runs - count) / Double(count + 1)) + yes - no
  }
  return sum
}
