/// A stream of random numbers with a seed and a name: the same two give the same numbers on every machine.
///
/// Each part of a simulation draws from a stream of its own ("heart", "camera"), so that one more draw in one part
/// moves nothing in another. The generator is xoshiro256**, seeded through splitmix64
/// (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: (UInt64, UInt64, UInt64, UInt64)

  /// The stream called `stream` of the run's `seed`.
  public init(seed: UInt64, stream: String) {
    // FNV-1a over the name; splitmix64 then spreads the bits.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in stream.utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }
    var mix = seed &* 0x9e37_79b9_7f4a_7c15 ^ hash
    func next() -> UInt64 {
      mix &+= 0x9e37_79b9_7f4a_7c15
      var word = mix
      word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
      word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
      return word ^ (word >> 31)
    }
    state = (next(), next(), next(), next())
  }

  /// The next 64 bits of the stream.
  public mutating func next() -> UInt64 {
    func rotate(_ word: UInt64, _ count: UInt64) -> UInt64 { (word << count) | (word >> (64 - count)) }
    let result = rotate(state.1 &* 5, 7) &* 9
    let shifted = state.1 << 17
    state.2 ^= state.0
    state.3 ^= state.1
    state.1 ^= state.2
    state.0 ^= state.3
    state.2 ^= shifted
    state.3 = rotate(state.3, 45)
    return result
  }

  /// A number from 0 up to but not including 1, evenly spread, in steps of 2^-53.
  public mutating func uniform() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  /// A number between two bounds, evenly spread.
  public mutating func uniform(in bounds: ClosedRange<Double>) -> Double {
    bounds.lowerBound + uniform() * (bounds.upperBound - bounds.lowerBound)
  }

  /// A draw from the normal distribution with mean 0 and standard deviation 1.
  ///
  /// No draw leaves anything behind but the generator's own state.
  public mutating func gaussian() -> Double {
    Ziggurat.normal.draw(from: &self)
  }
}
