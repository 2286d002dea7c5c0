import OximeterProtocols
import VitalsModel

/// Listens to a line as it is set, for all protocols at once: a pseudo-terminal has no speed, so anything may show at
/// any setting.
struct SearchTrial: Sendable {
  let settings: LineSettings
  /// Whether frames that come once in a second or two are waited for.
  let isPatient: Bool
  private let begun: Instant
  private var ears: [ProtocolEar]
  private var prompts: [(at: Instant, bytes: [UInt8])]
  private let asks: Bool
  private(set) var bytes = 0
  private var textBytes = 0
  private var firstByte: Instant?

  /// What a trial shows so far.
  enum Verdict {
    /// It is too early to say.
    case open
    /// A device is understood.
    case found(FoundOximeter)
    /// Bytes come that may yet become frames of a slow protocol, with whose settings it was not listened.
    case postponed
    /// Nothing that is understood comes.
    case inVain
  }

  init(_ plan: TrialPlan, _ candidates: [OximeterProtocol], asks: Bool, at now: Instant) {
    settings = plan.settings
    let usual = candidates.filter { $0.lineSettings.contains(plan.settings) }
    isPatient = plan.isPatient || usual.contains(where: \.isSlow)
    begun = now
    self.asks = asks
    ears = candidates.map { ProtocolEar($0) }
    quiet = usual.reduce(TimeSpan.milliseconds(1_500)) { max($0, $1.longestQuiet) }
    prompts = usual.contains(.contecV7) ? Self.prompts(asks: asks, at: now) : []
  }

  /// Without a byte it is given up after so long.
  private let quiet: TimeSpan

  private static func prompts(asks: Bool, at now: Instant) -> [(at: Instant, bytes: [UInt8])] {
    let questions = asks ? [ContecV7Prompt.askModel, ContecV7Prompt.askDeviceID, ContecV7Prompt.askVendor] : []
    // One after the other, since nothing is known of how many commands a device keeps.
    var prompts = (questions + [ContecV7Prompt.startLive]).enumerated().map { place, bytes in
      (at: now + .milliseconds(100) * Int64(place), bytes: bytes)
    }
    prompts.append((at: now + .seconds(1), bytes: ContecV7Prompt.startLive))
    return prompts
  }

  /// The prompts that are due.
  mutating func duePrompts(at now: Instant) -> [[UInt8]] {
    let due = prompts.prefix { $0.at <= now }.map(\.bytes)
    prompts.removeFirst(due.count)
    return due
  }

  mutating func take(_ new: [UInt8], at now: Instant) {
    firstByte = firstByte ?? now
    bytes += new.count
    textBytes += new.count(where: \.isText)
    for ear in ears.indices { ears[ear].take(new, at: now) }
  }

  /// When it wants to be looked at again.
  var deadline: Instant {
    let end = end
    return prompts.first.map { min($0.at, end) } ?? end
  }

  /// When it is over, by what has come so far.
  private var end: Instant {
    guard let firstByte else { return begun + quiet }
    // Three frames are needed, and the first may be cut.
    let waits = isPatient ? ears.map(\.speaks).filter(isConceivable).map { TimeSpan(seconds: 4.5 / $0.framesPerSecond) } : []
    return firstByte + waits.reduce(.seconds(2)) { max($0, $1) }
  }

  /// Whether what came may be the beginning of a slow protocol.
  private func isConceivable(_ candidate: OximeterProtocol) -> Bool {
    guard candidate.isSlow, let firstByte else { return false }
    if candidate.isText { return isText }
    // A few bytes a second, and those at once that had piled up.
    return bytes <= 4 * (3 + Int((deadlineBase - firstByte).seconds))
  }

  private var deadlineBase: Instant { begun }

  /// Whether nearly all that came are characters of lines.
  var isText: Bool { bytes >= 4 && textBytes * 20 >= bytes * 19 }

  /// What it shows by now.
  func verdict(at now: Instant) -> Verdict { .open }
}
