import OximeterSynthesis
import PulseAnalysis
import Recordings
import VitalsModel

/// The fingertip of a recording in an oximeter's sensor: the light of its frames, in the colour that tells most of the
/// pulse.
///
/// Beats are those that the recording tells; where it tells none they are measured beforehand, and a device that sees it
/// is then no judge of that measuring. There is a finger where the frames have a finger's colours; where a recording
/// tells less than three, wherever there are frames.
public struct RecordedFingertip: Fingertip {
  /// One frame.
  private struct Sample: Sendable {
    let at: Instant
    let light: Double
    let isFinger: Bool
    let perfusionPercent: Double
  }

  /// From the foot of a pulse to the steepest place of its rise, where a measured beat lies: about half of a rise of
  /// 0.16 s.
  private static let rise = TimeSpan.milliseconds(80)
  /// Without a frame for longer there is no light to see.
  private static let longestGap = TimeSpan.milliseconds(500)
  /// Whatever the pulse rate, so long a stretch holds a whole pulse, or nearly.
  private static let pulse = TimeSpan.milliseconds(1_000)
  /// Darker frames have no light to tell a pulse by.
  private static let leastLight = 1.0

  private let samples: [Sample]
  private let feet: [Instant]
  /// The first frame after the latest look.
  private var nextSample = 0
  private var nextFoot = 0

  /// The colour of the light, as the frames have it.
  public let colour: MeasuredWave.Channel
  /// Whether its beats are the recording's own.
  public let tellsBeats: Bool
  /// The moment of its last frame.
  public let end: Instant?

  /// The fingertip of a recording, from its first frame on. Frames that do not go on in time are left out.
  public init(_ recording: Recording) {
    var record = PulseRecord(colours: recording.colours.areComplete ? .redGreenBlue : .single)
    var analyzer = PulseAnalyzer()
    var frames: [(frame: FrameSample, isFinger: Bool)] = []
    for frame in recording.frames where frames.last.map({ $0.frame.captured < frame.captured }) ?? true {
      record.append(frame)
      let hasContact = analyzer.feed(frame).hasContact
      frames.append((frame, hasContact || !recording.colours.areComplete))
    }
    let colour = measuredWave(record).channel
    let lights = frames.map { frame, _ in
      switch colour {
      case .red: frame.red
      case .green: frame.green
      case .blue: frame.blue
      }
    }
    let perfusion = Self.perfusion(lights, at: frames.map(\.frame.captured))
    self.colour = colour
    samples = frames.indices.map { index in
      Sample(
        at: frames[index].frame.captured, light: lights[index],
        isFinger: frames[index].isFinger && lights[index] >= Self.leastLight, perfusionPercent: perfusion[index])
    }
    tellsBeats = !recording.beats.isEmpty
    feet = tellsBeats ? recording.beats.map(\.foot) : measurePulse(record).beats.map { $0.at - Self.rise }
    end = samples.last?.at
  }

  /// The finger as it is at `moment`, which is not before any moment that was looked at.
  public mutating func look(at moment: Instant) -> FingertipLook {
    while nextSample < samples.count, samples[nextSample].at <= moment { nextSample += 1 }
    var passed: [Instant] = []
    while nextFoot < feet.count, feet[nextFoot] <= moment {
      passed.append(feet[nextFoot])
      nextFoot += 1
    }
    guard nextSample > 0, nextSample < samples.count,
      samples[nextSample].at - samples[nextSample - 1].at <= Self.longestGap
    else { return FingertipLook(light: 1, coverage: 0, perfusionIndexPercent: 0, feet: passed) }
    let before = samples[nextSample - 1]
    return FingertipLook(
      light: max(light(at: moment), Self.leastLight), coverage: before.isFinger ? 1 : 0,
      perfusionIndexPercent: before.perfusionPercent, feet: passed)
  }

  /// The light between two frames, on a cubic through them and their neighbours (Catmull and Rom 1974), as if those were
  /// as far apart.
  private func light(at moment: Instant) -> Double {
    let (one, next) = (samples[nextSample - 1], samples[nextSample])
    let before = samples[max(nextSample - 2, 0)].light
    let after = samples[min(nextSample + 1, samples.count - 1)].light
    let share = (moment - one.at).seconds / (next.at - one.at).seconds
    let (slope, nextSlope) = ((next.light - before) / 2, (after - one.light) / 2)
    let rise = next.light - one.light
    let (square, cube) = (3 * rise - 2 * slope - nextSlope, slope + nextSlope - 2 * rise)
    return one.light + share * (slope + share * (square + share * cube))
  }

  /// For each frame, how far the light of the last second spans, as a share of its mean, in percent.
  private static func perfusion(_ lights: [Double], at times: [Instant]) -> [Double] {
    // The places of the frames that are the largest, and the smallest, of all that follow them within the second.
    var (largest, smallest): ([Int], [Int]) = ([], [])
    var (largestStart, smallestStart, first, sum) = (0, 0, 0, 0.0)
    return lights.indices.map { index in
      while largest.count > largestStart, let last = largest.last, lights[last] <= lights[index] {
        largest.removeLast()
      }
      while smallest.count > smallestStart, let last = smallest.last, lights[last] >= lights[index] {
        smallest.removeLast()
      }
      largest.append(index)
      smallest.append(index)
      sum += lights[index]
      while times[index] - times[first] > pulse {
        sum -= lights[first]
        first += 1
      }
      while largest[largestStart] < first { largestStart += 1 }
      while smallest[smallestStart] < first { smallestStart += 1 }
      let mean = sum / Double(index - first + 1)
      return mean > 0 ? 100 * (lights[largest[largestStart]] - lights[smallest[smallestStart]]) / mean : 0
    }
  }
}
