/// Where in a record the finger held still: a finger that moves changes the light far more, and faster, than its pulse.
struct Calm {
  /// Cells of a piece, a multiple of four: no pulse rate leaves one without a beat.
  private static let piece = 56
  /// How many times the usual height of a beat's slope is more than a beat.
  private static let limit = 4.0
  /// Cells around a disturbance that share in it.
  private static let margin = 10
  /// A rest shorter than this between two disturbances is part of them, in cells.
  private static let leastRest = 56

  /// Stretches, in cells and in order, in which the light moves as no pulse moves it.
  private(set) var disturbances: [Range<Int>] = []
  /// Share of the record outside of them, 0...1.
  private(set) var share = 0.0

  /// Compares each slope of a record with the highest ones of most of its pieces.
  init(_ slopes: [Double]) {
    let whole = max(slopes.count - 1, 0) / Self.piece
    guard whole > 0 else { return }
    let highest = slopes.withUnsafeBufferPointer { slopes in
      (0..<whole).map { Self.highest(slopes, $0 * Self.piece..<($0 + 1) * Self.piece) }
    }
    let limit = Self.limit * highest.ranked((whole - 1) / 2)
    for piece in 0...whole where piece == whole || highest[piece] > limit {
      for cell in piece * Self.piece..<min((piece + 1) * Self.piece, slopes.count) where slopes[cell].magnitude > limit
      {
        disturb(around: cell, of: slopes.count)
      }
    }
    // What is left at either end is too short to be a rest.
    if let first = disturbances.first, first.lowerBound < Self.leastRest { disturbances[0] = 0..<first.upperBound }
    if let last = disturbances.last, slopes.count - last.upperBound < Self.leastRest {
      disturbances[disturbances.count - 1] = last.lowerBound..<slopes.count
    }
    var disturbed = 0
    for stretch in disturbances { disturbed += stretch.count }
    share = 1 - Double(disturbed) / Double(slopes.count)
  }

  /// The highest magnitude in a piece, whose cells come in fours.
  private static func highest(_ slopes: UnsafeBufferPointer<Double>, _ cells: Range<Int>) -> Double {
    var tops = SIMD4<Double>()
    for cell in stride(from: cells.lowerBound, to: cells.upperBound, by: 4) {
      let four = slopes.four(at: cell)
      tops = tops.atLeast(four).atLeast(-four)
    }
    return tops.max()
  }

  private mutating func disturb(around cell: Int, of count: Int) {
    let from = max(cell - Self.margin, 0)
    let to = min(cell + Self.margin + 1, count)
    if let last = disturbances.last, from - last.upperBound < Self.leastRest {
      disturbances[disturbances.count - 1] = last.lowerBound..<to
    } else {
      disturbances.append(from..<to)
    }
  }

  /// The slopes with nothing where the finger moved.
  func quieted(_ slopes: [Double]) -> [Double] {
    var slopes = slopes
    for stretch in disturbances {
      for cell in stretch { slopes[cell] = 0 }
    }
    return slopes
  }
}
