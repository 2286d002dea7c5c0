import PulseSynthesis
import VitalsModel

/// A sensor that gives whole pictures, for tests of what takes them in: YUYV with 8 bits, every pixel with its own noise.
///
/// It is the sensor of `CameraSettings` with as many pixels as the picture has, so `pixels` and `depth` say nothing here.
/// The mean of a picture, converted back, is that of its light within 0.1 counts plus the noise of the mean, where no pixel
/// is cut off and the noise of a pixel is a count or more: less noise leaves the rounding of Y, Cb and Cr unfair, by up to
/// exp(-2 pi^2 s^2) / pi of a step where one of them has a spread of s steps.
///
/// Draws come from the stream "camera.picture", one to a row, which say where in a long table of normal numbers the row's
/// noise begins.
public struct PictureSensor: Sendable {
  /// The sizes that a picture may have.
  private static let sizes = 1...16_384
  private static let tableSize = 65_536
  /// Entries of the tone curve to a count.
  private static let toneSteps: Float = 64

  private let shading: PictureShading
  private let dark: Float
  private let perCount: Float
  private let factor: Double
  /// The tone curve; empty when it is linear.
  private let tones: [Float]
  /// Normal numbers with a mean of 0 and a spread of 1, the first `width` of them again at the end.
  private let normal: [Float]
  private var exposure: ExposureControl
  private var whiteBalance: WhiteBalance
  private var generator: SeededGenerator
  private var row: ColourRow
  private var shade: [Float]
  private var ambientShade: [Float]
  private var shares: [Float]

  /// Why a picture cannot have this size; nil when it can.
  public static func contradiction(width: Int, height: Int) -> String? {
    guard sizes.contains(width), sizes.contains(height) else {
      return "a picture of \(width) x \(height) pixels: 1 to \(sizes.upperBound) each way are possible"
    }
    return width.isMultiple(of: 2) ? nil : "a picture \(width) pixels wide: a pair of pixels shares its colour"
  }

  /// A sensor for pictures of one size.
  ///
  /// - Parameters:
  ///   - settings: without contradiction
  ///   - width: pixels in a row, even
  ///   - height: rows
  public init(_ settings: CameraSettings, width: Int, height: Int, seed: UInt64) {
    if let contradiction = settings.contradiction { preconditionFailure(contradiction.reason) }
    if let reason = Self.contradiction(width: width, height: height) { preconditionFailure(reason) }
    shading = PictureShading(width: width, height: height)
    let noise = LevelNoise(settings)
    (dark, perCount) = (Float(noise.dark), Float(noise.perCount))
    factor = settings.lightFactor
    let ceiling = PixelResponse.ceiling
    tones =
      settings.gamma == 1
      ? []
      : (0...Int(ceiling * Double(Self.toneSteps))).map { index in
        Float(ceiling * Maths.pow(Double(index) / (ceiling * Double(Self.toneSteps)), settings.gamma))
      }
    normal = Self.table(width: width, seed: seed)
    exposure = ExposureControl(settings.exposure, gamma: settings.gamma)
    whiteBalance = WhiteBalance(settings.whiteBalance, seed: seed)
    generator = SeededGenerator(seed: seed, stream: "camera.picture")
    row = ColourRow(width: width)
    shade = [Float](repeating: 0, count: width)
    ambientShade = shade
    shares = shade
  }

  private static func table(width: Int, seed: UInt64) -> [Float] {
    var generator = SeededGenerator(seed: seed, stream: "camera.picture.noise")
    let draws = (0..<tableSize).map { _ in generator.gaussian() }
    let mean = draws.reduce(0, +) / Double(tableSize)
    let squares = draws.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let scale = 1 / (squares / Double(tableSize)).squareRoot()
    let numbers = draws.map { Float(($0 - mean) * scale) }
    return numbers + numbers[..<width]
  }

  /// Takes the picture of a light.
  ///
  /// - Parameters:
  ///   - light: the light at the lens
  ///   - moment: when it is captured, not before the picture before
  ///   - bytes: becomes the picture, `YUYV.byteCount(width:height:)` bytes
  public mutating func take(_ light: PictureLight, at moment: Instant, into bytes: inout [UInt8]) {
    let (width, height) = (shading.width, shading.height)
    let count = YUYV.byteCount(width: width, height: height)
    if bytes.count != count { bytes = [UInt8](repeating: 0, count: count) }
    let balance = whiteBalance.gains(at: moment)
    let scales = shading.scales(coverage: light.coverage)
    let level = factor * exposure.factor
    let finger = Levels(light.finger, level * scales.finger, balance)
    let ambient = Levels(light.ambient, level * scales.ambient, balance)
    var sums = YUYV.Sums()
    bytes.withUnsafeMutableBufferPointer { target in
      for index in 0..<height {
        shine(row: index, coverage: light.coverage, finger, ambient)
        addNoise()
        YUYV.write(
          row, to: UnsafeMutableBufferPointer(rebasing: target[2 * width * index..<2 * width * (index + 1)]),
          adding: &sums)
      }
    }
    let mean = sums.mean(pairs: count / 4)
    exposure.see(red: mean.red, green: mean.green, blue: mean.blue)
  }

  /// A light as the sensor's levels.
  private struct Levels {
    let red: Float
    let green: Float
    let blue: Float

    init(_ light: Light, _ factor: Double, _ balance: (red: Double, blue: Double)) {
      red = Float(light.red * factor * balance.red)
      green = Float(light.green * factor)
      blue = Float(light.blue * factor * balance.blue)
    }
  }

  /// The light that falls on a row.
  private mutating func shine(row index: Int, coverage: Double, _ finger: Levels, _ ambient: Levels) {
    if coverage == 0 || coverage == 1 {
      let all = coverage == 1 ? finger : ambient
      shading.shade(row: index, isFinger: coverage == 1, into: &shade)
      Self.spread(all.red, by: shade, into: &row.red)
      Self.spread(all.green, by: shade, into: &row.green)
      Self.spread(all.blue, by: shade, into: &row.blue)
      return
    }
    shading.cover(row: index, coverage: coverage, into: &shares)
    shading.shade(row: index, isFinger: true, into: &shade)
    shading.shade(row: index, isFinger: false, into: &ambientShade)
    for column in 0..<shares.count {
      shade[column] *= shares[column]
      ambientShade[column] *= 1 - shares[column]
    }
    Self.spread(finger.red, by: shade, ambient.red, by: ambientShade, into: &row.red)
    Self.spread(finger.green, by: shade, ambient.green, by: ambientShade, into: &row.green)
    Self.spread(finger.blue, by: shade, ambient.blue, by: ambientShade, into: &row.blue)
  }

  private static func spread(_ level: Float, by shade: [Float], into row: inout [Float]) {
    for index in 0..<min(row.count, shade.count) { row[index] = level * shade[index] }
  }

  private static func spread(
    _ level: Float, by shade: [Float], _ other: Float, by otherShade: [Float], into row: inout [Float]
  ) {
    for index in 0..<min(row.count, shade.count, otherShade.count) {
      row[index] = level * shade[index] + other * otherShade[index]
    }
  }

  /// Each pixel's noise, cut off at both ends, and the tone curve.
  private mutating func addNoise() {
    // Three places in the table and three signs from one word.
    let word = generator.next()
    func part(_ index: UInt64) -> (start: Int, sign: Float) {
      (Int((word >> (16 * index)) & 0xffff), (word >> (48 + index)) & 1 == 0 ? 1 : -1)
    }
    addNoise(part(0), to: &row.red)
    addNoise(part(1), to: &row.green)
    addNoise(part(2), to: &row.blue)
  }

  private func addNoise(_ part: (start: Int, sign: Float), to row: inout [Float]) {
    let (dark, perCount) = (dark, perCount)
    normal.withUnsafeBufferPointer { numbers in
      for index in row.indices {
        let level = row[index]
        let spread = part.sign * (dark + perCount * level).squareRoot()
        let noisy = level + spread * numbers[part.start + index]
        row[index] = min(max(noisy, 0), 255)
      }
    }
    guard !tones.isEmpty else { return }
    for index in row.indices { row[index] = tones[Int(row[index] * Self.toneSteps + 0.5)] }
  }
}
