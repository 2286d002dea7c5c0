import VitalsModel

/// The heart's intervals, drawn as they are needed.
///
/// An interval is the mean plus three parts: one in step with breathing (respiratory sinus arrhythmia: shorter while
/// breathing in), one near 0.1 Hz (the low-frequency part, baroreflex), and one without memory. They are drawn for about
/// 10 s at once, and each such stretch is brought to the asked mean and RMSSD, so that a minute realises both closely
/// while every interval stays random.
struct Heart: Sendable {
  /// The share of squared RMSSD that comes with breathing, and from the low-frequency part; the rest has no memory.
  private static let respiratoryShare = 0.45
  private static let lowFrequencyShare = 0.1
  /// Neither rhythm moves a beat further than this from where the mean rate would put it, so that windows agree.
  private static let displacementLimitMs = 30.0
  /// How much of a beat's displacement from there the next interval makes good.
  private static let correction = 0.15
  private static let lowFrequencyHz = 0.1
  /// No interval is further from the mean than this share of it.
  private static let intervalLimit = 0.4
  /// No stretch is stretched further than this towards its RMSSD; beyond, its intervals would only pile up at the limit.
  private static let largestGain = 2.0
  private static let stretchSeconds = 10.0

  private var generator: SeededGenerator
  /// Its own breathing, which runs ahead of the scene's and draws the same breaths.
  private var breathing: Breathing
  private let meanMs: Double
  private let rmssdMs: Double
  private let respiratoryMs: Double
  private let lowFrequencyMs: Double
  private let memorylessMs: Double

  private var lowFrequencyPhase: Double
  /// Deviations from the mean interval in ms, of the stretch being played.
  private var deviations: [Double]
  private var played: Int
  /// The foot of the next beat in microseconds, before rounding, so that rounding adds up to nothing.
  private var exactFoot: Double

  /// A heart that is somewhere within a beat when the run begins.
  init(subject: Subject, seed: UInt64) {
    generator = SeededGenerator(seed: seed, stream: "heart")
    breathing = Breathing(ratePerMin: subject.breathing.ratePerMin, seed: seed)
    meanMs = 60_000 / subject.heart.rateBpm
    rmssdMs = subject.heart.rmssdMs

    // A swing A sin(2 pi f t) read once an interval T has successive differences of mean square 2 A^2 sin^2(pi f T).
    let square = rmssdMs * rmssdMs
    // It adds up to a displacement of A / (2 pi f T).
    func swing(share: Double, perMinute: Double) -> Double {
      let step = Maths.sin(.pi * perMinute / subject.heart.rateBpm)
      let limit = Self.displacementLimitMs * 2 * .pi * perMinute / subject.heart.rateBpm
      return min((share * square / max(2 * step * step, 1e-6)).squareRoot(), limit)
    }
    func meanSquare(swing: Double, perMinute: Double) -> Double {
      let step = Maths.sin(.pi * perMinute / subject.heart.rateBpm)
      return 2 * swing * swing * step * step
    }
    let breathsPerMin = subject.breathing.ratePerMin
    let wavesPerMin = Self.lowFrequencyHz * 60
    respiratoryMs = swing(share: Self.respiratoryShare, perMinute: breathsPerMin)
    lowFrequencyMs = swing(share: Self.lowFrequencyShare, perMinute: wavesPerMin)
    let rhythmic =
      meanSquare(swing: respiratoryMs, perMinute: breathsPerMin)
      + meanSquare(swing: lowFrequencyMs, perMinute: wavesPerMin)
    memorylessMs = (max(square - rhythmic, 0) / 2).squareRoot()

    lowFrequencyPhase = generator.uniform() * 2 * .pi
    exactFoot = -(generator.uniform() * meanMs * 1_000).rounded()
    deviations = []
    played = 0
  }

  /// The foot of the next beat.
  var foot: Instant { Instant(microseconds: Int64(exactFoot.rounded())) }

  /// Lets one interval pass.
  mutating func beat() {
    if played == deviations.count {
      deviations = nextStretch(after: deviations.last)
      played = 0
    }
    exactFoot += (meanMs + deviations[played]) * 1_000
    played += 1
  }

  /// Draws the deviations of the next 10 s or so, brought to mean 0 and to the asked RMSSD.
  private mutating func nextStretch(after previous: Double?) -> [Double] {
    let count = max(8, Int((Self.stretchSeconds * 1_000 / meanMs).rounded()))
    var raw: [Double] = []
    raw.reserveCapacity(count)
    var displacement = 0.0
    for index in 0..<count {
      // Where the beat would fall at the mean rate: a fraction of an interval off, little against a breath.
      let moment = Instant(microseconds: Int64((exactFoot + Double(index) * meanMs * 1_000).rounded()))
      let deviation = rawDeviation(at: moment) - Self.correction * displacement
      displacement += deviation
      raw.append(deviation)
    }
    return levelled(raw, after: previous)
  }

  /// One deviation in ms as the three parts give it.
  private mutating func rawDeviation(at moment: Instant) -> Double {
    while breathing.current.end <= moment { breathing.next() }
    // A stretch may begin a little before the breath that the one before it ended in; that breath's start serves.
    let respiratory = -respiratoryMs * breathing.filling(at: max(moment, breathing.current.start))
    // The phase wanders, so that the low-frequency part is a band and not a line.
    lowFrequencyPhase += 2 * .pi * Self.lowFrequencyHz * meanMs / 1_000 + 0.15 * generator.gaussian()
    if lowFrequencyPhase >= 2 * .pi { lowFrequencyPhase -= 2 * .pi }
    let memoryless = min(max(generator.gaussian(), -2.5), 2.5)
    return respiratory + lowFrequencyMs * Maths.sin(lowFrequencyPhase) + memorylessMs * memoryless
  }

  /// Scales and shifts a stretch until, with every interval inside its limits, mean and RMSSD are as asked.
  private func levelled(_ raw: [Double], after previous: Double?) -> [Double] {
    if rmssdMs == 0 { return raw.map { _ in 0 } }
    let limit = Self.intervalLimit * meanMs
    var gain = 1.0
    var shift = 0.0
    var levelled = raw
    // Each pass comes much closer; where the limits hold the RMSSD down, the last pass is the best there is.
    for _ in 0..<8 {
      levelled = raw.map { min(max(gain * $0 + shift, -limit), limit) }
      let mean = levelled.reduce(0, +) / Double(levelled.count)
      let realised = rootMeanSquareStep(levelled, after: previous)
      shift -= mean
      gain = min(gain * rmssdMs / max(realised, 1e-9), Self.largestGain)
    }
    return levelled
  }

  private func rootMeanSquareStep(_ deviations: [Double], after previous: Double?) -> Double {
    var before = previous ?? deviations[0]
    var sum = 0.0
    for deviation in deviations {
      let step = deviation - before
      sum += step * step
      before = deviation
    }
    return (sum / Double(previous == nil ? deviations.count - 1 : deviations.count)).squareRoot()
  }
}
