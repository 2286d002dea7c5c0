import PulseSynthesis
import VitalsModel

/// How noisy the pixels of a camera are.
public struct CameraNoise: Hashable, Sendable {
  /// Standard deviation of a dark pixel, in counts; at least half a count, which whole counts need for a fair mean.
  public let readCounts: Double
  /// Variance that light adds, in squared counts for each count of light (photon shot noise).
  public let shotCounts: Double
  /// Pixels that a frame's mean is taken over.
  public let pixels: Int

  /// The noise of a camera.
  public init(readCounts: Double, shotCounts: Double, pixels: Int) {
    precondition(readCounts >= 0.5 && shotCounts >= 0 && pixels > 0, "noise needs 0.5 counts or more, and pixels")
    self.readCounts = readCounts
    self.shotCounts = shotCounts
    self.pixels = pixels
  }

  /// A phone's camera in good light: a mean of red 200 is uncertain by 0.1 counts, of green 30 by 0.05.
  public static let phone = CameraNoise(readCounts: 1, shotCounts: 0.05, pixels: 1_000)
}

/// An 8-bit sensor: turns light into the colour means of a frame.
///
/// Each pixel is a whole count of 0...255; the mean over many is a fraction. Noise makes a pixel fall on neighbouring
/// counts as often as the light lies between them, so a mean follows the light far below one count, until pixels clip:
/// near 0 and 255 fewer and fewer of them still move. Draws come from the stream "camera.noise", three to a frame.
public struct CameraSensor: Sendable {
  private static let ceiling = 255.0

  private let noise: CameraNoise
  private let pixels: Double
  private let perRootPixels: Double
  private var generator: SeededGenerator

  /// A sensor with its own noise.
  public init(noise: CameraNoise, seed: UInt64) {
    self.noise = noise
    pixels = Double(noise.pixels)
    perRootPixels = 1 / pixels.squareRoot()
    generator = SeededGenerator(seed: seed, stream: "camera.noise")
  }

  /// The frame that captures `light` at a moment; each mean is a whole number of counts over the number of pixels.
  public mutating func frame(of light: Light, captured: Instant) -> FrameSample {
    let red = mean(of: light.red)
    let green = mean(of: light.green)
    let blue = mean(of: light.blue)
    return FrameSample(captured: captured, red: red, green: green, blue: blue)
  }

  private mutating func mean(of level: Double) -> Double {
    let draw = generator.gaussian()
    let spread = (noise.readCounts * noise.readCounts + noise.shotCounts * max(level, 0)).squareRoot()
    var pixel = (mean: level, spread: spread)
    if level > Self.ceiling - 5 * spread {
      pixel = capped(mean: level, spread: spread, ceiling: Self.ceiling)
    } else if level < 5 * spread {
      // The floor at 0 is the same thing upside down.
      let mirrored = capped(mean: -level, spread: spread, ceiling: 0)
      pixel = (-mirrored.mean, mirrored.spread)
    }
    let noisy = max(pixel.mean + draw * pixel.spread * perRootPixels, 0)
    // Truncation of a positive number plus a half rounds it, without a call into the C library for each colour.
    return min(Double(Int(noisy * pixels + 0.5)) / pixels, Self.ceiling)
  }
}

/// Mean and standard deviation of a normal variable that is rounded to whole counts and cut off at a whole ceiling.
///
/// With Z standard normal and z the ceiling in its units, min(Z, z) has mean z (1 - Phi(z)) - phi(z) and mean square
/// Phi(z) - z phi(z) + z^2 (1 - Phi(z)). Rounding raises the mean by the density at the ceiling over 24, which is the
/// error of the midpoint rule in the sum over counts.
private func capped(mean: Double, spread: Double, ceiling: Double) -> (mean: Double, spread: Double) {
  let z = (ceiling - mean) / spread
  let density = Maths.exp(-z * z / 2) / (2 * Double.pi).squareRoot()
  let above = upperTail(z, density: density)
  let first = z * above - density
  let second = 1 - above - z * density + z * z * above
  return (mean + spread * first + density / (24 * spread), spread * max(second - first * first, 0).squareRoot())
}

/// The chance that a standard normal variable lies above `z`, within 7.5e-8 (Abramowitz and Stegun, 26.2.17).
private func upperTail(_ z: Double, density: Double) -> Double {
  let t = 1 / (1 + 0.231_641_9 * z.magnitude)
  let sum =
    t * (0.319_381_530 + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))))
  return z >= 0 ? density * sum : 1 - density * sum
}
