import ReadingSession

/// What one collector has not taken yet (V48).
///
/// It keeps 64 events. When one more comes the oldest that may be dropped goes; how an attempt or a session ended
/// always stays, even beyond 64.
struct CollectorBuffer: Sendable {
  static let capacity = 64

  /// The events that wait, the oldest first.
  private(set) var events: [Event] = []

  mutating func add(_ event: Event) {
    events.append(event)
    guard events.count > Self.capacity, let oldest = events.firstIndex(where: \.mayBeDropped) else { return }
    events.remove(at: oldest)
  }

  /// Takes the oldest event; nil when none waits.
  mutating func takeFirst() -> Event? { events.isEmpty ? nil : events.removeFirst() }
}

extension Event {
  fileprivate var mayBeDropped: Bool {
    switch self {
    case .guidance, .started, .preview, .heartbeat, .measurementComplete: true
    case .cancelled, .completed, .failed: false
    }
  }
}
