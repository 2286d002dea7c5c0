import VitalsModel

/// Whether a camera keeps its selected rate: the frames captured in the last 2 s, counted in slots of a quarter second
/// (V36).
struct FrameRateWatch: Sendable {
  private static let slotUs: Int64 = 250_000
  private static let slots: Int64 = 8

  private let leastFrames: Int32
  /// Frames by slot; each slot's place is its number modulo 8.
  private var counts = SIMD8<Int32>()
  /// The slot of the first frame, and the one that frames fall into now; nil before the first frame.
  private var seen: (first: Int64, current: Int64)?
  /// Whether fewer frames came in the last 2 s than should have; false until 2 s were seen.
  private(set) var isSlow = false

  /// - Parameters:
  ///   - selectedFps: what the camera should deliver
  ///   - slowShare: the share of it below which it is slow
  init(selectedFps: Double, slowShare: Double) {
    leastFrames = Int32(selectedFps * 2 * slowShare)
  }

  mutating func see(captured: Instant) {
    let slot = captured.microseconds / Self.slotUs
    let before = seen ?? (slot, slot)
    seen = (before.first, max(slot, before.current))
    if slot > before.current { turn(from: before.current, to: slot, first: before.first) }
    counts[Int(slot % Self.slots)] &+= 1
  }

  /// The frames of a slot are complete once a later one has begun; the first was not seen from its beginning.
  private mutating func turn(from last: Int64, to slot: Int64, first: Int64) {
    for empty in max(last + 1, slot - Self.slots)..<slot { counts[Int(empty % Self.slots)] = 0 }
    if slot - first > Self.slots { isSlow = counts.wrappedSum() < leastFrames }
    counts[Int(slot % Self.slots)] = 0
  }
}
