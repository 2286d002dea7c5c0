/// Elementary functions with the same result on every machine.
///
/// A C library picks its `exp` and `sin` by processor, and they may differ in the last bit; these are built from
/// the basic operations and square roots alone, which IEEE 754 fixes. Errors stay below 1e-13 relative (`exp`, `log`) or
/// absolute (`sin`, `cos`), which the tests compare with the C library.
public enum Maths {
  private static let ln2High = 6.931_471_803_691_238e-1
  private static let ln2Low = 1.908_214_929_270_587_7e-10

  /// e to the power `x`; infinity above 709.78, less exact below -708, where a `Double` loses digits, and 0 below -745.
  public static func exp(_ x: Double) -> Double {
    if x.isNaN { return x }
    if x > 709.782_712_893_384 { return .infinity }
    if x < -745 { return 0 }
    // x = k ln 2 + r with |r| <= ln 2 / 2, and a Taylor polynomial for e^r.
    let power = nearest(x * 1.442_695_040_888_963_4)
    let k = Double(power)
    let r = (x - k * ln2High) - k * ln2Low
    let high = 1 / 5_040.0 + r * (1 / 40_320.0 + r * (1 / 362_880.0 + r * (1 / 3_628_800.0 + r / 39_916_800.0)))
    let middle = 1 / 24.0 + r * (1 / 120.0 + r * (1 / 720.0 + r * high))
    let sum = 1 + r * (1 + r * (1 / 2.0 + r * (1 / 6.0 + r * middle)))
    return scale(sum, by: power)
  }

  /// The natural logarithm of `x` > 0; minus infinity at 0, NaN below.
  public static func log(_ x: Double) -> Double {
    if x.isNaN || x < 0 { return .nan }
    if x == 0 { return -.infinity }
    if x == .infinity { return x }
    var exponent = Double(x.exponent)
    var mantissa = x.significand  // 1 ..< 2
    if mantissa > 1.414_213_562_373_095_1 {
      mantissa /= 2
      exponent += 1
    }
    // log m = 2 atanh s with s = (m - 1) / (m + 1), |s| <= 0.172.
    let s = (mantissa - 1) / (mantissa + 1)
    let square = s * s
    let high = 1 / 11.0 + square * (1 / 13.0 + square * (1 / 15.0 + square * (1 / 17.0 + square / 19)))
    let sum = 1 + square * (1 / 3.0 + square * (1 / 5.0 + square * (1 / 7.0 + square * (1 / 9.0 + square * high))))
    return exponent * ln2High + (2 * s * sum + exponent * ln2Low)
  }

  /// The sine of `x` radians, |x| at most 1e8.
  public static func sin(_ x: Double) -> Double {
    quarterTurns(x, shift: 0)
  }

  /// The cosine of `x` radians, |x| at most 1e8.
  public static func cos(_ x: Double) -> Double {
    quarterTurns(x, shift: 1)
  }

  /// `base` >= 0 to the power `exponent`, with a relative error below 3e-13; NaN for a negative base.
  public static func pow(_ base: Double, _ exponent: Double) -> Double {
    exponent == 0 ? 1 : exp(exponent * log(base))
  }

  /// The whole number nearest to `x`, halves away from 0, without a call into the C library; |x| below 2^52.
  @inline(__always)
  private static func nearest(_ x: Double) -> Int {
    let whole = Int(x)
    let rest = x - Double(whole)
    return whole + Int(rest + rest)
  }

  /// `value`, about 1, times 2 to the power `exponent`.
  @inline(__always)
  private static func scale(_ value: Double, by exponent: Int) -> Double {
    if exponent > -1_022 && exponent < 1_023 {
      return value * Double(bitPattern: UInt64(exponent + 1_023) << 52)
    }
    // Two steps, so that results below the normal range are reached without an invalid intermediate power.
    let half = exponent / 2
    return value * Double(sign: .plus, exponent: half, significand: 1)
      * Double(sign: .plus, exponent: exponent - half, significand: 1)
  }

  /// sin(x + shift quarter turns).
  private static func quarterTurns(_ x: Double, shift: Int) -> Double {
    precondition(x.magnitude <= 1e8, "an angle of at most 1e8 radians")
    let count = nearest(x * (2 / Double.pi))
    let turns = Double(count)
    // pi / 2 in three parts (Cody and Waite), so that the difference keeps its digits: the first part has 27 bits, and
    // its product with fewer than 2^26 turns is exact.
    let r =
      ((x - turns * 1.570_796_325_802_803) - turns * 9.920_935_791_635_221e-10)
      - turns * 5.170_182_981_794_105e-19
    switch (count + shift) & 3 {
    case 0: return sinePart(r)
    case 1: return cosinePart(r)
    case 2: return -sinePart(r)
    default: return -cosinePart(r)
    }
  }

  private static func sinePart(_ r: Double) -> Double {
    let s = r * r
    let tail = 1 / 362_880.0 + s * (-1 / 39_916_800.0 + s * (1 / 6_227_020_800.0 - s / 1_307_674_368_000.0))
    return r * (1 + s * (-1 / 6.0 + s * (1 / 120.0 + s * (-1 / 5_040.0 + s * tail))))
  }

  private static func cosinePart(_ r: Double) -> Double {
    let s = r * r
    let tail = 1 / 40_320.0 + s * (-1 / 3_628_800.0 + s * (1 / 479_001_600.0 - s / 87_178_291_200.0))
    return 1 + s * (-1 / 2.0 + s * (1 / 24.0 + s * (-1 / 720.0 + s * tail)))
  }
}
