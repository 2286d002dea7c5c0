import PulseSynthesis
import Testing
import VitalsModel

@testable import CameraSynthesis

private let finger = Light(red: 200, green: 30, blue: 25)
private let table = Light(red: 110, green: 108, blue: 102)

/// The mean of the first pictures of a light.
private func mean(
  _ light: PictureLight, _ settings: CameraSettings = CameraSettings(), width: Int = 320, height: Int = 240,
  pictures: Int = 1
) -> Light {
  var sensor = PictureSensor(settings, width: width, height: height, seed: 3)
  var bytes: [UInt8] = []
  var sum = Light(red: 0, green: 0, blue: 0)
  for index in 0..<pictures {
    sensor.take(light, at: at(Double(index) / 30), into: &bytes)
    let mean = YUYV.mean(of: bytes)
    sum.red += mean.red / Double(pictures)
    sum.green += mean.green / Double(pictures)
    sum.blue += mean.blue / Double(pictures)
  }
  return sum
}

private func distance(_ one: Light, _ other: Light) -> Double {
  max((one.red - other.red).magnitude, (one.green - other.green).magnitude, (one.blue - other.blue).magnitude)
}

@Suite struct PictureTests {
  @Test(arguments: [
    PictureLight(finger: finger), PictureLight(finger: Light(red: 120, green: 12.5, blue: 9)),
    PictureLight(finger: Light(red: 60, green: 60, blue: 60)),
    PictureLight(finger: finger, ambient: table, coverage: 0),
    PictureLight(finger: finger, ambient: table, coverage: 1),
    PictureLight(finger: finger, ambient: table, coverage: 0.005),
    PictureLight(finger: finger, ambient: table, coverage: 0.3),
    PictureLight(finger: finger, ambient: table, coverage: 0.7),
    PictureLight(finger: finger, ambient: table, coverage: 0.993),
  ]) func meansAreThoseOfTheLight(light: PictureLight) {
    // The noise of a mean over 320 x 240 pixels is 0.01 counts.
    #expect(distance(mean(light, pictures: 4), light.mean) < 0.1, "\(mean(light, pictures: 4)) and \(light.mean)")
  }

  @Test(arguments: [(2, 1), (2, 3), (640, 480), (176, 144), (2, 999), (1_920, 1)] as [(Int, Int)])
  func anySizeWillDo(width: Int, height: Int) {
    var sensor = PictureSensor(CameraSettings(), width: width, height: height, seed: 3)
    var bytes: [UInt8] = [1, 2, 3]
    sensor.take(PictureLight(finger: finger), at: .zero, into: &bytes)
    #expect(bytes.count == 2 * width * height)
    let slack = 0.3 + 30 / Double(width * height).squareRoot()
    // A column's or a row's light is not the picture's mean.
    if width > 2, height > 1 { #expect(distance(YUYV.mean(of: bytes), finger) < slack) }
    #expect(bytes.enumerated().allSatisfy { (16...($0 % 2 == 0 ? 235 : 240)).contains($1) })
  }

  @Test(
    arguments: [
      (640, 480, nil), (641, 480, "a picture 641 pixels wide: a pair of pixels shares its colour"),
      (0, 480, "a picture of 0 x 480 pixels: 1 to 16384 each way are possible"),
      (640, 16_385, "a picture of 640 x 16385 pixels: 1 to 16384 each way are possible"),
    ] as [(Int, Int, String?)])
  func whatCannotBeIsRefused(width: Int, height: Int, reason: String?) {
    #expect(PictureSensor.contradiction(width: width, height: height) == reason)
  }

  /// The mean of a picture against the sensor that gives means alone, over the shaded levels.
  @Test(arguments: [
    camera { $0.gamma = 0.45 }, camera { $0.gain = 2 }, camera { $0.exposureStops = -2 },
    camera { $0.exposureStops = 2 },
    camera {
      $0.gamma = 0.7
      $0.readNoiseCounts = 5
    },
  ]) func pixelsFollowTheSettings(settings: CameraSettings) {
    let light = Light(red: 100, green: 40, blue: 20)
    var response = PixelResponse(settings)
    func expected(_ level: Double) -> Double {
      let shading = PictureShading(width: 64, height: 64)
      let scale = shading.scales(coverage: 1).finger
      var shade = [Float](repeating: 0, count: 64)
      var sum = 0.0
      for row in 0..<64 {
        shading.shade(row: row, isFinger: true, into: &shade)
        for share in shade { sum += response.pixel(at: level * settings.lightFactor * scale * Double(share)).mean }
      }
      return sum / 4_096
    }
    let wanted = Light(red: expected(100), green: expected(40), blue: expected(20))
    let given = mean(PictureLight(finger: light), settings, pictures: 4)
    #expect(distance(given, wanted) < 0.15, "\(given) and \(wanted)")
  }

  @Test func pixelsAreNoisyOnTheirOwn() {
    var sensor = PictureSensor(CameraSettings(), width: 128, height: 128, seed: 1)
    var (one, other): ([UInt8], [UInt8]) = ([], [])
    var means: [Double] = []
    for index in 0..<400 {
      swap(&one, &other)
      sensor.take(PictureLight(finger: Light(red: 80, green: 80, blue: 80)), at: at(Double(index)), into: &one)
      means.append(YUYV.mean(of: one).green)
    }
    let changes = zip(one, other).enumerated().filter { $0.offset % 2 == 0 }.map {
      Double($0.element.0) - Double($0.element.1)
    }
    // A pixel's spread is that of three colours with 2.24 counts each in luma, and of rounding.
    let weights = (0.299 * 0.299 + 0.587 * 0.587 + 0.114 * 0.114) * 5 * (219 / 255) * (219 / 255)
    let expected = (2 * (weights + 1 / 12.0)).squareRoot()
    #expect((moments(changes).spread / expected - 1).magnitude < 0.03)
    let neighbours = zip(changes, changes.dropFirst()).map { $0 * $1 }.reduce(0, +) / Double(changes.count)
    #expect(neighbours.magnitude < 0.05 * expected * expected)
    // The mean of a picture is as uncertain as independent pixels leave it.
    let spread = moments(means).spread
    let independent = 5.0.squareRoot() / 128
    #expect((0.8...1.35).contains(spread / independent), "\(spread) and \(independent)")
  }

  @Test func theFingerEndsAtAnEdge() {
    var sensor = PictureSensor(CameraSettings(), width: 200, height: 100, seed: 1)
    var bytes: [UInt8] = []
    sensor.take(PictureLight(finger: finger, ambient: table, coverage: 0.6), at: .zero, into: &bytes)
    func red(_ column: Int, _ row: Int) -> Double {
      let start = 400 * row + 4 * (column / 2)
      return YUYV.mean(of: Array(bytes[start..<start + 4])).red
    }
    func edge(_ row: Int) -> Int { (0..<200).first { red($0, row) < 150 } ?? 200 }
    #expect((edge(50) - 120).magnitude < 6)
    #expect(edge(5) > edge(95) + 40)
    sensor.take(PictureLight(finger: finger), at: .zero, into: &bytes)
    #expect(red(20, 50) > 1.1 * red(178, 50) && red(100, 50) > 1.03 * red(100, 2))
  }

  @Test func theSameSeedGivesTheSameBytes() {
    func picture(seed: UInt64) -> [UInt8] {
      var sensor = PictureSensor(CameraSettings(), width: 64, height: 48, seed: seed)
      var bytes: [UInt8] = []
      for index in 0..<3 { sensor.take(PictureLight(finger: finger), at: at(Double(index)), into: &bytes) }
      return bytes
    }
    #expect(picture(seed: 1) == picture(seed: 1) && picture(seed: 1) != picture(seed: 2))
  }

  @Test func exposureAndWhiteBalanceWorkOnPictures() {
    let settings = camera {
      $0.exposure = .auto
      $0.whiteBalance = .hunting
    }
    var sensor = PictureSensor(settings, width: 64, height: 48, seed: 1)
    var bytes: [UInt8] = []
    for index in 0..<150 {
      sensor.take(PictureLight(finger: Light(red: 50, green: 8, blue: 6)), at: at(Double(index) / 30), into: &bytes)
    }
    #expect(YUYV.mean(of: bytes).red > 150)
  }

  /// Colours there and back, by the standard's own figures.
  @Test(
    arguments: [
      (0, 0, 0, 16, 128, 128), (255, 255, 255, 235, 128, 128), (255, 0, 0, 81, 90, 240), (0, 255, 0, 145, 54, 34),
      (0, 0, 255, 41, 240, 110), (200, 30, 25, 85, 101, 203),
    ] as [(Float, Float, Float, UInt8, UInt8, UInt8)])
  func coloursAreThoseOfTheStandard(red: Float, green: Float, blue: Float, y: UInt8, cb: UInt8, cr: UInt8) {
    var row = ColourRow(width: 2)
    for index in 0..<2 { (row.red[index], row.green[index], row.blue[index]) = (red, green, blue) }
    var bytes = [UInt8](repeating: 0, count: 4)
    var sums = YUYV.Sums()
    bytes.withUnsafeMutableBufferPointer { YUYV.write(row, to: $0, adding: &sums) }
    #expect(bytes == [y, cb, y, cr])
    let back = YUYV.mean(of: bytes)
    #expect(distance(back, Light(red: Double(red), green: Double(green), blue: Double(blue))) < 1.7)
    #expect(distance(back, sums.mean(pairs: 1)) == 0)
  }
}
