import Scenarios
import VitalsModel

/// Timelines that nobody would write: any calls and states of the world, at any moments. Settings stay as they are: what
/// a finger measures is no order of events.
///
/// Moments are taken from those at which something is about to happen as well as from anywhere, since what goes wrong
/// goes wrong in the same instant as something else.
public struct RandomTimeline: Sendable {
  private let vocabulary: Vocabulary
  private let opening: Stimulus.Action
  private var generator: SeededGenerator

  /// - Parameters:
  ///   - opening: what most of them begin with
  ///   - seed: the same seed gives the same timeline, from its stream "exploration"
  public init(vocabulary: Vocabulary, opening: Stimulus.Action, seed: UInt64) {
    self.vocabulary = vocabulary
    self.opening = opening
    generator = SeededGenerator(seed: seed, stream: "exploration")
  }

  /// The mark of what no file says.
  private static let nowhere = SourceMark(line: 1, column: 1)
  /// Delays and lengths at which something else is likely, in milliseconds.
  private static let telling: [Int64] = [0, 1, 5, 100, 500, 1_000, 2_000, 3_000, 5_000, 8_000, 10_000, 60_000]
  /// The latest moment that is named by itself, in milliseconds.
  private static let latest: Int64 = 100_000

  /// The next timeline, of 2 to 14 things.
  public mutating func next() -> [Stimulus] {
    var timeline: [Stimulus] = []
    if chance(0.9) {
      timeline.append(Stimulus(placement: .at(.zero), action: opening, duration: nil, mark: Self.nowhere))
    }
    for _ in 0..<(1 + below(13)) {
      let action = chance(0.35) ? call() : change()
      timeline.append(
        Stimulus(placement: placement(), action: action, duration: duration(of: action), mark: Self.nowhere))
    }
    return timeline
  }

  private mutating func below(_ count: Int) -> Int { min(Int(generator.uniform() * Double(count)), count - 1) }

  private mutating func chance(_ share: Double) -> Bool { generator.uniform() < share }

  private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  private mutating func time(upTo longest: Int64) -> TimeSpan {
    .milliseconds(chance(0.5) ? pick(Self.telling.filter { $0 <= longest }) : Int64(below(Int(longest))))
  }

  private mutating func call() -> Stimulus.Action {
    let word = pick(vocabulary.calls)
    let takesArgument = !word.arguments.isEmpty && (word.needsArgument || chance(0.2))
    return .call(word.name, argument: takesArgument ? pick(word.arguments) : nil)
  }

  private mutating func change() -> Stimulus.Action {
    let word = pick(vocabulary.commonWorld)
    return .world(.state(word: word.name, state: pick(word.states)))
  }

  private mutating func placement() -> Stimulus.Placement {
    guard chance(0.5) else { return .at(time(upTo: Self.latest)) }
    let event = pick(vocabulary.events)
    let pattern = EventPattern(name: event.name, argument: nil)
    return .after(pattern, occurrence: 1 + below(event.isLifecycle ? 2 : 12), delay: time(upTo: 61_000))
  }

  /// A state that is not the first may turn back by itself.
  private mutating func duration(of action: Stimulus.Action) -> TimeSpan? {
    guard case .world(.state(let name, let state)) = action,
      vocabulary.world.first(where: { $0.name == name })?.states.first != state, chance(0.6)
    else { return nil }
    return max(.milliseconds(1), time(upTo: 20_000))
  }
}

/// Takes out of a timeline whatever it still breaks without, and makes its moments rounder, as long as `breaks` holds.
public func shrunk(_ timeline: [Stimulus], while breaks: ([Stimulus]) -> Bool) -> [Stimulus] {
  var smallest = timeline
  var index = smallest.count - 1
  while index >= 0 {
    var fewer = smallest
    fewer.remove(at: index)
    if breaks(fewer) { smallest = fewer }
    index -= 1
  }
  for index in smallest.indices {
    for simpler in smallest[index].simpler {
      var other = smallest
      other[index] = simpler
      if breaks(other) { smallest = other }
    }
  }
  return smallest
}

extension Stimulus {
  /// The same thing for good, and at rounder moments, the roundest last.
  fileprivate var simpler: [Stimulus] {
    let endless = duration == nil ? [] : [Stimulus(placement: placement, action: action, duration: nil, mark: mark)]
    return endless
      + [100_000, 1_000_000].map { step in
        Stimulus(
          placement: placement.rounded(to: step), action: action, duration: duration?.rounded(to: step), mark: mark)
      }
  }
}

extension Stimulus.Placement {
  fileprivate func rounded(to step: Int64) -> Stimulus.Placement {
    switch self {
    case .at(let time): .at(time.rounded(to: step, least: 0))
    case .after(let pattern, let occurrence, let delay):
      .after(pattern, occurrence: occurrence, delay: delay.rounded(to: step, least: 0))
    }
  }
}

extension TimeSpan {
  fileprivate func rounded(to step: Int64, least: Int64? = nil) -> TimeSpan {
    TimeSpan(microseconds: max(microseconds / step * step, least ?? step))
  }
}
