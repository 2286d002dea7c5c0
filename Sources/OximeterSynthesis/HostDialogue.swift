import OximeterProtocols
import VitalsModel

/// What a device does with what it is sent: whether it streams, and what it answers.
struct HostDialogue: Sendable {
  init(_ device: OximeterProtocol, _ settings: OximeterSettings) {}
  mutating func isStreaming(at now: Instant) -> Bool { true }
  mutating func take(_ bytes: [UInt8], at now: Instant, hearsKeepAlive: Bool) -> [[UInt8]] { [] }
}
