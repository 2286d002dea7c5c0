import VitalsModel

/// What one frame added to what is known.
public struct PulseUpdate: Sendable {
  /// False when the frame's time was not after the one before: it was set aside and changed nothing.
  public let isAccepted: Bool
  /// Whether a fingertip covers the lens.
  public let hasContact: Bool
  /// Whether enough was seen to say so: false in the first moments.
  public let isContactKnown: Bool
  /// What the last seconds are good for.
  public let condition: SignalCondition
  /// Whether a reading that runs can go on: a fingertip is there, and what was its pulse may still be. It takes less than
  /// being steady, with which a reading begins.
  public let isReadable: Bool
  /// A beat that became certain with this frame; it lies up to about half a second back.
  public let beat: Beat?
  /// How well the pulse of the last seconds can be read, 0...1; nil until known.
  public let quality: Double?
}

/// Reads the pulse from camera frames as they come in.
///
/// It is fed every frame of a session and says, for each, whether a finger is there, whether it holds still, how good the
/// signal is, and which beat has just become certain. Any frame rate from 15 per second up will do, evenly spaced or not;
/// memory is fixed.
public struct PulseAnalyzer: Sendable {
  /// A pause of the frames longer than this breaks the signal: the next beat is not linked to the one before.
  static let longestGapUs: Int64 = 1_100_000

  /// Frames whose time was not after the one before.
  public private(set) var setAsideFrames = 0

  private var gate = ContactGate()
  private var grid: LightGrid?
  private var track = LiveTrack()
  private var lastUs: Int64?
  private var steps = StepRemover()
  private var surges = SurgeDetector()

  /// An analyzer that has seen nothing.
  public init() {}

  /// Takes the next frame.
  public mutating func feed(_ frame: FrameSample) -> PulseUpdate {
    let atUs = frame.captured.microseconds
    if let lastUs, atUs <= lastUs {
      setAsideFrames += 1
      return update(isAccepted: false, beat: nil)
    }
    lastUs = atUs
    let isFinger = FingerColour.isFinger(red: frame.red, green: frame.green, blue: frame.blue)
    gate.update(isFinger: isFinger, atUs: atUs)
    guard gate.hasContact else {
      grid = nil
      return update(isAccepted: true, beat: nil)
    }
    // While a change of contact is pending, a frame of the room says nothing about the pulse.
    guard isFinger else { return update(isAccepted: true, beat: nil) }
    return update(isAccepted: true, beat: advance(frame, atUs))
  }

  private mutating func advance(_ frame: FrameSample, _ atUs: Int64) -> Beat? {
    let raw = LightGrid.light(red: frame.red, green: frame.green, blue: frame.blue)
    guard var grid, atUs - grid.lastUs <= Self.longestGapUs else {
      steps = StepRemover()
      surges = SurgeDetector()
      grid = LightGrid(firstUs: atUs, first: steps.level(raw).light)
      track.restart()
      return nil
    }
    let gapUs = atUs - grid.lastUs
    if gapUs > 250_000 { track.disturb() }
    let levelled = steps.level(raw)
    let surge = surges.add(raw, atUs: atUs, lane: StepRemover.brightest(raw))
    if levelled.isStep || !track.isBeat(surge) { track.disturb() }
    let colour = Light(frame.red, frame.green, frame.blue, 0)
    let clipped = Light().replacing(with: 1, where: colour .>= FingerColour.clipped)
    track.note(levelled.light, spanUs: gapUs, clipped: clipped)
    var found: LiveTrack.Found?
    grid.add(atUs, levelled.light) { cell in
      if let beat = track.add(cell) { found = beat }
    }
    self.grid = grid
    return found.map { beat in
      Beat(
        at: Instant(microseconds: grid.timeUs(beat.cell)), isClean: beat.isClean, isLinked: beat.isLinked,
        isAlike: beat.isAlike)
    }
  }

  private func update(isAccepted: Bool, beat: Beat?) -> PulseUpdate {
    let hasContact = gate.hasContact
    return PulseUpdate(
      isAccepted: isAccepted, hasContact: hasContact, isContactKnown: gate.isKnown,
      condition: hasContact ? track.condition : .noContact,
      isReadable: hasContact && track.isReadable, beat: beat,
      quality: hasContact ? track.quality : nil)
  }
}
