import VitalsModel

/// A finger that slides to and fro over the lens: a chain of moves of 1.6 to 3.6 s, each to the other side, whose slide is
/// the offset from its place, -1...1.
///
/// Under the pad the light comes from another depth; far to a side the lens looks past the finger.
enum Sliding {
  /// How long a finger takes to come back to its place.
  static let resting = TimeSpan.milliseconds(600)
  /// The share of the lens that is uncovered at the far end, and the offset at which that begins.
  private static let widest = 0.55
  private static let rim = 0.25

  /// The moves of a finger in its place.
  static func chain(seed: UInt64) -> MoveChain {
    MoveChain(seed: seed, stream: "sliding", beginning: .milliseconds(250), resting: resting) { from, generator in
      let reach = generator.uniform(in: 0.55...1)
      let seconds = generator.uniform(in: 1.6...3.6)
      // The first move of all may go either way; every other goes across.
      let isFirstToTheLeft = generator.uniform() < 0.5
      let side = from.slide == 0 ? (isFirstToTheLeft ? -1.0 : 1) : (from.slide > 0 ? -1 : 1)
      return (Pose(pressure: 0, slide: side * reach), TimeSpan(seconds: seconds))
    }
  }

  /// What an offset does to a finger's pose.
  static func pose(offset: Double) -> Pose { Pose(pressure: -0.12 * offset.magnitude, slide: 0.6 * offset) }

  /// The share of the lens that an offset uncovers.
  static func open(offset: Double) -> Double { widest * smoothStep((offset.magnitude - rim) / (1 - rim)) }
}
