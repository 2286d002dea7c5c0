import VitalsModel

/// Values of something at a steady rate, and what a spectrum says of them.
struct SampledCourse {
  let values: [Double]
  let rateFps: Double

  /// Samples `course` from `from` for `seconds`.
  init(rateFps: Double, seconds: Double, from: Double = 0, _ course: (Instant) -> Double) {
    self.rateFps = rateFps
    values = (0..<Int(seconds * rateFps)).map {
      course(Instant(microseconds: Int64((from * 1_000_000 + Double($0) * 1_000_000 / rateFps).rounded())))
    }
  }

  var mean: Double { values.reduce(0, +) / Double(values.count) }
  /// The largest distance from 0.
  var peak: Double { values.map(\.magnitude).max() ?? 0 }
  /// The root mean square about 0.
  var rootMeanSquare: Double { (values.map { $0 * $0 }.reduce(0, +) / Double(values.count)).squareRoot() }
  /// The standard deviation.
  var spread: Double {
    let mean = mean
    return (values.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(values.count)).squareRoot()
  }

  /// The values under a Hann window of mean square 1, about the mean that it gives them.
  private var windowed: [Double] {
    let window = values.indices.map { 1 - Maths.cos(2 * .pi * (Double($0) + 0.5) / Double(values.count)) }
    let mean = zip(values, window).map { $0 * $1 }.reduce(0, +) / window.reduce(0, +)
    return zip(values, window).map { ($0 - mean) * $1 / 1.5.squareRoot() }
  }

  private func power(of windowed: [Double], atHz hertz: Double) -> Double {
    let step = 2 * Double.pi * hertz / rateFps
    let (cosine, sine) = (Maths.cos(step), Maths.sin(step))
    var (re, im, c, s) = (0.0, 0.0, 1.0, 0.0)
    for value in windowed {
      re += value * c
      im += value * s
      (c, s) = (c * cosine - s * sine, s * cosine + c * sine)
    }
    return re * re + im * im
  }

  /// The mean square that lies in a band, by a discrete Fourier transform; 0 Hz left out.
  func meanSquare(inHz band: ClosedRange<Double>) -> Double {
    let windowed = windowed
    let bins = (1..<(values.count / 2)).map { Double($0) * rateFps / Double(values.count) }
    let sum = bins.filter { band.contains($0) }.reduce(0) { $0 + power(of: windowed, atHz: $1) }
    return 2 * sum / Double(values.count * values.count)
  }

  /// The share of all its power that lies in a band.
  func share(inHz band: ClosedRange<Double>) -> Double {
    meanSquare(inHz: band) / (windowed.map { $0 * $0 }.reduce(0, +) / Double(values.count))
  }

  /// Where in a band the spectrum is highest, to a thousandth of a hertz.
  func peakHz(inHz band: ClosedRange<Double>) -> Double {
    let windowed = windowed
    func highest(_ band: ClosedRange<Double>, step: Double) -> Double {
      var best = (hertz: band.lowerBound, power: -1.0)
      for hertz in stride(from: band.lowerBound, through: band.upperBound, by: step) {
        let power = power(of: windowed, atHz: hertz)
        if power > best.power { best = (hertz, power) }
      }
      return best.hertz
    }
    let step = 0.25 * rateFps / Double(values.count)
    let coarse = highest(band, step: step)
    return highest(max(coarse - step, band.lowerBound)...min(coarse + step, band.upperBound), step: 0.000_5)
  }
}
