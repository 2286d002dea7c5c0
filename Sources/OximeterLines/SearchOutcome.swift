import OximeterProtocols

/// What came of a search for a device's protocol.
public enum SearchOutcome: Hashable, Sendable {
  /// A device was understood.
  case found(FoundOximeter)
  /// No byte came, or hardly one.
  case silent(tried: [TriedSettings])
  /// Bytes came, and no frame of any protocol: the speed, the parity or the model is another.
  case unintelligible(tried: [TriedSettings])
  /// The device was unplugged meanwhile.
  case lost
}

/// A device that was understood.
public struct FoundOximeter: Hashable, Sendable {
  /// What it speaks.
  public let speaks: OximeterProtocol
  /// How the line was set when it was understood. A pseudo-terminal has no speed: there it is the protocol's most usual
  /// one, unless nothing came with it.
  public let settings: LineSettings
  /// Frames in a second, as they came; nil where too few came to tell.
  public let framesPerSecond: Double?
  /// What it said of itself, in its order and each once.
  public let answers: [DeviceAnswer]

  /// A device that was understood.
  public init(
    speaks: OximeterProtocol, settings: LineSettings, framesPerSecond: Double? = nil, answers: [DeviceAnswer] = []
  ) {
    self.speaks = speaks
    self.settings = settings
    self.framesPerSecond = framesPerSecond
    self.answers = answers
  }
}

/// How a line was set while it was listened to in vain.
public struct TriedSettings: Hashable, Sendable {
  /// How it was set.
  public let settings: LineSettings
  /// How many bytes came.
  public let bytes: Int
  /// Whether they were lines of text.
  public let isText: Bool

  /// Settings with what came.
  public init(settings: LineSettings, bytes: Int, isText: Bool = false) {
    self.settings = settings
    self.bytes = bytes
    self.isText = isText
  }
}
