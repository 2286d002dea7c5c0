import PulseSynthesis

/// YUYV, the packed 4:2:2 picture that cameras give: for each pair of pixels Y0 Cb Y1 Cr, one byte each.
///
/// Y runs from 16 to 235 and Cb and Cr from 16 to 240 around 128 (ITU-R BT.601, limited range, which V4L2 cameras give
/// unless they say otherwise). A pair's Cb and Cr are those of its mean colour.
public enum YUYV {
  /// Bytes of a picture. Each row begins where the one before ends.
  public static func byteCount(width: Int, height: Int) -> Int { 2 * width * height }

  /// The mean colour of a picture, 0...255 each: its mean Y, Cb and Cr converted back. Converting is linear, so this is the
  /// mean of the converted pixels as long as none of them is cut off.
  ///
  /// - Parameter bytes: whole pairs of pixels, at least one
  public static func mean(of bytes: [UInt8]) -> Light {
    precondition(!bytes.isEmpty && bytes.count.isMultiple(of: 4), "a picture consists of pairs of pixels")
    var sums = Sums()
    var index = 0
    while index < bytes.count {
      sums.y += Int(bytes[index]) + Int(bytes[index + 2])
      sums.cb += Int(bytes[index + 1])
      sums.cr += Int(bytes[index + 3])
      index += 4
    }
    return sums.mean(pairs: bytes.count / 4)
  }

  /// Sums over a picture.
  struct Sums {
    var y = 0
    var cb = 0
    var cr = 0

    /// The mean colour.
    func mean(pairs: Int) -> Light {
      let luma = (Double(y) / Double(2 * pairs) - 16) * (255 / 219)
      let blue = (Double(cb) / Double(pairs) - 128) * (255 / 112)
      let red = (Double(cr) / Double(pairs) - 128) * (255 / 112)
      return Light(
        red: luma + (1 - Weight.red) * red,
        green: luma
          - (Weight.red * (1 - Weight.red) * red + Weight.blue * (1 - Weight.blue) * blue) / Weight.green,
        blue: luma + (1 - Weight.blue) * blue)
    }
  }

  /// What each colour gives to the luma (BT.601).
  enum Weight {
    static let red = 0.299
    static let green = 0.587
    static let blue = 0.114
  }

  /// Writes a row of colours, 0...255 each, and adds what was written to the sums.
  ///
  /// - Parameters:
  ///   - row: an even number of pixels
  ///   - target: room for two bytes a pixel
  static func write(_ row: borrowing ColourRow, to target: UnsafeMutableBufferPointer<UInt8>, adding sums: inout Sums) {
    let (luma, chroma) = (Float(219.0 / 255), Float(112.0 / 255))
    let (red, green, blue) = (
      luma * Float(Weight.red), luma * Float(Weight.green), luma * Float(Weight.blue)
    )
    let (blueScale, redScale) = (
      chroma / Float(1 - Weight.blue) / 2 / luma, chroma / Float(1 - Weight.red) / 2 / luma
    )
    let (reds, greens, blues) = (row.red.span, row.green.span, row.blue.span)
    var (ySum, cbSum, crSum) = (Int32(0), Int32(0), Int32(0))
    var index = 0
    while index + 1 < reds.count {
      let next = index + 1
      let first = red * reds[index] + green * greens[index] + blue * blues[index]
      let second = red * reds[next] + green * greens[next] + blue * blues[next]
      let both = first + second
      // A half more before the fraction is cut off rounds to the nearest.
      let y0 = Int32(first + 16.5)
      let y1 = Int32(second + 16.5)
      let cb = Int32((luma * (blues[index] + blues[next]) - both) * blueScale + 128.5)
      let cr = Int32((luma * (reds[index] + reds[next]) - both) * redScale + 128.5)
      target[2 * index] = UInt8(truncatingIfNeeded: y0)
      target[2 * index + 1] = UInt8(truncatingIfNeeded: cb)
      target[2 * index + 2] = UInt8(truncatingIfNeeded: y1)
      target[2 * index + 3] = UInt8(truncatingIfNeeded: cr)
      ySum &+= y0 &+ y1
      cbSum &+= cb
      crSum &+= cr
      index += 2
    }
    sums.y += Int(ySum)
    sums.cb += Int(cbSum)
    sums.cr += Int(crSum)
  }
}

/// One row of a picture in three colours, 0...255.
struct ColourRow: Sendable {
  var red: [Float]
  var green: [Float]
  var blue: [Float]

  init(width: Int) {
    red = [Float](repeating: 0, count: width)
    green = red
    blue = red
  }
}
