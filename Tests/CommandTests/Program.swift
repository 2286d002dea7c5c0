import Foundation
import Testing

/// What came of one call of the program.
struct Outcome {
  let exitCode: Int32
  /// Whether a signal ended it: a crash.
  let isCrash: Bool
  let output: String
  let error: String
  let seconds: Double
}

/// The program as a user calls it, in a folder of its own that goes away afterwards.
final class Program {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("vitals-sim-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The built program, which stands beside the tests.
  static let binary: URL = {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? .main
    var folder = bundle.bundleURL
    while folder.pathComponents.count > 1 {
      let candidate = folder.appendingPathComponent("vitals-sim")
      if FileManager.default.isExecutableFile(atPath: candidate.path),
        !FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path)
      {
        return candidate
      }
      folder.deleteLastPathComponent()
    }
    return folder
  }()

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  @discardableResult func write(_ name: String, _ text: String) throws -> String {
    try write(name, Data(text.utf8))
  }

  @discardableResult func write(_ name: String, _ data: Data) throws -> String {
    let url = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url)
    return name
  }

  func read(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.appendingPathComponent(name)), as: UTF8.self)
  }

  /// The names of everything in the folder, sorted.
  var names: [String] {
    (FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []).sorted()
  }

  /// Starts the program in the folder. Its streams go to files, so that it never waits for a reader.
  func start(
    _ arguments: [String], input: String = "", output: Any? = nil, environment: [String: String] = [:]
  ) throws -> Running {
    let process = Process()
    process.executableURL = Self.binary
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let streams = FileManager.default.temporaryDirectory.appendingPathComponent("vitals-sim-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: streams, withIntermediateDirectories: true)
    let files = ["input", "output", "error"].map(streams.appendingPathComponent)
    try Data(input.utf8).write(to: files[0])
    for file in files.dropFirst() { try Data().write(to: file) }
    process.standardInput = try FileHandle(forReadingFrom: files[0])
    process.standardOutput = try output ?? FileHandle(forWritingTo: files[1])
    process.standardError = try FileHandle(forWritingTo: files[2])
    let begin = Date()
    try process.run()
    return Running(process: process, streams: streams, begin: begin)
  }

  /// Calls the program and waits for its end.
  func call(_ arguments: String..., input: String = "", environment: [String: String] = [:]) throws -> Outcome {
    try start(arguments, input: input, environment: environment).outcome()
  }

  func call(_ arguments: [String]) throws -> Outcome { try start(arguments).outcome() }
}

/// A call of the program that may still go on.
struct Running {
  let process: Process
  let streams: URL
  let begin: Date

  /// Waits for the end; what goes on for twenty seconds is killed, and seen as a crash.
  func outcome() throws -> Outcome {
    while process.isRunning {
      if Date().timeIntervalSince(begin) > 20 { kill(process.processIdentifier, SIGKILL) }
      usleep(1_000)
    }
    let seconds = Date().timeIntervalSince(begin)
    func text(_ name: String) throws -> String {
      String(decoding: try Data(contentsOf: streams.appendingPathComponent(name)), as: UTF8.self)
    }
    let outcome = Outcome(
      exitCode: process.terminationStatus, isCrash: process.terminationReason == .uncaughtSignal,
      output: try text("output"), error: try text("error"), seconds: seconds)
    try FileManager.default.removeItem(at: streams)
    return outcome
  }
}

/// A short session that always passes, with a name of its own.
func shortScenario(_ name: String, tags: String = "[]", expect: String = "never: failed") -> String {
  """
  name: \(name)
  about: The app stops the session before a reading begins.
  tags: \(tags)
  timeline:
    - at: 0 s
      call: start
    - at: 2 s
      call: stop
  expect:
    - \(expect)

  """
}
