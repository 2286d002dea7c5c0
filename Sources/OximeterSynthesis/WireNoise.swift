import VitalsModel

/// What goes wrong with bytes on their way: some are others, some are lost, some come twice.
struct WireNoise: Sendable {
  private var garbage: SeededGenerator
  private var dropping: SeededGenerator
  private var doubling: SeededGenerator

  init(seed: UInt64) {
    garbage = SeededGenerator(seed: seed, stream: "oximeter.garbage")
    dropping = SeededGenerator(seed: seed, stream: "oximeter.droppedBytes")
    doubling = SeededGenerator(seed: seed, stream: "oximeter.doubledBytes")
  }

  /// What is left of bytes that are sent at `moment`.
  mutating func garble(_ bytes: [UInt8], _ plan: FaultPlan, at moment: Instant) -> [UInt8] {
    let isGarbage = plan.holds(.garbage, at: moment)
    let dropped = plan.share(of: .droppedBytes, at: moment)
    let doubled = plan.share(of: .doubledBytes, at: moment)
    guard isGarbage || dropped > 0 || doubled > 0 else { return bytes }
    var garbled: [UInt8] = []
    for byte in bytes {
      let byte = isGarbage ? UInt8(truncatingIfNeeded: garbage.next()) : byte
      if dropped > 0, dropping.uniform() < dropped { continue }
      garbled.append(byte)
      if doubled > 0, doubling.uniform() < doubled { garbled.append(byte) }
    }
    return garbled
  }
}
