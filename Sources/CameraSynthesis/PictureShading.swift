import PulseSynthesis
import VitalsModel

/// The light of a whole picture: what comes through the finger, and what comes past it.
public struct PictureLight: Hashable, Sendable {
  /// The mean light of the part that the finger covers.
  public var finger: Light
  /// The mean light of the rest.
  public var ambient: Light
  /// The share of the picture that the finger covers, 0...1.
  public var coverage: Double

  /// The light of a picture, wholly covered unless said otherwise.
  public init(finger: Light, ambient: Light = Light(red: 0, green: 0, blue: 0), coverage: Double = 1) {
    precondition((0...1).contains(coverage), "a share is 0 to 1")
    (self.finger, self.ambient, self.coverage) = (finger, ambient, coverage)
  }

  /// The mean light of the picture.
  public var mean: Light {
    let rest = 1 - coverage
    return Light(
      red: coverage * finger.red + rest * ambient.red, green: coverage * finger.green + rest * ambient.green,
      blue: coverage * finger.blue + rest * ambient.blue)
  }
}

/// How light is spread over a picture: brightest near the middle, and on the torch's side where it comes through the finger.
///
/// The shading of a pixel is the sum of a part for its column and a part for its row. Over the part of the picture that a
/// light falls on, the shading is scaled to a mean of 1, so that the light's mean is what was asked for.
struct PictureShading: Sendable {
  /// What the corners lose against the middle, as a share, and what the torch's side gains on the middle: a smooth
  /// picture of a covered lens, by our estimate.
  private static let vignette: Float = 0.2
  private static let torchSide: Float = 0.1
  /// The edge of the finger runs a little askew, and is blurred over this share of the picture: it is far out of focus.
  private static let slope: Double = 0.35
  private static let blur = 0.03
  /// Places to a side at which the parts of the picture are measured.
  private static let grid = 64

  let width: Int
  let height: Int
  /// The shading of each column without the row's part, through the finger and past it.
  private let fingerColumns: [Float]
  private let ambientColumns: [Float]
  private let rows: [Float]
  /// The sum of the shading over the places covered first, for each count of them.
  private let fingerSums: [Double]
  private let ambientSums: [Double]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    // From -1 to 1 at the outermost edges; corners are at a squared distance of 1.
    func across(_ index: Int, _ count: Int) -> Float { (2 * Float(index) + 1) / Float(count) - 1 }
    let falls = { (place: Float) in Self.vignette * place * place / 2 }
    fingerColumns = (0..<width).map { 1 - falls(across($0, width)) - Self.torchSide * across($0, width) }
    ambientColumns = (0..<width).map { 1 - falls(across($0, width)) }
    rows = (0..<height).map { -falls(across($0, height)) }

    var places: [(place: Double, finger: Double, ambient: Double)] = []
    for row in 0..<Self.grid {
      for column in 0..<Self.grid {
        let (x, y) = (across(column, Self.grid), across(row, Self.grid))
        let plain = 1 - falls(x) - falls(y)
        places.append(
          (Self.place(Double(1 + x) / 2, Double(1 + y) / 2), Double(plain - Self.torchSide * x), Double(plain)))
      }
    }
    places.sort { $0.place < $1.place }
    fingerSums = places.reduce(into: [0]) { sums, place in sums.append((sums.last ?? 0) + place.finger) }
    ambientSums = places.reduce(into: [0]) { sums, place in sums.append((sums.last ?? 0) + place.ambient) }
  }

  /// The share of the picture that the finger covers before it reaches a point, both 0...1 across the picture.
  ///
  /// The finger comes from the torch's side with a straight edge. x + slope y is spread like the sum of two even numbers, of
  /// which this is the distribution.
  private static func place(_ x: Double, _ y: Double) -> Double {
    let sum = x + slope * y
    if sum < slope { return sum * sum / (2 * slope) }
    if sum <= 1 { return sum - slope / 2 }
    let beyond = 1 + slope - sum
    return 1 - beyond * beyond / (2 * slope)
  }

  /// What the two lights are multiplied by, beside the shading, for their means to be right.
  func scales(coverage: Double) -> (finger: Double, ambient: Double) {
    let count = Double(fingerSums.count - 1)
    let covered = Int((coverage * count).rounded())
    let total = ambientSums[ambientSums.count - 1]
    let (finger, ambient) = (fingerSums[covered], total - ambientSums[covered])
    return (covered > 0 ? Double(covered) / finger : 1, ambient > 0 ? (count - Double(covered)) / ambient : 1)
  }

  /// The row's shading under one of the lights alone.
  func shade(row: Int, isFinger: Bool, into shading: inout [Float]) {
    let columns = isFinger ? fingerColumns : ambientColumns
    let part = rows[row]
    for index in 0..<width { shading[index] = columns[index] + part }
  }

  /// The finger's share of each pixel in a row, 0...1, at a coverage between 0 and 1.
  func cover(row: Int, coverage: Double, into shares: inout [Float]) {
    let edge = Self.edge(coverage)
    let y = (Double(row) + 0.5) / Double(height)
    for index in 0..<width {
      let place = Self.place((Double(index) + 0.5) / Double(width), y)
      shares[index] = Float(min(max((edge - place) / Self.blur + 0.5, 0), 1))
    }
  }

  /// The place of a blurred edge that leaves exactly this share of the picture covered.
  private static func edge(_ coverage: Double) -> Double {
    if coverage < blur / 2 { return (2 * blur * coverage).squareRoot() - blur / 2 }
    if coverage > 1 - blur / 2 { return 1 + blur / 2 - (2 * blur * (1 - coverage)).squareRoot() }
    return coverage
  }
}
