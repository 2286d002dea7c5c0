/// Watches for frames that were lost without a trace, or more of them than the traces show: then all that follow come
/// late by whole periods.
struct LossWatch: Sendable {
  /// What speaks for a loss.
  private enum Suspicion {
    /// Nothing does.
    case none
    /// For a while nothing came, as when a reader was held up, who then finds all of it within moments.
    case pause
    /// Bytes belong to no frame.
    case damage
  }

  private var suspicion = Suspicion.none
  /// Since when it watches, in seconds.
  private(set) var since = 0.0
  private var leastDelay = Double.infinity

  /// How long frames must be late, in seconds.
  private var patience: Double {
    switch suspicion {
    case .none: 5
    case .pause: 0.5
    case .damage: 2
    }
  }

  /// How late they must be, in seconds.
  private func leastLoss(_ period: Double) -> Double {
    switch suspicion {
    case .none, .pause: max(4 * period, 0.1)
    case .damage: 0.7 * period
    }
  }

  /// Takes in how late a frame came, and what was seen before it; all in seconds.
  mutating func see(delay: Double, arrival: Double, pause: Double, isDamaged damage: Bool) {
    if damage || pause > 0.15 {
      suspicion = damage || isDamaged ? .damage : .pause
      since = arrival
      leastDelay = .infinity
    }
    leastDelay = min(leastDelay, delay)
  }

  /// Whether bytes belong to no frame.
  var isDamaged: Bool { suspicion == .damage }

  /// How many frames were lost unseen; nil while that is not known, or none were.
  mutating func unseen(at now: Double, period: Double) -> Int? {
    guard now - since >= patience else { return nil }
    let isLoss = leastDelay >= leastLoss(period)
    let count = isLoss ? Int((leastDelay / period).rounded()) : nil
    self = LossWatch()
    since = now
    return count
  }
}
