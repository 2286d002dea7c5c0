import OximeterProtocols

/// What a serial port reads of bytes that were sent in other settings than its own.
///
/// The line is looked at as a port does: a fall is a start bit, and each bit is what lies in its middle. Where a stop bit
/// should be and is none, ports take it for the next start bit (16550 and its kin), and after a whole character of zeros
/// they wait for the line to rise.
struct MisreadLine: Sendable {
  private let sent: LineSettings
  private let read: LineSettings
  /// A bit of the reader in bits of the sender.
  private let bit: Double

  init(sent: LineSettings, read: LineSettings) {
    self.sent = sent
    self.read = read
    bit = Double(sent.baud) / Double(read.baud)
  }

  /// What is read of bytes that follow each other without a pause, on a line that rests before and after.
  func bytes(of sent: some Collection<UInt8>) -> [UInt8] {
    let levels = levels(of: sent)
    func isHigh(_ place: Double) -> Bool { place < Double(levels.count) ? levels[Int(place)] : true }
    func next(_ level: Bool, from place: Double) -> Double? {
      if isHigh(place) == level { return place }
      var index = Int(place) + 1
      while index < levels.count, levels[index] != level { index += 1 }
      return index < levels.count || level ? Double(index) : nil
    }
    var found: [UInt8] = []
    var place = 0.0
    while let fall = next(false, from: place) {
      var start = fall
      guard !isHigh(start + bit / 2) else {
        // Too short for a start bit.
        place = start + bit / 2
        continue
      }
      while true {
        var byte: UInt8 = 0
        for index in 0..<8 where isHigh(start + bit * (Double(index) + 1.5)) { byte |= 1 << index }
        found.append(byte)
        let stop = start + bit * (read.parity == .none ? 9 : 10)
        if isHigh(stop + bit / 2) {
          place = stop + bit / 2
          break
        }
        guard byte == 0 else {
          start = stop
          continue
        }
        place = next(true, from: stop + bit / 2) ?? Double(levels.count)
        break
      }
    }
    return found
  }

  /// The line, bit by bit, with high for a one.
  private func levels(of bytes: some Collection<UInt8>) -> [Bool] {
    var levels: [Bool] = []
    for byte in bytes {
      levels.append(false)
      for index in 0..<8 { levels.append(byte >> index & 1 == 1) }
      switch sent.parity {
      case .none: break
      case .odd: levels.append(byte.nonzeroBitCount % 2 == 0)
      case .even: levels.append(byte.nonzeroBitCount % 2 == 1)
      }
      levels.append(true)
    }
    return levels
  }
}
