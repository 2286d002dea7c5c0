import VitalsModel

/// The light that a record's pulses were read in, as a person looks at it.
public struct MeasuredWave: Sendable, Hashable {
  /// The colour that was read.
  public enum Channel: String, Sendable, CaseIterable {
    case red, green, blue
  }

  /// An unbroken stretch of the wave, on an even grid.
  public struct Stretch: Sendable, Hashable {
    /// The middle of its first cell.
    public let from: Instant
    /// How much blood takes of the light: percent of the light, 0 on average over three seconds, rising with a pulse.
    public let percent: [Double]

    /// The moment of a value.
    public func time(_ index: Int) -> Instant {
      Instant(microseconds: from.microseconds + Int64(index) * LightGrid.cellUs)
    }
  }

  /// The colour, the red where none repeats as a pulse does.
  public let channel: Channel
  /// The stretches in order; between two of them there were no frames, or no finger.
  public let stretches: [Stretch]
}

/// The wave that `measurePulse` reads in a record: its light on an even grid without the steps of the exposure, and
/// without what changes more slowly than a pulse.
public func measuredWave(_ record: PulseRecord) -> MeasuredWave {
  let reading = RecordReading(record)
  let wave = reading.wave
  let stretches = wave.stretches.indices.map { index in
    let first = wave.stretches[index].firstCell
    let isLast = index == wave.stretches.count - 1
    let end = isLast ? wave.lights.count : max(wave.stretches[index + 1].firstCell - RecordWave.seam, first)
    // A cell is the mean over its width, and so belongs to its middle.
    let from = Instant(microseconds: wave.stretches[index].grid.timeUs(0))
    let (lane, sign) = (reading.lane, reading.sign)
    return MeasuredWave.Stretch(from: from, percent: levelled((first..<end).map { -sign * wave.lights[$0][lane] }))
  }
  return MeasuredWave(
    channel: MeasuredWave.Channel.allCases[reading.lane], stretches: stretches.filter { !$0.percent.isEmpty })
}

/// Logarithms of light without their running mean of three seconds, in percent.
private func levelled(_ logarithms: [Double]) -> [Double] {
  let reach = Int(1.5 * LightGrid.rate)
  var sums = [0.0]
  sums.reserveCapacity(logarithms.count + 1)
  for value in logarithms { sums.append(sums[sums.count - 1] + value) }
  return logarithms.indices.map { index in
    let (first, end) = (max(index - reach, 0), min(index + reach + 1, logarithms.count))
    return 100 * (logarithms[index] - (sums[end] - sums[first]) / Double(end - first))
  }
}

extension RecordReading {
  /// The colour that was read; nil where none repeats as a pulse does.
  var channel: MeasuredWave.Channel? { slopes.isEmpty ? nil : MeasuredWave.Channel.allCases[lane] }
}
