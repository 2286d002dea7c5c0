/// A frame rate as a fraction of whole numbers, so that the place of a frame is exact after days.
public struct FrameRate: Hashable, Sendable {
  /// Frames in `denominator` seconds, above 0.
  public let numerator: Int64
  /// Seconds that `numerator` frames take, above 0.
  public let denominator: Int64

  /// Frames per second.
  public var fps: Double { Double(numerator) / Double(denominator) }

  /// Whole rates of film and video, and the same at half speed, that are slowed by 1000 / 1001 (SMPTE 12M): 23.976 is
  /// written for 24000 / 1001, and 29.97 for 30000 / 1001.
  private static let slowed: [Int64] = [12, 15, 24, 30, 60]

  /// The rate that is written as `fps` frames per second, above 0 and at most 1,000.
  ///
  /// 23.976, 29.97 and 59.94, with any number of decimals, are the exact rates of video; any other rate counts to six
  /// decimals.
  public init(fps: Double) {
    precondition(fps > 0 && fps <= 1_000, "a frame rate is above 0 and at most 1000 fps")
    if let whole = Self.slowed.first(where: { (Double($0) * 1_000 / 1_001 - fps).magnitude < 0.000_5 }) {
      (numerator, denominator) = (whole * 1_000, 1_001)
    } else {
      (numerator, denominator) = (max(Int64((fps * 1_000_000).rounded()), 1), 1_000_000)
    }
  }
}
