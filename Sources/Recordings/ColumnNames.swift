/// Which columns of a CSV, or signals of an EDF+ file, hold what: `time=time:ms,red=R,green=G,blue=B`.
public struct ColumnNames: Hashable, Sendable {
  /// The unit of a time column.
  public enum TimeUnit: String, CaseIterable, Sendable {
    case seconds = "s"
    case milliseconds = "ms"
    case microseconds = "us"
    case nanoseconds = "ns"

    /// Microseconds in one of it.
    var microseconds: Double {
      switch self {
      case .seconds: 1_000_000
      case .milliseconds: 1_000
      case .microseconds: 1
      case .nanoseconds: 0.001
      }
    }

    /// Whether so many of it lie between the frames of a camera, which takes 5 to 200 a second.
    func isCameras(_ spacing: Double) -> Bool { (5_000...200_000).contains(spacing * microseconds) }

    /// The unit that a word in lower case stands for; nil where it is none.
    init?(word: String) {
      switch word {
      case "s", "sec", "second", "seconds": self = .seconds
      case "ms", "msec", "millis", "millisecond", "milliseconds": self = .milliseconds
      // The micro sign and the Greek letter look alike.
      case "us", "\u{b5}s", "\u{3bc}s", "usec", "micros", "microsecond", "microseconds": self = .microseconds
      case "ns", "nsec", "nanos", "nanosecond", "nanoseconds": self = .nanoseconds
      default: return nil
      }
    }

    /// Its name in a sentence.
    var word: String {
      switch self {
      case .seconds: "seconds"
      case .milliseconds: "milliseconds"
      case .microseconds: "microseconds"
      case .nanoseconds: "nanoseconds"
      }
    }
  }

  /// The time column's name; nil: found by its name.
  public private(set) var time: String?
  /// Whether no column is to be taken for the time: `time=-`.
  public private(set) var hasNoTime = false
  /// The time column's unit; nil: told by its name, or else by the spacing.
  public private(set) var timeUnit: TimeUnit?
  /// The red column's name; nil: found by its name.
  public private(set) var red: String?
  /// The green column's name; nil: found by its name.
  public private(set) var green: String?
  /// The blue column's name; nil: found by its name.
  public private(set) var blue: String?

  /// Every column found by its name.
  public init() {}

  /// Reads `time=NAME:UNIT,red=NAME,green=NAME,blue=NAME`; any of them may be missing, and `time=-` is none.
  public init(_ text: String) throws(RecordingError) {
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard sides.count == 2, !sides[1].isEmpty else {
        throw RecordingError("\"\(part)\" names no column: write time=NAME:ms,red=NAME,green=NAME,blue=NAME")
      }
      switch sides[0] {
      case "time": try setTime(sides[1])
      case "red": red = sides[1]
      case "green": green = sides[1]
      case "blue": blue = sides[1]
      default: throw RecordingError("\"\(sides[0])\" is not a column: name time, red, green or blue")
      }
    }
  }

  private mutating func setTime(_ text: String) throws(RecordingError) {
    guard text != "-" else {
      hasNoTime = true
      return
    }
    guard let colon = text.lastIndex(of: ":") else {
      time = text
      return
    }
    let unit = String(text[text.index(after: colon)...])
    guard let known = TimeUnit(rawValue: unit) else {
      throw RecordingError("\"\(unit)\" is not a unit of time: write s, ms, us or ns")
    }
    time = String(text[..<colon])
    timeUnit = known
  }
}
