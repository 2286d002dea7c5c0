/// A measure that is scored: its name in tables, its unit, and how far off is still useful.
enum ScoredMeasure: String, CaseIterable, Codable {
  case heartRateBpm
  case rmssdMs
  case sdnnMs
  case breathingRatePerMin

  var title: String {
    switch self {
    case .heartRateBpm: "heart rate"
    case .rmssdMs: "RMSSD"
    case .sdnnMs: "SDNN"
    case .breathingRatePerMin: "breathing rate"
    }
  }

  var unit: String {
    switch self {
    case .heartRateBpm: "bpm"
    case .rmssdMs, .sdnnMs: "ms"
    case .breathingRatePerMin: "/min"
    }
  }

  /// An error up to this counts as within.
  var tolerance: Double {
    switch self {
    case .heartRateBpm: 5
    case .rmssdMs, .sdnnMs: 10
    case .breathingRatePerMin: 2
    }
  }
}

/// What was measured and what it should have been; `measured` is nil where it was withheld.
struct ScoredPair: Codable {
  let measured: Double?
  let reference: Double
}

/// The usual statistics of errors, measured less reference, over the pairs that were answered.
///
/// All but the counts are nil without an answer; SD (over n - 1) and r without two, or where all are equal.
struct AccuracyScore: Codable {
  /// Pairs with a reference.
  let n: Int
  let answered: Int
  let coveragePercent: Double
  let mae: Double?
  let rmse: Double?
  let bias: Double?
  let sd: Double?
  /// The 95 % limits of agreement, bias ± 1.96 SD (Bland and Altman 1986).
  let lowerLimit: Double?
  let upperLimit: Double?
  /// Share of the answers whose error is within the tolerance.
  let withinPercent: Double?
  /// Pearson's correlation, which is not agreement.
  let r: Double?
  /// The MAE of always answering the median of the references: who does not beat it tells nothing.
  let maeOfMedian: Double?
  /// Which pair has the largest error.
  let worst: Int?

  /// - Parameter tolerance: how far from a reference an answer counts as within
  init(_ pairs: [ScoredPair], tolerance: (Double) -> Double) {
    let answers = pairs.indices.compactMap { index in
      pairs[index].measured.map { (index: index, measured: $0, reference: pairs[index].reference) }
    }
    let errors = answers.map { $0.measured - $0.reference }
    (n, answered) = (pairs.count, answers.count)
    coveragePercent = n > 0 ? 100 * Double(answered) / Double(n) : 0
    mae = mean(errors.map(\.magnitude))
    rmse = mean(errors.map { $0 * $0 })?.squareRoot()
    bias = mean(errors)
    sd = standardDeviation(errors)
    (lowerLimit, upperLimit) = (Self.limit(bias, sd, -1.96), Self.limit(bias, sd, 1.96))
    withinPercent = mean(
      answers.map { ($0.measured - $0.reference).magnitude <= tolerance($0.reference) ? 100 : 0 })
    r = correlation(answers.map(\.measured), answers.map(\.reference))
    let references = pairs.map(\.reference)
    maeOfMedian = median(references).flatMap { middle in mean(references.map { ($0 - middle).magnitude }) }
    worst = answers.max { ($0.measured - $0.reference).magnitude < ($1.measured - $1.reference).magnitude }?.index
  }

  private static func limit(_ bias: Double?, _ sd: Double?, _ multiple: Double) -> Double? {
    guard let bias, let sd else { return nil }
    return bias + multiple * sd
  }
}

/// The mean; nil of nothing.
func mean(_ values: [Double]) -> Double? {
  values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
}

/// The median, of an even number the mean of the two in the middle; nil of nothing.
func median(_ values: [Double]) -> Double? {
  let sorted = values.sorted()
  return values.isEmpty ? nil : 0.5 * (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2])
}

/// The standard deviation over n - 1; nil of fewer than two.
func standardDeviation(_ values: [Double]) -> Double? {
  guard values.count > 1, let middle = mean(values) else { return nil }
  return (values.reduce(0) { $0 + ($1 - middle) * ($1 - middle) } / Double(values.count - 1)).squareRoot()
}

/// Pearson's correlation of two lists of one length; nil where one of them does not vary.
private func correlation(_ one: [Double], _ other: [Double]) -> Double? {
  guard let oneMean = mean(one), let otherMean = mean(other) else { return nil }
  var (both, oneSquares, otherSquares) = (0.0, 0.0, 0.0)
  for (left, right) in zip(one, other) {
    both += (left - oneMean) * (right - otherMean)
    oneSquares += (left - oneMean) * (left - oneMean)
    otherSquares += (right - otherMean) * (right - otherMean)
  }
  let product = (oneSquares * otherSquares).squareRoot()
  return product > 0 ? both / product : nil
}
