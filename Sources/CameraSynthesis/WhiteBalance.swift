import VitalsModel

/// The white balance of a camera: what it makes of red and blue.
///
/// While it hunts, it moves from guess to guess about the colour of the light, each move smooth over 2 to 6 s and held for
/// up to 2 s; red gains what blue loses. Draws come from the stream "camera.whiteBalance".
struct WhiteBalance: Sendable {
  /// The furthest from neutral that a guess takes red and blue, as a share.
  private static let furthest = 0.04

  private struct Move: Sendable {
    let from: Double
    let to: Double
    let start: Instant
    let length: TimeSpan
    let next: Instant

    func guess(at moment: Instant) -> Double {
      let share = min(max((moment - start).seconds / length.seconds, 0), 1)
      return from + (to - from) * share * share * (3 - 2 * share)
    }
  }

  private enum State: Sendable {
    case locked
    /// It hunts, and has seen no frame.
    case waiting(SeededGenerator)
    case hunting(SeededGenerator, Move)
  }

  private var state: State

  init(_ mode: WhiteBalanceMode, seed: UInt64) {
    switch mode {
    case .locked: state = .locked
    case .hunting: state = .waiting(SeededGenerator(seed: seed, stream: "camera.whiteBalance"))
    }
  }

  /// The factors of red and blue at a moment, which is not before the last.
  mutating func gains(at moment: Instant) -> (red: Double, blue: Double) {
    switch state {
    case .locked: return (1, 1)
    case .waiting(var generator):
      let move = Self.move(from: 0, at: moment, &generator)
      state = .hunting(generator, move)
      return Self.gains(of: move.guess(at: moment))
    case .hunting(_, let move) where moment < move.next: return Self.gains(of: move.guess(at: moment))
    case .hunting(var generator, var move):
      while move.next <= moment { move = Self.move(from: move.to, at: move.next, &generator) }
      state = .hunting(generator, move)
      return Self.gains(of: move.guess(at: moment))
    }
  }

  private static func gains(of guess: Double) -> (red: Double, blue: Double) {
    (1 + furthest * guess, 1 - furthest * guess)
  }

  /// To the other side of neutral, so that it never rests.
  private static func move(from: Double, at start: Instant, _ generator: inout SeededGenerator) -> Move {
    let size = generator.uniform(in: 0.3...1)
    let length = TimeSpan(seconds: generator.uniform(in: 2...6))
    let rest = TimeSpan(seconds: generator.uniform(in: 0...2))
    return Move(from: from, to: from > 0 ? -size : size, start: start, length: length, next: start + length + rest)
  }
}
