import OximeterProtocols
import VitalsModel

/// How a virtual oximeter is.
public struct OximeterSettings: Hashable, Sendable {
  /// The oxygen saturation that it says, 1...100 %.
  public var spo2Percent = 98
  /// How its line is set, one of the protocol's own settings; nil: the most usual of them.
  public var line: LineSettings?
  /// Frames or lines in a second by its own clock; nil: what the protocol says. Within 4 % of that.
  public var framesPerSecond: Double?
  /// How much its clock runs fast, -1,000...1,000 parts in a million; nil: up to 50 either way, by the seed.
  public var clockDriftPpm: Double?
  /// What its clock shows at the beginning, in whole seconds since 1 January 2000.
  public var clockSeconds = 0
  /// From the foot of a pulse wave to the beat's mark, 0...1 s. That of real devices is not told; the top of the wave,
  /// which they must have seen, comes about 0.16 s after its foot.
  public var markDelay = TimeSpan.milliseconds(200)
  /// The time by which a bridge from serial to USB gathers bytes, 0...255 ms; 0: each frame comes at once. Usual are 1 to
  /// 16 ms.
  public var latencyTimer = TimeSpan.milliseconds(16)
  /// Whether contec-v7 sends from the beginning, as one that another program has started.
  public var isStarted = false
  /// How long contec-v7 goes on without hearing of the reader, 1 s...1 h. That of real devices is not told, and is under a
  /// minute.
  public var keepAlive = TimeSpan.seconds(10)
  /// The model that contec-v7 names when it is asked, up to 12 ASCII characters.
  public var model = "EMULATOR"
  /// Its number or name, up to 7 ASCII characters.
  public var deviceID = "1"
  /// How the line is read where a fault reads it wrongly; nil: at another usual speed.
  public var wrongReader: LineSettings?
  /// The name under which it returns after it was pulled out.
  public var port = "emulator"

  /// A device as usual.
  public init() {}

  /// Why these settings cannot be on a device of this protocol, as a sentence without a full stop; nil when they can.
  public func contradiction(on protocol: OximeterProtocol) -> String? {
    if let line, !`protocol`.lineSettings.contains(line) {
      let usual = `protocol`.lineSettings.map(\.text).joined(separator: " or ")
      return "a line of \(line.text): \(`protocol`.rawValue) has \(usual)"
    }
    if let wrongReader, wrongReader == line ?? `protocol`.lineSettings[0] {
      return "a line of \(wrongReader.text) is read rightly by a reader of \(wrongReader.text)"
    }
    if ContecV7Answer.model(model) == nil { return "a model has up to 12 ASCII characters" }
    if ContecV7Answer.deviceID(deviceID) == nil { return "a device's number has up to 7 ASCII characters" }
    let nominal = `protocol`.framesPerSecond
    let rows: [(name: String, value: Double, range: ClosedRange<Double>, unit: String)] = [
      ("an SpO2", Double(spo2Percent), 1...100, "%"),
      ("a rate", framesPerSecond ?? nominal, 0.96 * nominal...1.04 * nominal, "per second"),
      ("a clock drift", clockDriftPpm ?? 0, -1_000...1_000, "ppm"),
      ("a clock", Double(clockSeconds), 0...3_155_759_999, "s"),
      ("a delay of the beat's mark", markDelay.milliseconds, 0...1_000, "ms"),
      ("a latency timer", latencyTimer.milliseconds, 0...255, "ms"),
      ("a keep-alive time", keepAlive.seconds, 1...3_600, "s"),
      ("a speed", Double(wrongReader?.baud ?? 9_600), 300...4_000_000, "baud"),
    ]
    for row in rows where !row.range.contains(row.value) {
      func text(_ value: Double) -> String { Fixed.shortest(value, places: 4) }
      let range = "\(text(row.range.lowerBound)) to \(text(row.range.upperBound)) \(row.unit)"
      return "\(row.name) of \(text(row.value)) \(row.unit): \(range) are possible"
    }
    return nil
  }
}
