import VitalsModel

/// What is true of the fingertip, of its light and of the frames that show it, and since when, as far as a trace tells.
struct FingerTruth {
  private var states: [String: State] = [:]
  /// Since when the torch has been commanded on.
  private var torchOnSince: Instant?
  /// When the camera last told its rate, against which frames are slow.
  private(set) var rateSelectedAt: Instant?

  private struct State {
    let name: String
    let since: Instant
  }

  mutating func advance(past moment: ReadingMoment, at now: Instant) {
    switch moment {
    case .notice(.frameRateSelected): rateSelectedAt = now
    case .torch(let isOn): torchOnSince = isOn ? torchOnSince ?? now : nil
    case .world(let word, let state):
      if states[word]?.name != state { states[word] = State(name: state, since: now) }
    case .call, .returned, .threw, .event, .notice, .camera, .adjustFrameRate, .buildResult, .realised, .firstFrame,
      .other:
      break
    }
  }

  /// Whether a word of the world is in a state.
  func isTrue(_ word: String, _ state: String) -> Bool { states[word]?.name == state }

  /// Since when a word of the world has been in a state; nil while it is not.
  func since(_ word: String, _ state: String) -> Instant? {
    states[word].flatMap { $0.name == state ? $0.since : nil }
  }

  /// Since when the torch has shone, commanded and in truth; nil while it does not.
  var litSince: Instant? {
    guard let torchOnSince, !isTrue("torch", "lost") else { return nil }
    return max(torchOnSince, since("torch", "working") ?? torchOnSince)
  }
}

extension ReadingContext {
  /// Whether something that has no word of its own makes a reading no better than doubtful: a trembling hand, a finger
  /// that grows cold, a camera that hunts.
  var isLightDisturbed: Bool { finger.isTrue("light", "disturbed") }

  /// Since when frames have come of a lit lens; nil while none come, and without truths.
  var viewSince: Instant? {
    guard knowsContact, isDelivering, let frames = capture.framesSince, let lit = finger.litSince else { return nil }
    return max(frames, lit, finger.since("camera", "working") ?? frames)
  }

  /// Whether a word of the world has been in a state, and visible to the session, for that long.
  func hasSeen(_ word: String, _ state: String, for span: TimeSpan) -> Bool {
    guard let since = finger.since(word, state), let view = viewSince else { return false }
    return now - max(since, view) >= span
  }

  /// Whether frames have kept their rate for that long; they have as long as no truth says otherwise.
  /// While the light is disturbed, by frames lost at random among others, they may be slow for a moment.
  func hasRegularFrames(for span: TimeSpan) -> Bool {
    guard capture.slowSince == nil, !isLightDisturbed, let view = viewSince else { return false }
    return now - max(view, finger.since("frames", "regular") ?? view) >= span
  }

  /// Whether frames have been slow, and the rate that they are held against the same, for that long.
  func hasSlowFrames(for span: TimeSpan) -> Bool {
    hasSeen("frames", "slow", for: span) && finger.rateSelectedAt.map { now - $0 >= span } ?? true
  }

  /// Since when a good signal has been visible; nil while it is not, and without truths.
  var clearSince: Instant? {
    guard let goodSince, let view = viewSince else { return nil }
    return max(goodSince, view)
  }

  /// Whether nothing has disturbed the good signal since the camera's first frame. A weak pulse that was disturbed may
  /// take a careful reader many seconds to trust again.
  var isUndisturbed: Bool {
    guard let goodSince, let frames = capture.framesSince else { return false }
    return goodSince <= frames
  }

  /// By when a good signal is called steady now and then (V15): a slow heart takes as many beats.
  var steadyWithin: TimeSpan {
    let usual = isUndisturbed ? Window.steady : Window.steadyAgain
    return beatInterval.map { max(usual, TimeSpan(seconds: Self.steadyBeats * $0.seconds)) } ?? usual
  }

  private static let steadyBeats = 7.0

  /// By when a good signal has filled startProgress (V19, V22).
  var startsWithin: TimeSpan { steadyWithin + Window.filling }
}
