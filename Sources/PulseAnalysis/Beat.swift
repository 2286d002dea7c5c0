import VitalsModel

/// One heartbeat seen in the light of the fingertip.
public struct Beat: Sendable, Hashable {
  /// When the light changed fastest on the rising pulse; finer than the spacing of the frames.
  public let at: Instant
  /// Whether the pulse looks like its neighbours and the interval since the beat before can be trusted.
  ///
  /// Heart rate may use any beat; variability only those that are clean.
  public let isClean: Bool
  /// Whether the beat before was seen without a break of the signal in between, so that the difference of the two
  /// times is an interval. False on the first beat after contact was found or the camera paused.
  public let isLinked: Bool
  /// Whether the pulse looks like those before it, whenever it came: an irregular heart's do, those of a finger that moves
  /// do not.
  public let isAlike: Bool

  /// A beat with what is known about it.
  public init(at: Instant, isClean: Bool, isLinked: Bool, isAlike: Bool = false) {
    self.at = at
    self.isClean = isClean
    self.isLinked = isLinked
    self.isAlike = isAlike
  }
}
