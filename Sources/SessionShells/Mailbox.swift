/// Keeps the order of what comes from many threads, while one at a time hands it over.
///
/// Nothing is held locked while an item is handed over, so whoever gets it may call back.
final class Mailbox<Item: Sendable>: Sendable {
  private struct Content {
    var items: [Item] = []
    var isHandingOver = false
  }

  private let content = Guarded(Content())

  func add(_ items: [Item]) {
    content.withLock { $0.items += items }
  }

  /// Hands everything over in order, unless somebody is at it already, who will then hand over this too.
  func handOver(_ body: (Item) -> Void) {
    let begins = content.withLock { content in
      defer { content.isHandingOver = true }
      return !content.isHandingOver
    }
    guard begins else { return }
    while let item = next() { body(item) }
  }

  private func next() -> Item? {
    content.withLock { content in
      guard content.items.isEmpty else { return content.items.removeFirst() }
      content.isHandingOver = false
      return nil
    }
  }
}
