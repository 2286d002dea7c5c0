import VitalsModel

/// A clean stream with noise in it, which knows where its frames went.
struct NoisyStream {
  /// All bytes so far.
  private(set) var bytes: [UInt8] = []
  /// Where each clean frame is.
  private(set) var frames: [Frame] = []
  /// Whether noise comes before the first frame.
  private(set) var isDirtyAtStart = false

  struct Frame {
    /// How many bytes there are up to its last one.
    let end: Int
    /// Whether bytes inside it are others than they were.
    let isTouched: Bool
    /// Whether noise lies between it and the next.
    var isFollowedByNoise = false
  }

  enum Damage: CaseIterable {
    case noiseBetween
    case noiseInside
    case flippedBit
    case otherByte
    case lostByte
    case doubledByte
    case lostFrame

    static func random(using random: inout SeededGenerator) -> Damage {
      allCases.randomElement(using: &random) ?? .noiseBetween
    }
  }

  /// Noise after what is there.
  mutating func insert(_ noise: [UInt8]) {
    bytes += noise
    if frames.isEmpty { isDirtyAtStart = true } else { frames[frames.count - 1].isFollowedByNoise = true }
  }

  /// The next clean frame.
  mutating func add(_ frame: ArraySlice<UInt8>) {
    bytes += frame
    frames.append(Frame(end: bytes.count, isTouched: false))
  }

  /// The next frame with damage.
  mutating func add(_ frame: ArraySlice<UInt8>, damagedBy damage: Damage, using random: inout SeededGenerator) {
    let noise = random.bytes(Int.random(in: 1...40, using: &random))
    let place = Int.random(in: frame.indices, using: &random)
    var damaged = frame
    switch damage {
    case .noiseBetween:
      insert(noise)
      add(frame)
      return
    case .noiseInside: damaged.insert(contentsOf: noise, at: place)
    case .flippedBit: damaged[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
    case .otherByte: damaged[place] = noise[0]
    case .lostByte: damaged.remove(at: place)
    case .doubledByte: damaged.insert(damaged[place], at: place)
    case .lostFrame: damaged = []
    }
    bytes += damaged
    frames.append(Frame(end: bytes.count, isTouched: true))
  }
}

extension SeededGenerator {
  /// Random bytes.
  mutating func bytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count {
      var word = next()
      for _ in 0..<8 {
        bytes.append(UInt8(truncatingIfNeeded: word))
        word >>= 8
      }
    }
    return Array(bytes.prefix(count))
  }

  /// Bytes of which each comes several times in a row.
  mutating func runs(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let byte = UInt8.random(in: .min ... .max, using: &self)
      bytes += Array(repeating: byte, count: Int.random(in: 1...12, using: &self))
    }
    return bytes
  }
}

extension [UInt8] {
  /// In pieces of so many bytes; the last may be shorter.
  func pieces(of size: Int) -> [ArraySlice<UInt8>] {
    stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
  }
}

extension [UInt8] {
  /// What a reader gets who reads at `numerator / denominator` times the speed of the sender, each byte being a start
  /// bit, eight bits and a stop bit, with a pause after some of them.
  func read(atSpeed numerator: Int, over denominator: Int) -> [UInt8] {
    var sent: [Bool] = []
    for (index, byte) in enumerated() {
      sent.append(false)
      for bit in 0..<8 { sent.append(byte >> UInt8(bit) & 1 == 1) }
      sent += Array<Bool>(repeating: true, count: index % 9 == 8 ? 7 : 1)
    }
    // The line at the middle of a bit of the reader.
    func level(_ place: Int) -> Bool {
      let bit = (2 * place + 1) * denominator / (2 * numerator)
      return bit < sent.count ? sent[bit] : true
    }
    var bytes: [UInt8] = []
    var place = 0
    let end = sent.count * numerator / denominator
    while place < end {
      guard !level(place) else {
        place += 1
        continue
      }
      bytes.append((0..<8).reduce(0) { $0 | (level(place + 1 + $1) ? 1 << UInt8($1) : 0) })
      place += 10
    }
    return bytes
  }
}
