import Foundation
import Scenarios
import Testing

/// The folder of files that must be refused, each beside the exact message.
private let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent().appending(path: "scenarios/refused")

private let refusedNames =
  (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)))?
  .filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted() ?? []

/// Recording is an explicit act, and still fails the run in which it happens.
private let isRecording = ProcessInfo.processInfo.environment["RECORD_GOLDENS"] == "1"

@Suite struct RefusedScenarioTests {
  @Test(arguments: refusedNames)
  func isRefusedWithItsMessage(name: String) throws {
    let bytes = Array(try Data(contentsOf: folder.appending(path: name + ".yaml")))
    let golden = folder.appending(path: name + ".expected.txt")
    do throws(ScenarioRefusal) {
      _ = try parseScenario(bytes, vocabulary: fixture)
      Issue.record("\(name) was accepted")
    } catch {
      let message = render(error.diagnostics, file: "scenarios/refused/\(name).yaml", bytes: bytes)
      if isRecording {
        try Data(message.utf8).write(to: golden)
        Issue.record("recorded \(name).expected.txt")
      } else {
        let expected = try String(contentsOf: golden, encoding: .utf8)
        #expect(message == expected)
      }
    }
  }

  @Test func thereAreFilesAndEachGoldenHasOne() throws {
    #expect(refusedNames.count >= 24)
    let goldens = try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
      .filter { $0.hasSuffix(".expected.txt") }.map { String($0.dropLast(13)) }.sorted()
    #expect(goldens == refusedNames)
  }
}
