import OximeterProtocols
import VitalsModel

/// An input of the fuzzer, from which numbers are taken one after the other; behind its end there are zeros.
struct FuzzInput {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var next = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  var isAtEnd: Bool { next >= bytes.count }

  mutating func byte() -> UInt8 {
    guard next < bytes.count else { return 0 }
    defer { next += 1 }
    return bytes[next]
  }

  mutating func number() -> Int { Int(byte()) | Int(byte()) << 8 }

  /// So many of the next bytes, or those that are left.
  mutating func bytes(_ count: Int) -> [UInt8] {
    let end = min(next + count, bytes.count)
    defer { next = end }
    return Array(bytes[next..<end])
  }
}

/// What an input says is on a line: bytes as they are, or a device's frames and what befell them.
struct FuzzStream {
  private(set) var bytes: [UInt8] = []
  private var encoder: any OximeterEncoder
  private var moment = OximeterMoment(pleth: 0.5, reading: OximeterReading())

  init(of device: OximeterProtocol, _ input: inout FuzzInput) {
    encoder = device.encoder()
    let most = Self.mostBytes(of: device)
    if input.byte() & 1 == 0 {
      bytes = input.bytes(most)
    } else {
      while !input.isAtEnd, bytes.count < most { play(&input, most) }
    }
  }

  /// Longer streams find nothing more and take their time: some frames or lines more than must agree, and two packets
  /// where there are any.
  private static func mostBytes(of device: OximeterProtocol) -> Int {
    switch device {
    case .contecV5, .bci, .noninDF8: 60
    case .contecV7: 110
    case .noninDF2, .noninDF7: 260
    case .noninASCII: 140
    case .masimoASCII: 700
    case .nellcorASCII: 500
    }
  }

  private mutating func play(_ input: inout FuzzInput, _ most: Int) {
    let step = input.byte()
    let count = Int(step >> 3) + 1
    switch step & 7 {
    case 0, 1: for _ in 0..<count where bytes.count < most { bytes += encoder.encode(moment) }
    case 2: moment = Self.moment(&input)
    case 3: bytes += input.bytes(count)
    case 4:
      let back = Int(input.byte()) + 1
      guard back <= bytes.count else { return }
      bytes[bytes.count - back] ^= input.byte()
    case 5: bytes.removeLast(min(count, bytes.count))
    case 6:
      guard let last = bytes.last else { return }
      bytes += Array(repeating: last, count: count)
    default:
      moment.pleth = Double(input.byte()) / 255
      moment.isBeatMarked.toggle()
    }
  }

  /// Any moment, also one that no device sees.
  private static func moment(_ input: inout FuzzInput) -> OximeterMoment {
    let which = input.byte()
    let reading = OximeterReading(
      pulseRateBpm: which & 1 == 0 ? input.number() & 1_023 : nil,
      spo2Percent: which & 2 == 0 ? Int(input.byte()) & 127 : nil,
      perfusionIndexHundredths: which & 4 == 0 ? nil : input.number(),
      signalStrength: which & 8 == 0 ? Int(which >> 4) : nil,
      flags: OximeterFlags(rawValue: UInt16(input.byte())), isStale: which & 16 != 0)
    return OximeterMoment(
      pleth: Double(input.byte()) / 255, isBeatMarked: which & 32 != 0, reading: reading,
      clockSeconds: input.number() * 65_521)
  }

  /// Inputs that play a device's clean stream, with and without what may befall it, and its bytes as they are.
  static func seeds(of device: OximeterProtocol) -> [[UInt8]] {
    let reading = OximeterReading(pulseRateBpm: 72, spo2Percent: 98, perfusionIndexHundredths: 496, signalStrength: 6)
    let values: [UInt8] = [2, 4, 72, 0, 98, 0xf0, 0x01, 0, 128, 17, 0]
    let noFinger: [UInt8] = [2, 3, 1, 0, 0, 0]
    let frames: [UInt8] = [device.hasPleth ? 0x78 : 0x18]
    var encoder = device.encoder()
    var plain: [UInt8] = [0]
    for frame in 0..<60 where plain.count < 90 {
      plain += encoder.encode(OximeterMoment(pleth: Double(frame) / 60, reading: reading, clockSeconds: frame))
    }
    return [
      plain, [1] + values + frames + frames, [1] + values + frames + noFinger + frames,
      [1] + values + frames + [4, 20, 0x40] + frames,
      [1] + values + frames + [0x0d] + frames + [0x1b, 1, 2, 3, 4] + frames,
    ]
  }
}
