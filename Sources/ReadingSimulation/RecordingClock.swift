import CameraSynthesis
import Scenarios
import VitalsModel

/// The phone's clock beside a recording: its frames are stamped by it, while truths have true time.
public struct RecordingClock: Hashable, Sendable {
  private let clock: StampClock
  /// Whether a frame is stamped by its delivery, not by its capture: a late frame is then stamped late.
  public let isReadAtDelivery: Bool

  /// The clock that a scenario's camera has.
  public init(_ settings: Settings) {
    let camera = CameraSettings(settings)
    clock = StampClock(camera)
    isReadAtDelivery = camera.stamping == .delivery
  }

  /// What the clock shows at a true moment.
  public func stamp(at moment: Instant) -> Instant { clock.stamp(at: moment) }

  /// How long the recording has gone on by the phone's clock, at the moment of a stamp: an offset is not in it, a drift is.
  public func elapsed(at stamp: Instant) -> Instant { .zero + (stamp - clock.stamp(at: .zero)) }
}
