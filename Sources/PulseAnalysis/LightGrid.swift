import VitalsModel

/// The three colours as a vector: red, green, blue and an unused fourth lane.
typealias Light = SIMD4<Double>

/// Puts irregular frames on an even grid: each grid value is the mean, over its cell, of the straight line through the
/// frames. A mean over a symmetric cell moves nothing in time, and takes every frame rate alike.
struct LightGrid: Sendable {
  /// Width of a grid cell, microseconds: 32 cells a second.
  static let cellUs: Int64 = 31_250
  /// Cells in a second.
  static let rate = 32.0

  private let originUs: Int64
  /// The end of the cell that is being filled.
  private var edgeUs: Int64
  /// The time of the last frame.
  private(set) var lastUs: Int64 = 0
  private var last = Light()
  private var area = Light()
  /// Cells finished since the grid began.
  private(set) var count = 0

  /// The grid begins at a frame.
  init(firstUs: Int64, first: Light) {
    originUs = firstUs
    edgeUs = firstUs + Self.cellUs
    lastUs = firstUs
    last = first
  }

  /// The time of a place on the grid, in cells from the first cell's middle.
  func timeUs(_ cell: Double) -> Int64 {
    originUs + Int64(((cell + 0.5) * Double(Self.cellUs)).rounded())
  }

  /// Adds a frame and calls `emit` with each cell that it finishes.
  @inline(__always)
  mutating func add(_ atUs: Int64, _ light: Light, emit: (Light) -> Void) {
    let span = Double(atUs - lastUs)
    let slope = (light - last) * (1 / span)
    var fromUs = lastUs
    var from = last
    var edgeUs = edgeUs
    while edgeUs <= atUs {
      let edge = last + slope * Double(edgeUs - lastUs)
      area += (from + edge) * (0.5 * Double(edgeUs - fromUs))
      emit(area * (1 / Double(Self.cellUs)))
      area = Light()
      count += 1
      from = edge
      fromUs = edgeUs
      edgeUs += Self.cellUs
    }
    self.edgeUs = edgeUs
    area += (from + light) * (0.5 * Double(atUs - fromUs))
    lastUs = atUs
    last = light
  }

  /// The natural logarithm of a frame's colours, so that a change is relative and a change of exposure only an offset.
  /// Channels under one count are held at one: nothing below is more than the noise of rounding.
  static func light(red: Double, green: Double, blue: Double) -> Light {
    light(Light(red, green, blue, 1))
  }

  /// The natural logarithms of a frame's colours.
  @inline(__always)
  static func light(_ colours: Light) -> Light { logarithm(colours.atLeast(Light(repeating: 1))) }

  /// The natural logarithms of four numbers, 1 or more and finite; within 1e-11.
  ///
  /// As `Maths.log`, by 2 artanh((m - 1) / (m + 1)) of the significand, four at once and with fewer terms: a frame has three
  /// colours, and this is most of what taking one in costs.
  @inline(__always)
  static func logarithm(_ numbers: Light) -> Light {
    let bits = unsafeBitCast(numbers, to: SIMD4<UInt64>.self)
    // How many times the number is to be halved to come below the root of 2; the first is the half of that root.
    let halvings = (bits &- 0x3fe6_a09e_667f_3bcd) &>> 52
    let significand = unsafeBitCast(bits &- (halvings &<< 52), to: Light.self)
    // An integer below 2^52 written under the exponent of 2^52 is that integer plus 2^52.
    let exponent = unsafeBitCast(halvings | 0x4330_0000_0000_0000, to: Light.self) - 0x1p52
    let s = (significand - 1) / (significand + 1)
    let square = s * s
    var series = square * (1 / 13.0) + 1 / 11.0
    series = series * square + 1 / 9.0
    series = series * square + 1 / 7.0
    series = series * square + 1 / 5.0
    series = series * square + 1 / 3.0
    series = series * square + 1
    return exponent * 0.693_147_180_559_945_3 + s * series * 2
  }
}
