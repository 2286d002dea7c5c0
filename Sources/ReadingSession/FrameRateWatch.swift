import VitalsModel

/// Whether a camera keeps its selected rate: the frames captured in the last 2 s, counted in slots of a quarter second
/// (V36).
///
/// A pause in which nothing comes is not a low rate: slots without a frame, and those beside them, are left out, unless
/// nothing else is left. A camera that pauses for long has stalled, which is told apart elsewhere.
struct FrameRateWatch: Sendable {
  private static let slotUs: Int64 = 250_000
  private static let slots: Int64 = 8

  /// What a slot should hold at least, on average.
  private let leastPerSlot: Double
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
    leastPerSlot = selectedFps * slowShare * Double(Self.slotUs) / 1_000_000
  }

  mutating func see(captured: Instant) {
    let slot = captured.microseconds / Self.slotUs
    let before = seen ?? (slot, slot)
    // A time stamp that goes back says nothing of the rate.
    guard slot >= max(before.current, 0) else { return }
    seen = (before.first, slot)
    if slot > before.current { turn(from: before.current, to: slot, first: before.first) }
    counts[Self.place(slot)] &+= 1
  }

  private static func place(_ slot: Int64) -> Int { Int(slot % slots) }

  /// The frames of a slot are complete once a later one has begun; the first was not seen from its beginning.
  private mutating func turn(from last: Int64, to slot: Int64, first: Int64) {
    for empty in max(last + 1, slot - Self.slots)..<slot { counts[Self.place(empty)] = 0 }
    if slot - first > Self.slots { isSlow = isSlow(before: slot) }
    counts[Self.place(slot)] = 0
  }

  private func isSlow(before slot: Int64) -> Bool {
    let window = slot - Self.slots..<slot
    func isEmpty(_ other: Int64) -> Bool { window.contains(other) && counts[Self.place(other)] == 0 }
    let whole = window.filter { !isEmpty($0 - 1) && !isEmpty($0) && !isEmpty($0 + 1) }
    let counted = whole.isEmpty ? Array(window) : whole
    let frames = counted.reduce(0) { $0 + Double(counts[Self.place($1)]) }
    return frames > 0 && frames < leastPerSlot * Double(counted.count)
  }
}
