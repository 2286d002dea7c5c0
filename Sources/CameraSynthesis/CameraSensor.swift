import PulseSynthesis
import VitalsModel

/// A sensor: turns light into the colour means of a frame.
///
/// Each pixel is a whole count; the mean over many is a fraction. Noise makes a pixel fall on neighbouring counts as often
/// as the light lies between them, so a mean follows the light far below one count, until pixels clip: near 0 and 255 fewer
/// and fewer of them still move. Draws come from the stream "camera.noise", three to a frame.
public struct CameraSensor: Sendable {
  private let settings: CameraSettings
  private var response: PixelResponse
  /// Light to level: gain and stops.
  private let factor: Double
  /// Steps of a mean in one unit of the common scale: pixels times counts.
  private let steps: Double
  private let perRootPixels: Double
  private var exposure: ExposureControl
  private var whiteBalance: WhiteBalance
  private var generator: SeededGenerator

  /// A sensor with its own noise.
  ///
  /// - Parameter settings: without contradiction
  public init(_ settings: CameraSettings, seed: UInt64) {
    if let contradiction = settings.contradiction { preconditionFailure(contradiction.reason) }
    self.init(settings, response: PixelResponse(settings), seed: seed)
  }

  /// The same sensor as it is when the camera is opened anew: its controls begin from the beginning, and its noise with
  /// another seed.
  public func reopened(seed: UInt64) -> CameraSensor {
    CameraSensor(settings, response: response, seed: seed)
  }

  private init(_ settings: CameraSettings, response: PixelResponse, seed: UInt64) {
    self.settings = settings
    self.response = response
    factor = settings.lightFactor
    let pixels = Double(settings.pixels)
    steps = pixels * (settings.depth.largestCount / PixelResponse.ceiling)
    perRootPixels = 1 / pixels.squareRoot()
    exposure = ExposureControl(settings.exposure, gamma: settings.gamma)
    whiteBalance = WhiteBalance(settings.whiteBalance, seed: seed)
    generator = SeededGenerator(seed: seed, stream: "camera.noise")
  }

  /// The frame that captures `light` at a moment of true time.
  ///
  /// Each mean is a whole number of counts over the number of pixels. The phone's clock has not stamped the frame yet.
  ///
  /// - Parameters:
  ///   - light: the light at the lens, over the exposure
  ///   - moment: when it is captured, not before the frame before
  public mutating func frame(of light: Light, at moment: Instant) -> FrameSample {
    let level = factor * exposure.factor
    let balance = whiteBalance.gains(at: moment)
    let red = mean(of: light.red * (level * balance.red))
    let green = mean(of: light.green * level)
    let blue = mean(of: light.blue * (level * balance.blue))
    exposure.see(red: red, green: green, blue: blue)
    return FrameSample(captured: moment, red: red, green: green, blue: blue)
  }

  /// What the automatic exposure makes of the light for the next frame, as a factor; 1 while it is locked.
  public var exposureFactor: Double { exposure.factor }

  private mutating func mean(of level: Double) -> Double {
    let draw = generator.gaussian()
    let pixel = response.pixel(at: level)
    let noisy = max(pixel.mean + draw * pixel.spread * perRootPixels, 0)
    // Truncation of a positive number plus a half rounds it, without a call into the C library for each colour.
    return min(Double(Int(noisy * steps + 0.5)) / steps, PixelResponse.ceiling)
  }
}

extension CameraSettings {
  /// What gain and stops make of the light, as a factor.
  var lightFactor: Double { gain * (exposureStops == 0 ? 1 : Maths.pow(2, exposureStops)) }
}
