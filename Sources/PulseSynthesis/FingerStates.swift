/// How the finger moves.
public enum FingerMotion: String, CaseIterable, Hashable, Sendable {
  /// It lies still.
  case still
  /// It stays on the lens, pressing and easing in quick moves and jerks.
  case fidgeting
  /// It slides to and fro over the lens, a few seconds to a move, and partly uncovers it.
  case sliding
}

/// How much of the lens the finger covers.
public enum FingerCover: String, CaseIterable, Hashable, Sendable {
  /// All of it.
  case full
  /// All but about 30 %, which sees the room.
  case partial
}

/// How hard the finger presses.
public enum FingerPressure: String, CaseIterable, Hashable, Sendable {
  /// Hardly: the pulse is small and unsteady, and light leaks in at the rim.
  case light
  /// As asked of people.
  case firm
  /// Beyond the pressure in its arteries: the tissue is blanched and bright, and hardly pulses.
  case hard
}

/// How warm the finger is.
public enum FingerTemperature: String, CaseIterable, Hashable, Sendable {
  /// Its vessels are open.
  case warm
  /// Its vessels are narrow: the pulse falls to about a fifth within half a minute.
  case cold
}

/// How bright the room is.
public enum Room: String, CaseIterable, Hashable, Sendable {
  /// Lamps are on.
  case lit
  /// About 25 times darker.
  case dim
}
