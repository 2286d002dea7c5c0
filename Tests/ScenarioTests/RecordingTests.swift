import Checks
import Foundation
import ReadingSimulation
import Recordings
import Testing

/// Real phone recordings through the same engine. Scored where they are present, and told either way.
@Test func realRecordingsComplete() throws {
  let folders = ((try? FileManager.default.contentsOfDirectory(atPath: Library.recordings.path)) ?? [])
    .filter { FileManager.default.fileExists(atPath: Library.recordings.appending(path: "\($0)/PPG.csv").path) }
    .sorted()
  guard !folders.isEmpty else {
    print("recordings: skipped, there are none beside the repository")
    return
  }
  let steady = try Library.scenario("steady")
  var (completed, close) = (0, 0)
  for folder in folders {
    let place = Library.recordings.appending(path: folder)
    let recording = try readRecording(csv: Library.bytes(place.appending(path: "PPG.csv")), columns: ColumnNames())
    let reference = try readReferenceIntervals(Library.bytes(place.appending(path: "RR.txt")))
    let run = LibraryRun(
      steady, platform: "ios", seed: 1, source: .recording(recording, reference: reference),
      options: JudgeOptions(skipsAccuracy: true))
    // Whatever came, no rule broke on the way.
    #expect(run.checks.filter { $0.rule != nil && $0.verdict == .failed } == [], "\(folder)")
    let heartRate = run.number("completed", "heartRateBpm")
    let error = heartRate.map { ($0 - reference.heartRateBpm).magnitude }
    if heartRate != nil { completed += 1 }
    if let error, error <= 3 { close += 1 }
    print("recording \(folder): \(run.end), heart rate \(heartRate ?? .nan), reference \(reference.heartRateBpm)")
  }
  print("recordings: \(folders.count) scored, \(completed) completed, \(close) within 3 bpm of the reference")
  #expect(close * 11 >= folders.count * 8)
}
