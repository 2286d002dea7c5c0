import Foundation
import ReadingContract
import Scenarios
import Testing

/// Scenarios of bodies, fingers, cameras and oximeters that cannot be, each beside the exact message.
private let names = [
  "finger/refused/impossible-body", "finger/refused/impossible-together", "oximeter/refused/without-camera",
  "oximeter/refused/without-oximeter", "oximeter/refused/without-pleth",
]

/// Recording is an explicit act, and still fails the run in which it happens.
private let isRecording = ProcessInfo.processInfo.environment["RECORD_GOLDENS"] == "1"

@Test(arguments: names) func isRefusedWithTheReasonAndTheLimit(name: String) throws {
  let bytes = Array(try Data(contentsOf: Library.folder.appending(path: name + ".yaml")))
  let golden = Library.folder.appending(path: name + ".expected.txt")
  do throws(ScenarioRefusal) {
    _ = try parseScenario(bytes, vocabulary: readingContract.vocabulary)
    Issue.record("\(name) was accepted")
  } catch {
    let message = render(error.diagnostics, file: "scenarios/\(name).yaml", bytes: bytes)
    if isRecording {
      try Data(message.utf8).write(to: golden)
      Issue.record("recorded \(name).expected.txt")
    } else {
      #expect(message == (try String(contentsOf: golden, encoding: .utf8)))
    }
  }
}
