import OximeterProtocols
import VitalsModel

/// Listens to a line as it is set, for all protocols at once: a pseudo-terminal has no speed, so anything may show at
/// any setting.
struct SearchTrial: Sendable {
  /// What is to be listened for, and how.
  struct Plan: Sendable {
    var settings: LineSettings
    var candidates: [OximeterProtocol]
    /// Slow protocols that are waited for, although these are not their settings.
    var awaited: [OximeterProtocol] = []
    /// What was understood with other settings than its own, where these are its own.
    var confirming: FoundOximeter?
  }

  /// What it shows.
  enum Verdict {
    /// It is too early to say.
    case open
    /// A device is understood.
    case found(FoundOximeter)
    /// What comes may yet become frames of these slow protocols, with whose settings it was not listened.
    case postponed([OximeterProtocol])
    /// Nothing comes that is understood.
    case inVain
  }

  let plan: Plan
  private let begun: Instant
  /// When what comes was read with these settings for certain.
  private let heedsFrom: Instant
  private let asks: Bool
  private let isPatient: Bool
  private var ears: [ProtocolEar]
  private var prompts: [(at: Instant, bytes: [UInt8])] = []
  private var bytes = 0
  private var textBytes = 0
  private var firstByte: Instant?
  private var lastByte = Instant.zero

  /// A bridge to USB holds what it read with the settings before for 16 ms, and a busy machine for longer.
  private static let settlingTime = TimeSpan.milliseconds(100)

  /// - Parameter isFirst: whether the line had no other settings right before
  init(_ plan: Plan, asks: Bool, isFirst: Bool, at now: Instant) {
    self.plan = plan
    self.asks = asks
    begun = now
    heedsFrom = isFirst ? now : now + Self.settlingTime
    ears = plan.candidates.map { ProtocolEar($0) }
    let usual = plan.usual
    isPatient = !plan.awaited.isEmpty || usual.contains(where: \.isSlow)
    if usual.contains(.contecV7) { prompts = Self.prompts(asks: asks, at: now) }
  }

  /// Commands for contec-v7, which is silent until it is told to speak; the last is for one that was not awake.
  private static func prompts(asks: Bool, at now: Instant) -> [(at: Instant, bytes: [UInt8])] {
    let questions: [ContecV7Command] = asks ? [.askModel, .askDeviceID, .askVendor] : []
    // One after the other, since nothing is known of how many commands a device keeps.
    let first = (questions + [.startLive]).enumerated().map { place, command in
      (at: now + .milliseconds(100) * Int64(place), bytes: command.bytes)
    }
    return first + [(at: now + .seconds(1), bytes: ContecV7Command.startLive.bytes)]
  }

  /// The slow protocols that it has waited for.
  var waitedFor: [OximeterProtocol] { isPatient ? conceivable : [] }

  /// What was heard, for the outcome.
  var tried: TriedSettings { TriedSettings(settings: plan.settings, bytes: bytes, isText: isText) }

  // MARK: What comes

  mutating func take(_ new: [UInt8], at now: Instant) {
    guard now >= heedsFrom else { return }
    firstByte = firstByte ?? now
    lastByte = now
    bytes += new.count
    textBytes += new.count(where: { (0x20...0x7e).contains($0) || $0 == 0x0d || $0 == 0x0a })
    for ear in ears.indices { ears[ear].take(new, at: now) }
  }

  /// The prompts that are due.
  mutating func duePrompts(at now: Instant) -> [[UInt8]] {
    let due = prompts.prefix { $0.at <= now }.map(\.bytes)
    prompts.removeFirst(due.count)
    return due
  }

  // MARK: When it is over

  /// When it wants to be looked at again.
  var deadline: Instant { min(end, prompts.first?.at ?? end) }

  private var end: Instant {
    guard let firstByte else { return begun + plan.quiet }
    guard isPatient else { return firstByte + .seconds(2) }
    return firstByte + conceivable.reduce(.seconds(2)) { max($0, $1.timeForFrames) }
  }

  /// The slow protocols that what came may be the beginning of.
  private var conceivable: [OximeterProtocol] {
    plan.candidates.filter { $0.isSlow && ($0.isText ? isText : isSparse) }
  }

  /// Nearly all that came are characters of lines.
  private var isText: Bool { bytes >= 4 && textBytes * 20 >= bytes * 19 }

  /// Few bytes come in a second, besides those that had piled up.
  private var isSparse: Bool {
    guard let firstByte else { return true }
    return Double(bytes) <= 8 * ((lastByte - firstByte).seconds + 2)
  }

  // MARK: What it shows

  /// What it shows by now.
  func verdict(at now: Instant) -> Verdict {
    let isOver = now >= end
    if let ear = best, isOver || isCertain(ear, at: now) { return .found(found(ear)) }
    if !isPatient, isText, bytes >= 24, !conceivable.isEmpty { return .postponed(conceivable) }
    guard isOver else { return .open }
    // A device that does not measure answers all the same.
    if let ear = ears.first(where: { $0.speaks == .contecV7 && $0.answers.count >= 2 }) { return .found(found(ear)) }
    return !isPatient && bytes >= 4 && !conceivable.isEmpty ? .postponed(conceivable) : .inVain
  }

  /// Of those of which frames come, the one that most of the bytes belong to.
  private var best: ProtocolEar? {
    let heard = ears.filter(\.hasHeardEnough)
    guard let best = heard.max(by: { $0.coverage < $1.coverage }) else { return nil }
    let alike = heard.filter { Self.lookAlike.contains($0.speaks) }
    guard Self.lookAlike.contains(best.speaks), alike.count == 2 else { return best }
    let speaks = fiveByteProtocol(framesPerSecond: best.framesPerSecond)
    return alike.first { $0.speaks == speaks }
  }

  /// These two have the same form.
  private static let lookAlike: [OximeterProtocol] = [.contecV5, .bci]

  /// Which of them it is, by the rate, which is 60 or 100; at another, as of a device that is played faster, by the
  /// settings.
  private func fiveByteProtocol(framesPerSecond: Double?) -> OximeterProtocol {
    if let rate = framesPerSecond, (45...125).contains(rate) { return rate < 80 ? .contecV5 : .bci }
    return plan.settings.parity == .odd ? .contecV5 : .bci
  }

  private func isCertain(_ ear: ProtocolEar, at now: Instant) -> Bool {
    guard ear.coverage >= 0.5 else { return false }
    if ear.speaks == .contecV7, asks, ear.answers.count < 3, now < begun + .milliseconds(1_500) { return false }
    // The rate tells protocols apart, but one that is only to be confirmed is known.
    return ear.speaks.isSlow || ear.span >= (plan.confirming == nil ? .seconds(1) : .milliseconds(250))
  }

  private func found(_ ear: ProtocolEar) -> FoundOximeter {
    FoundOximeter(
      speaks: ear.speaks, settings: plan.settings,
      framesPerSecond: ear.framesPerSecond ?? plan.confirming?.framesPerSecond, answers: ear.answers)
  }
}

extension SearchTrial.Plan {
  /// The candidates that usually speak with these settings.
  var usual: [OximeterProtocol] { candidates.filter { $0.lineSettings.contains(settings) } }

  /// Without a byte it is given up after so long.
  var quiet: TimeSpan { usual.reduce(.milliseconds(1_500)) { max($0, $1.longestQuiet) } }
}

extension OximeterProtocol {
  /// A device that is there is not longer without a byte: a device that is woken answers within a second, and is woken
  /// twice.
  fileprivate var longestQuiet: TimeSpan {
    self == .contecV7 ? .seconds(2) : TimeSpan(seconds: 1 / framesPerSecond + 0.5)
  }

  /// Three frames are needed, and the first may be cut. Where the form proves little, and the finger came meanwhile, it
  /// takes six.
  fileprivate var timeForFrames: TimeSpan { TimeSpan(seconds: (self == .noninDF8 ? 7.5 : 4.5) / framesPerSecond) }
}
