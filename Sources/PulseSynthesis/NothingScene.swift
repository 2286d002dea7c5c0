import VitalsModel

/// A lens with a source on it that has no pulse: the light as a function of time.
///
/// It depends on the kind, the frame rate (for the lamps alone), the seed, the time and what shines on it. Draws come from
/// streams named "nothing" and the kind, as in "nothing.drift". Moments do not go back.
public struct NothingScene: Sendable {
  /// Where the alias of the lamp's flicker falls, in Hz.
  private static let pulseAliasHz = 1.2
  private static let breathAliasHz = 0.25
  /// The flicker's largest excursion.
  private static let flickerShare = 0.025
  private static let driftShare = 0.025
  private static let noiseShare = 0.01
  private static let tremorShare = 0.02
  /// How far a hand that trembles strays besides.
  private static let handShare = 0.03
  private static let swayShare = 0.06
  /// What comes through an object without the torch, as a share.
  private static let withoutTorch = 0.012

  /// How the brightness of an object goes on.
  private enum Play: Sendable {
    case still
    /// The sum of `noise` and `furtherNoise`, which are no part of this enum because they would be copied out and back.
    case noise
    case ramp(Ramp)
    case steps(BrightnessSteps)
    case lamp(MainsFlicker)
    case hunting(ExposureHunting)
    case pulsing(TorchPulses)
    case sway(RhythmicMotion)
  }

  /// Noise of a certain size, root mean square, as a share of brightness.
  private struct Unsteadiness: Sendable {
    var noise: BandNoise
    let share: Double

    mutating func value(at moment: Instant) -> Double { share * noise.value(at: moment) }
  }

  private enum Matter: Sendable {
    case black
    case none
    case paper
    /// Red and lit by the torch.
    case object(Light)
    /// Red and lit by a lamp.
    case film(Light)
  }

  private let matter: Matter
  private var play: Play
  private var noise: Unsteadiness?
  private var furtherNoise: Unsteadiness?

  /// A source without a pulse.
  ///
  /// - Parameters:
  ///   - frameRateFps: the rate at which a camera will look at it, 5...240 frames per second. A lamp's flicker is chosen
  ///     by it (see ``lampHz(aliasHz:frameRateFps:)``).
  ///   - seed: for everything that is left to chance
  public init(_ kind: Nothing, frameRateFps: Double, seed: UInt64) {
    precondition((5...240).contains(frameRateFps), "frame rate is 5...240 fps")
    func stream(_ part: String = "") -> SeededGenerator {
      SeededGenerator(seed: seed, stream: "nothing.\(kind.rawValue)\(part)")
    }
    func unsteadiness(
      _ share: Double, _ bandHz: ClosedRange<Double>, _ spacing: BandNoise.Spacing, renewedEvery seconds: Int64,
      _ part: String = ""
    ) -> Unsteadiness {
      let noise = BandNoise(
        bandHz: bandHz, spacing: spacing, renewedEvery: .seconds(seconds), from: .zero, generator: stream(part))
      return Unsteadiness(noise: noise, share: share)
    }
    matter = Self.matter(of: kind, colour: stream(".colour"))
    switch kind {
    case .dark, .table, .paper, .photo: play = .still
    case .drift:
      play = .noise
      noise = unsteadiness(Self.driftShare, 0.004...0.05, .octaves, renewedEvery: 100)
    case .ramp: play = .ramp(Ramp(generator: stream()))
    case .step: play = .steps(BrightnessSteps(generator: stream()))
    case .flicker, .slowFlicker:
      let aliasHz = kind == .flicker ? Self.pulseAliasHz : Self.breathAliasHz
      play = .lamp(
        MainsFlicker(lampHz: Self.lampHz(aliasHz: aliasHz, frameRateFps: frameRateFps), generator: stream()))
    case .noise:
      play = .noise
      // Two times four sines, of as much power for each hertz.
      let (middleHz, share) = (1.85, Self.noiseShare * 0.5.squareRoot())
      noise = unsteadiness(share, 0.7...middleHz, .even, renewedEvery: 3, ".low")
      furtherNoise = unsteadiness(share, middleHz...3, .even, renewedEvery: 3, ".high")
    case .tremor:
      play = .noise
      var generator = stream(".frequency")
      let centreHz = generator.uniform(in: 4.5...11.5)
      noise = unsteadiness(Self.tremorShare, centreHz - 0.5...centreHz + 0.5, .even, renewedEvery: 5)
      furtherNoise = unsteadiness(Self.handShare, 0.05...0.4, .octaves, renewedEvery: 20, ".hand")
    case .exposure: play = .hunting(ExposureHunting(generator: stream()))
    case .torch: play = .pulsing(TorchPulses(generator: stream()))
    case .sway:
      var generator = stream(".rate")
      play = .sway(RhythmicMotion(perMin: generator.uniform(in: 60...90), from: .zero, generator: stream()))
    }
  }

  /// The frequency of a lamp's flicker in Hz, whose alias falls at `aliasHz` where frames come at `frameRateFps`.
  ///
  /// Sampling shows a frequency at its distance to the nearest multiple of the frame rate. Of all that have the right
  /// distance this is the one nearest to 100 or 120 Hz, twice the frequency of 50 or 60 Hz mains. Every rate from 20 to 60 fps
  /// in use has a multiple at or near one of them, so that a mains 0.6 Hz off, as a generator's may be, is enough.
  public static func lampHz(aliasHz: Double, frameRateFps: Double) -> Double {
    var best = (lampHz: 0.0, offHz: Double.infinity)
    for multiple in 1...30 {
      for lampHz in [Double(multiple) * frameRateFps - aliasHz, Double(multiple) * frameRateFps + aliasHz] {
        let offHz = min((lampHz - 100).magnitude, (lampHz - 120).magnitude)
        if offHz < best.offHz { best = (lampHz, offHz) }
      }
    }
    return best.lampHz
  }

  /// The light at the lens at `moment`, which is not before any moment asked for.
  ///
  /// - Parameters:
  ///   - torch: the torch's light, as a share of its full light
  ///   - surroundings: the light that comes without anything over the lens
  public mutating func light(at moment: Instant, torch: Double, surroundings: Light) -> Light {
    switch matter {
    case .black: return surroundings.scaled(by: 0.004)
    case .none: return surroundings
    case .paper:
      let ambient = surroundings.scaled(by: 0.6)
      return Light(
        red: ambient.red + 186 * torch, green: ambient.green + 184 * torch, blue: ambient.blue + 179 * torch)
    case .object(let colour):
      let (light, share) = brightness(at: moment)
      let lit = Self.withoutTorch + (1 - Self.withoutTorch) * torch * light
      return colour.scaled(by: lit * (1 + share))
    case .film(let colour):
      return colour.scaled(by: 1 + brightness(at: moment).share)
    }
  }

  /// The torch's own factor, and the relative change of all that comes to the lens.
  private mutating func brightness(at moment: Instant) -> (torch: Double, share: Double) {
    switch play {
    case .still: return (1, 0)
    case .noise: return (1, (noise?.value(at: moment) ?? 0) + (furtherNoise?.value(at: moment) ?? 0))
    case .ramp(let ramp): return (1, ramp.value(at: moment))
    case .steps(var steps):
      let value = steps.value(at: moment)
      play = .steps(steps)
      return (1, value)
    case .lamp(let lamp): return (1, Self.flickerShare * lamp.value(at: moment))
    case .hunting(var hunting):
      let value = hunting.value(at: moment)
      play = .hunting(hunting)
      return (1, value)
    case .pulsing(let pulses): return (pulses.value(at: moment), 0)
    case .sway(var sway):
      let value = sway.value(at: moment)
      play = .sway(sway)
      return (1, Self.swayShare * value)
    }
  }

  private static func matter(of kind: Nothing, colour: SeededGenerator) -> Matter {
    var generator = colour
    // As wide as fingertips differ.
    let red = Light(
      red: 200 + generator.uniform(in: -8...8), green: 30 + generator.uniform(in: -3...3),
      blue: 25 + generator.uniform(in: -3...3))
    return switch kind {
    case .dark: .black
    case .table: .none
    case .paper: .paper
    case .photo, .drift, .ramp, .step, .noise, .tremor, .exposure, .torch, .sway: .object(red)
    case .flicker, .slowFlicker: .film(red)
    }
  }
}

extension Light {
  /// All colours times the same factor.
  fileprivate func scaled(by factor: Double) -> Light { scaled(red: factor, green: factor, blue: factor) }
}
