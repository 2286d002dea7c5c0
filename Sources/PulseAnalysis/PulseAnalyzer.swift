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
    let hasSurged = surges.add(raw, atUs: atUs, lane: StepRemover.brightest(raw))
    if levelled.isStep || hasSurged { track.disturb() }
    let colour = Light(frame.red, frame.green, frame.blue, 0)
    let clipped = Light().replacing(with: 1, where: colour .>= FingerColour.clipped)
    track.note(levelled.light, spanUs: gapUs, clipped: clipped)
    var found: (cell: Double, isClean: Bool, isLinked: Bool)?
    grid.add(atUs, levelled.light) { cell in
      if let beat = track.add(cell) { found = beat }
    }
    self.grid = grid
    return found.map { beat in
      Beat(at: Instant(microseconds: grid.timeUs(beat.cell)), isClean: beat.isClean, isLinked: beat.isLinked)
    }
  }

  private func update(isAccepted: Bool, beat: Beat?) -> PulseUpdate {
    let hasContact = gate.hasContact
    return PulseUpdate(
      isAccepted: isAccepted, hasContact: hasContact, isContactKnown: gate.isKnown,
      condition: hasContact ? track.condition : .noContact, beat: beat,
      quality: hasContact ? track.quality : nil)
  }
}

/// Takes sudden jumps of brightness out, as a camera makes that changes its exposure.
struct StepRemover: Sendable {
  /// Smallest change between two frames that is a jump, in natural logarithms: no pulse rises so fast.
  private static let smallest = 0.045
  /// The logarithm of a clipped colour's level.
  private static let fullLight = Maths.log(FingerColour.clipped)

  private var last: Light?
  private var offset = Light()
  private var usualChange = Light()

  /// The frame's light without the jumps so far, and whether it jumped just now.
  mutating func level(_ raw: Light) -> (light: Light, isStep: Bool) {
    guard let before = last else {
      last = raw
      return (raw, false)
    }
    last = raw
    let change = raw - before
    let size = change.replacing(with: -change, where: change .< 0)
    let isStep = size .> Self.smallest .& size .> usualChange * 8
    usualChange += (pointwiseMin(size, Light(repeating: Self.smallest)) - usualChange) * 0.03
    // The exposure moves all colours; a dim one alone may well pulse by as much.
    guard isStep[Self.brightest(raw)] else { return (raw + offset, false) }
    offset -= change.replacing(with: 0, where: .!isStep)
    return (raw + offset, true)
  }

  /// The brightest colour that is not clipped, which is the least noisy.
  static func brightest(_ light: Light) -> Int {
    var chosen = 0
    for lane in 1..<3 where light[chosen] >= fullLight || (light[lane] > light[chosen] && light[lane] < fullLight) {
      chosen = lane
    }
    return chosen
  }
}
