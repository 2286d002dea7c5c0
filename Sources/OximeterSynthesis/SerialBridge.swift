import OximeterProtocols
import VitalsModel

/// The line from the device to the reader: bytes follow each other at its speed, and come in the lumps of a bridge to USB.
///
/// The bridge hands on what has come whenever its timer ticks, wherever a frame is by then; without a timer it hands on
/// each frame when its last byte has come.
struct SerialBridge: Sendable {
  private let timer: TimeSpan
  /// When the timer ticks, counted from the beginning.
  private let phase: TimeSpan
  private var bytes: [UInt8] = []
  /// When each of them has come, in microseconds.
  private var times: [Int64] = []
  /// Where the frames end among them, without a timer.
  private var ends: [Int] = []
  /// When the line is free again, in microseconds.
  private var freeAt = 0.0

  init(timer: TimeSpan, generator: inout SeededGenerator) {
    self.timer = timer
    phase = TimeSpan(microseconds: Int64(Double(timer.microseconds) * generator.uniform()))
  }

  /// Puts bytes on the line, which wait for those before them.
  mutating func put(_ added: [UInt8], at moment: Instant, settings: LineSettings) {
    guard !added.isEmpty else { return }
    let byteMicroseconds = (settings.parity == .none ? 10e6 : 11e6) / Double(settings.baud)
    freeAt = max(freeAt, Double(moment.microseconds))
    for byte in added {
      freeAt += byteMicroseconds
      bytes.append(byte)
      times.append(Int64(freeAt.rounded(.up)))
    }
    if timer == .zero { ends.append(bytes.count) }
  }

  /// Whether what was put before is still on its way.
  func isBusy(at moment: Instant) -> Bool { freeAt > Double(moment.microseconds) }

  /// When the next lump comes; nil: none is on its way.
  var nextLump: Instant? {
    guard let first = times.first else { return nil }
    if let end = ends.first { return Instant(microseconds: times[end - 1]) }
    let (tick, phase) = (timer.microseconds, phase.microseconds)
    return Instant(microseconds: (first - phase + tick - 1) / tick * tick + phase)
  }

  /// Takes the next lump.
  mutating func takeLump() -> LineArrivalLump? {
    guard let at = nextLump else { return nil }
    let count = ends.first ?? times.prefix { $0 <= at.microseconds }.count
    let lump = LineArrivalLump(at: at, bytes: Array(bytes.prefix(count)))
    bytes.removeFirst(count)
    times.removeFirst(count)
    if !ends.isEmpty {
      ends.removeFirst()
      for index in ends.indices { ends[index] -= count }
    }
    return lump
  }

  /// The line is cut: what is on its way is lost.
  mutating func cut() {
    bytes = []
    times = []
    ends = []
    freeAt = 0
  }
}

/// Bytes that come together.
struct LineArrivalLump: Hashable, Sendable {
  let at: Instant
  let bytes: [UInt8]
}
