import Dispatch
import Foundation

/// The thread that an app's screen lives on.
enum MainThread {
  /// Marks the main queue, which on Linux may run elsewhere than on the thread that began the process.
  private static let mark: DispatchSpecificKey<Void> = {
    let mark = DispatchSpecificKey<Void>()
    DispatchQueue.main.setSpecific(key: mark, value: ())
    return mark
  }()

  /// Whether the caller runs on it.
  static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) != nil || Thread.isMainThread }
}
