import Foundation
import PulseAnalysis
import VitalsModel

/// Public recordings of real fingers with a reference worn at the same time, where they are at hand: in
/// `../shared/data` from the package's root.
enum RealRecordings {
  private static let folder: URL = {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    return root.deletingLastPathComponent().appendingPathComponent("shared/data")
  }()

  /// False, with a line that says so, where the recordings are absent.
  static func areHere() -> Bool {
    if FileManager.default.fileExists(atPath: folder.path) { return true }
    print("skipped: no recordings in \(folder.path)")
    return false
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
  }

  /// Numbers of a table, row by row; what is no number is NaN. The header row is left out.
  private static func table(_ path: String) throws -> [[Double]] {
    let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(path)))
    return bytes.withUnsafeBytes { bytes in
      bytes.split(separator: UInt8(ascii: "\n")).dropFirst().map { line in
        line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { field in
          Double(String(decoding: field, as: UTF8.self)) ?? .nan
        }
      }
    }
  }

  /// A recording with a chest strap's intervals in milliseconds, not time-stamped.
  static func strap(_ number: Int) throws -> (frames: [FrameSample], intervalsMs: [Double]) {
    let name = number < 10 ? "welltory/0\(number)" : "welltory/\(number)"
    let frames = try table(name + "/PPG.csv").map { row in
      FrameSample(captured: Instant(microseconds: Int64(row[0] * 1_000)), red: row[1], green: row[2], blue: row[3])
    }
    let intervals = try text(name + "/RR.txt").split { $0.isWhitespace }.compactMap { Double($0) }
    return (frames, intervals)
  }

  static let oximetrySubjects = ["100001", "100003", "100005"]
  static let hands = ["left", "right"]

  /// One hand under slowly varied oxygen, at 30 frames a second.
  static func oximetry(_ subject: String, _ hand: String) throws -> [FrameSample] {
    try table("uw-oximetry/\(subject)/\(hand).csv").enumerated().map { index, row in
      let at = Instant(microseconds: Int64(Double(index) * 1e6 / 30))
      return FrameSample(captured: at, red: row[0], green: row[1], blue: row[2])
    }
  }

  /// For each second the median pulse of four oximeters and the breathing rate of a capnograph; nil where missing.
  static func reference(_ subject: String) throws -> [(pulse: Double?, breathing: Double?)] {
    try table("uw-oximetry/\(subject)/reference.csv").map { row in
      // Pulse 1, 2, 4 and 5; the capnograph counts from the row's end.
      let pulses = [6, 7, 9, 10].compactMap { $0 < row.count && row[$0] > 0 ? row[$0] : nil }.sorted()
      let pulse = pulses.isEmpty ? nil : 0.5 * (pulses[(pulses.count - 1) / 2] + pulses[pulses.count / 2])
      let breathing = row.count > 20 && row[row.count - 5] > 0 ? row[row.count - 5] : nil
      return (pulse, breathing)
    }
  }
}

/// The mean of what is there; nil when less than half is.
func mean(_ values: some Collection<Double?>) -> Double? {
  let present = values.compactMap { $0 }
  return present.count * 2 > values.count ? present.reduce(0, +) / Double(present.count) : nil
}
