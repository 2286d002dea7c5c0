import OximeterLines
import OximeterProtocols

/// Why an oximeter shows no pulse, and what the user can do.
enum Obstacle {
  case silent, unintelligible, lost, sensorFault, fingerOut, searching, faint, noPulse

  init(_ line: LinkState, _ reading: OximeterReading?) {
    switch line {
    case .silent: self = .silent
    case .unintelligible: self = .unintelligible
    case .lost, .ended: self = .lost
    case .streaming:
      guard let flags = reading?.flags else {
        self = .noPulse
        return
      }
      if flags.contains(.sensorFault) {
        self = .sensorFault
      } else if flags.contains(.fingerOut) {
        self = .fingerOut
      } else if flags.contains(.searching) {
        self = .searching
      } else if flags.contains(.lowPerfusion) {
        self = .faint
      } else {
        self = .noPulse
      }
    }
  }

  /// What is so, and what to do, in one line.
  var text: String { "\(state); \(advice)" }

  /// What is so.
  var state: String {
    switch self {
    case .silent: "it is silent"
    case .unintelligible: "bytes come, but no valid frame"
    case .lost: "it is unplugged"
    case .sensorFault: "its sensor is not connected, or broken"
    case .fingerOut: "no finger is in the sensor"
    case .searching: "it looks for the pulse"
    case .faint: "the pulse is faint"
    case .noPulse: "it gives no pulse rate yet"
    }
  }

  /// What to do.
  var advice: String {
    switch self {
    case .silent: "switch it on, put a finger in, and let it send data (firmware-notes tell how)"
    case .unintelligible: "check the speed and the parity of the line, and the model of the device"
    case .lost: "plug it in again"
    case .sensorFault: "check the sensor's cable"
    case .fingerOut: "put one in"
    case .searching, .noPulse: "keep the finger still"
    case .faint: "warm the finger, or take another"
    }
  }
}
