import OximeterSynthesis
import PulseSynthesis
import Scenarios
import Simulation
import Traces
import VitalsModel

/// The fingertip of a scenario in an oximeter's sensor.
///
/// The subject, its heart, breath and vessels are those of a run with the same seed; the sensor has a light of its own, so
/// that torch, lamps and camera are none of it. What the scenario lays on the lens in place of a finger lies in the
/// sensor, which sees no finger in what has not its colours.
public struct ScenarioFingertip: Fingertip {
  /// What lies in the sensor, and what is true of it.
  private(set) var world: LensWorld
  private let isFingerLike: Bool
  private var changes: ArraySlice<Timetable.Entry>
  private var lastFoot: Instant?
  /// Whether somebody takes the news.
  var keepsNews = false
  private var news: [Message] = []

  /// Words that are about the light and the camera of a phone.
  private static let phoneWords = ["torch", "room"]

  /// The fingertip that a scenario describes.
  ///
  /// - Parameters:
  ///   - changes: what happens to it, in the order of time; calls and what is about the phone are passed over
  ///   - seed: of every random stream
  public init(_ scenario: Scenario, changes: [Timetable.Entry] = [], seed: UInt64) {
    let source = Nothing(source: scenario.source)
    isFingerLike = source?.looksLikeFinger ?? true
    world = LensWorld(source: source, settings: scenario.settings, seed: seed)
    self.changes = changes[...]
    for (word, state) in scenario.settings.firstStates { change(.state(word: word, state: state), at: .zero) }
    world.settle()
  }

  /// Changes the finger, or what it is part of; what is about the phone changes nothing.
  public mutating func change(_ change: WorldChange, at now: Instant) {
    _ = turn(change, at: now)
  }

  /// The same, with what is true of it then.
  mutating func turn(_ change: WorldChange, at now: Instant) -> [LensWorld.Truth] {
    Self.phoneWords.contains(change.word) ? [] : world.change(change, at: now) ?? []
  }

  /// What is true of it when the run begins.
  mutating func firstTruths() -> [LensWorld.Truth] { world.firstTruths() }

  /// The beats and breaths that passed since this was asked last, as a trace tells them.
  mutating func takeNews() -> [Message] {
    defer { news.removeAll(keepingCapacity: true) }
    return news
  }

  /// The finger as it is at `moment`, which is not before any moment that was looked at.
  public mutating func look(at moment: Instant) -> FingertipLook {
    while let entry = changes.first, entry.at <= moment {
      changes.removeFirst()
      if case .world(let change) = entry.action { self.change(change, at: entry.at) }
    }
    let light = world.light(at: moment)
    let truth = world.scene.frameTruth
    return FingertipLook(
      light: light.green, coverage: isFingerLike ? truth.coverage : 0, disturbance: truth.disturbance,
      perfusionIndexPercent: truth.perfusionIndexPercent, feet: newFeet())
  }

  private mutating func newFeet() -> [Instant] {
    let beats = world.scene.truth.beats
    guard let last = beats.last?.foot, last != lastFoot else { return [] }
    let count = lastFoot.map { before in beats.reversed().prefix { $0.foot > before }.count } ?? beats.count
    let feet = beats.suffix(count).map(\.foot)
    lastFoot = last
    // The world forgets what was told.
    let passed = world.news()
    if keepsNews { news += passed }
    return feet
  }
}
