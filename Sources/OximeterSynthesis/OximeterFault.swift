import OximeterProtocols
import VitalsModel

/// What goes wrong with a device, its finger or its line for a while. Faults may overlap.
public struct OximeterFault: Hashable, Sendable {
  /// What goes wrong.
  public enum Kind: String, CaseIterable, Sendable {
    /// The finger is out of the sensor.
    case fingerOut
    /// The finger is out, and for ten seconds the values are those from before.
    case held
    /// The device says the same for ever: values, flags and wave stand still, and no beat is marked.
    case frozen
    /// Each byte is any byte.
    case garbage
    /// A share of the bytes is lost.
    case droppedBytes
    /// A share of the bytes comes twice.
    case doubledBytes
    /// The line is read at another speed, so that other bytes come, and another number of them; nothing that is sent to
    /// the device is understood.
    case wrongSpeed
    /// Nothing comes from the device, which hears all the same.
    case silent
    /// The device does not hear that the reader is still there, and so stops. It can be started anew.
    case keepAliveLost
    /// The device is pulled out, and starts anew when it is put in again.
    case unplugged

    /// Whether it strikes only a share of the bytes.
    public var hasShare: Bool {
      switch self {
      case .droppedBytes, .doubledBytes: true
      case .fingerOut, .held, .frozen, .garbage, .wrongSpeed, .silent, .keepAliveLost, .unplugged: false
      }
    }
  }

  /// The share of bytes that a fault strikes where nothing else is said.
  public static let usualSharePercent = 1.0

  /// What goes wrong.
  public var kind: Kind
  /// When it begins.
  public var from: Instant
  /// When it is over; nil: never.
  public var to: Instant?
  /// The share of the bytes that it strikes, above 0 up to 100 %; only where the kind has one.
  public var sharePercent: Double

  /// Something that goes wrong from one moment on until another.
  public init(
    _ kind: Kind, from: Instant, to: Instant? = nil, sharePercent: Double = OximeterFault.usualSharePercent
  ) {
    self.kind = kind
    self.from = from
    self.to = to
    self.sharePercent = sharePercent
  }

  /// Why it cannot be on a device of this protocol, as a sentence without a full stop; nil when it can.
  public func contradiction(on protocol: OximeterProtocol) -> String? {
    if from < .zero { return "a fault begins when the device does, or later" }
    if let to, to <= from { return "a fault takes more than no time" }
    if kind.hasShare, !(0 < sharePercent && sharePercent <= 100) {
      return "a share of bytes of \(Fixed.shortest(sharePercent, places: 6)) %: more than 0 up to 100 % are possible"
    }
    if kind == .keepAliveLost, `protocol` != .contecV7 {
      return "\(`protocol`.rawValue) has no keep-alive that could be lost; contec-v7 has one"
    }
    return nil
  }

  /// Whether it holds at `moment`.
  func holds(at moment: Instant) -> Bool { from <= moment && to.map { moment < $0 } ?? true }
}

/// All faults of a device, by moment.
struct FaultPlan: Sendable {
  private var faults: [OximeterFault]
  /// When the device is pulled out, in order and apart from each other.
  let unplugged: [(from: Instant, to: Instant?)]

  init(_ faults: [OximeterFault]) {
    self.faults = faults
    var unplugged: [(from: Instant, to: Instant?)] = []
    for fault in faults.filter({ $0.kind == .unplugged }).sorted(by: { $0.from < $1.from }) {
      if let last = unplugged.last, last.to.map({ fault.from <= $0 }) ?? true {
        let isForEver = last.to == nil || fault.to == nil
        unplugged[unplugged.count - 1].to = isForEver ? nil : max(last.to ?? fault.from, fault.to ?? fault.from)
      } else {
        unplugged.append((fault.from, fault.to))
      }
    }
    self.unplugged = unplugged
  }

  /// Adds a fault that is none of pulling the device out.
  mutating func begin(_ fault: OximeterFault) { faults.append(fault) }

  /// Ends the faults of a kind that have no end yet.
  mutating func end(_ kind: OximeterFault.Kind, at now: Instant) {
    for index in faults.indices where faults[index].kind == kind && faults[index].to == nil { faults[index].to = now }
  }

  /// Whether something of a kind holds at `moment`.
  func holds(_ kind: OximeterFault.Kind, at moment: Instant) -> Bool {
    faults.contains { $0.kind == kind && $0.holds(at: moment) }
  }

  /// The largest share, 0...1, of the faults of a kind that hold at `moment`.
  func share(of kind: OximeterFault.Kind, at moment: Instant) -> Double {
    faults.reduce(0) { share, fault in
      fault.kind == kind && fault.holds(at: moment) ? max(share, fault.sharePercent / 100) : share
    }
  }
}
