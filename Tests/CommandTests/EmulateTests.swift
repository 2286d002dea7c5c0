import Foundation
import Testing

/// `emulate`, with a reader that knows nothing of it but the port.
@Suite struct EmulateTests {
  /// The other end of a pseudo-terminal, opened as any program opens a port.
  private final class Port {
    private let descriptor: Int32

    init?(_ path: String) {
      descriptor = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK)
      if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    func send(_ bytes: [UInt8]) -> Bool { write(descriptor, bytes, bytes.count) == bytes.count }

    /// So many bytes, or fewer where the port is hung up or ten seconds are over.
    func read(_ count: Int) -> [UInt8] {
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let begin = Date()
      while bytes.count < count, Date().timeIntervalSince(begin) < 10 {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&entry, 1, 100)
        let found = Foundation.read(descriptor, &buffer, buffer.count)
        if found > 0 { bytes += buffer[..<found] }
        if found == 0 || found < 0 && errno != EAGAIN { break }
      }
      return bytes
    }
  }

  /// Waits for something, ten seconds at most.
  private func wait(for condition: () -> Bool) -> Bool {
    let begin = Date()
    while !condition() {
      if Date().timeIntervalSince(begin) > 10 { return false }
      usleep(2_000)
    }
    return true
  }

  private func exists(_ link: String) -> Bool {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) != nil
  }

  /// The port is told at once, frames come over it, and it goes away with the program.
  @Test func isAPort() throws {
    let program = try Program()
    let link = program.path("oximeter")
    let running = try program.start(["emulate", "bci", "--link", link, "--speed", "20", "--latency", "0s"])
    #expect(
      wait {
        (try? String(contentsOf: running.streams.appendingPathComponent("output"), encoding: .utf8)) == "\(link)\n"
      })
    let port = try #require(Port(link))
    let bytes = port.read(5_000)
    #expect(bytes.count >= 5_000)
    let begin = try #require(bytes.firstIndex { $0 >= 0x80 })
    #expect(bytes[begin...].enumerated().allSatisfy { ($1 >= 0x80) == ($0 % 5 == 0) })
    kill(running.process.processIdentifier, SIGTERM)
    let outcome = try running.outcome()
    #expect(outcome.exitCode == 143 && !exists(link))
  }

  /// A device that waits to be started does, and is pulled out and put in again.
  @Test func isStartedAndPulledOut() throws {
    let program = try Program()
    let link = program.path("oximeter")
    let running = try program.start(
      ["emulate", "contec-v7", "--link", link, "--speed", "10", "--fault", "unplugged@20s+10s", "--for", "60s"])
    #expect(wait { exists(link) })
    let first = try #require(Port(link))
    let start: [UInt8] = [0x7d, 0x81, 0xa1] + [UInt8](repeating: 0x80, count: 6)
    #expect(first.send(start))
    let bytes = first.read(900)
    #expect(bytes.count >= 900 && bytes.first == 0x01)
    _ = first.read(.max)
    #expect(wait { !exists(link) })
    #expect(wait { exists(link) })
    let second = try #require(Port(link))
    #expect(second.send(start) && second.read(90).count >= 90)
    let outcome = try running.outcome()
    #expect(outcome.exitCode == 0 && outcome.error.isEmpty && !exists(link))
  }

  @Test func endsByItself() throws {
    let program = try Program()
    let outcome = try program.call("emulate", "nonin-df2", "--for", "2s", "--speed", "10")
    #expect(outcome.exitCode == 0 && outcome.output.hasPrefix("/dev/") && outcome.output.hasSuffix("\n"))
    #expect(try program.call("generate", "-o", "finger.jsonl", "--for", "12s").exitCode == 0)
    let played = try program.call("emulate", "contec-v5", "--source", "recording:finger.jsonl", "--speed", "20")
    #expect(played.exitCode == 0 && played.seconds < 10)
  }

  @Test func refusesWhatCannotBe() throws {
    let program = try Program()
    try program.write("taken", "mine")
    let rows: [(arguments: String, error: String)] = [
      ("", "emulate needs to know what to speak\n  name one of contec-v5, "),
      ("contec-v8", "unknown protocol contec-v8\n  did you mean contec-v"),
      ("bci --link taken", "taken exists and is no link to a pseudo-terminal; it stays as it is"),
      ("bci --fault silnt@3s", "unknown fault silnt\n  did you mean silent?"),
      ("bci --fault silent", "--fault silent: when?\n  write silent@10s, or silent@10s+5s for five seconds"),
      ("bci --fault silent@3", "a time needs its unit\n  write \"3 s\""),
      ("bci --fault silent@3s+0s", "a fault takes more than no time"),
      ("bci --fault silent=3%@3s", "silent strikes all, and has no share\n  write silent@3s"),
      ("bci --fault droppedBytes=0%@3s", "a share of bytes of 0 %"),
      ("bci --fault keepAliveLost@3s", "bci has no keep-alive that could be lost"),
      ("bci --keep-alive 5s", "bci has none"),
      ("bci --spo2 101", "write whole percent, such as 97"),
      ("bci --speed 0", "0.1 to 100 times real time"),
      ("bci --set camera.gain=2", "an oximeter has no camera"),
      ("bci --set subject.heartRate=400bpm", "heartRate must be 30 bpm to 220 bpm"),
      ("bci --source recording:none.csv", "none.csv"),
      ("bci a.yaml --source recording:b.csv", "leave one of them out"),
    ]
    for row in rows {
      let outcome = try program.call(["emulate"] + row.arguments.split(separator: " ").map(String.init))
      #expect(outcome.exitCode == 2 && outcome.output.isEmpty, "\(row.arguments)")
      #expect(outcome.error.contains(row.error), "\(row.arguments): \(outcome.error)")
    }
    #expect(try program.read("taken") == "mine")
  }
}
