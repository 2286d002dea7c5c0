import Simulation
import Traces
import VitalsModel

/// What a phone will deliver besides frames, in the order of time; in one moment, in the order of arrival.
struct DeliveryQueue: Sendable {
  private var items: [Delivery<FrameSample>] = []

  /// When the first is due.
  var nextTime: Instant? { items.first?.at }

  mutating func add(_ content: Delivery<FrameSample>.Content, at moment: Instant) {
    let index = items.firstIndex { $0.at > moment } ?? items.endIndex
    items.insert(Delivery(at: moment, content), at: index)
  }

  mutating func removeFirst() -> Delivery<FrameSample> { items.removeFirst() }

  /// Withdraws what has not come true yet about a word of the world; says whether there was anything.
  @discardableResult mutating func withdrawTruth(about word: String) -> Bool {
    let count = items.count
    items.removeAll { item in
      if case .truth(let message) = item.content { message.name == word } else { false }
    }
    return items.count < count
  }

  /// Withdraws the notices of these names that are still to come.
  mutating func withdrawNotices(_ names: [String]) {
    items.removeAll { item in
      if case .notice(let message) = item.content { names.contains(message.name) } else { false }
    }
  }
}
