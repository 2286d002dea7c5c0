import OximeterProtocols
import Testing
import VitalsModel

@testable import Devices

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension Machine {
  @Suite struct PseudoTerminalTests {
    private let directory: TemporaryDirectory
    private let link: String

    init() throws {
      directory = try TemporaryDirectory()
      link = directory.path + "/oximeter"
    }

    @Test func whatNobodyHearsIsLostAndCounted() throws {
      let terminal = try PseudoTerminal()
      #expect(!terminal.hasReader)
      #expect(terminal.write([1, 2, 3]) == 0)
      #expect(terminal.lostBytes == 3)
      let port = try SerialPort(opening: try #require(terminal.path), settings: usual)
      #expect(terminal.hasReader)
      #expect(terminal.write([4]) == 1)
      #expect(try port.transport.read(waiting: .seconds(1)) == [4])
      let sent = terminal.write([UInt8](repeating: 0, count: 100_000))
      #expect((4_096..<100_000).contains(sent))
      #expect(terminal.lostBytes == 3 + 100_000 - sent)
      port.transport.close()
      #expect(!terminal.hasReader)
      #expect(terminal.write([5]) == 0)
    }

    @Test func aSlowReaderIsWaitedFor() throws {
      let terminal = try PseudoTerminal()
      let path = try #require(terminal.path)
      let child = try ChildProcess("exec 6< \(path); sleep 1; exec cat <&6 > /dev/null 2>&1")
      #expect(eventually { terminal.hasReader })
      let clock = MonotonicClock()
      #expect(terminal.write([UInt8](repeating: 7, count: 60_000), waiting: .milliseconds(20)) < 60_000)
      #expect((.milliseconds(20)...(.milliseconds(900))).contains(clock.now - .zero))
      #expect(terminal.write([UInt8](repeating: 7, count: 60_000), waiting: .seconds(5)) == 60_000)
      withExtendedLifetime(child) {}
    }

    @Test func aReaderThatSetsNothingGetsTheBytesAsTheyAre() throws {
      let terminal = try PseudoTerminal()
      let reader = open(try #require(terminal.path), O_RDWR | O_NOCTTY | O_NONBLOCK)
      defer { close(reader) }
      let bytes: [UInt8] = [0, 3, 4, 10, 13, 17, 19, 26, 127, 255]
      terminal.write(bytes)
      var got = [UInt8](repeating: 9, count: 20)
      #expect(eventually { read(reader, &got, got.count) == bytes.count })
      #expect(Array(got.prefix(bytes.count)) == bytes)
      // And nothing of it is echoed.
      #expect(terminal.read(waiting: .milliseconds(20)).isEmpty)
    }

    @Test func waitingForAReaderTakesItsTimeAndNoProcessor() throws {
      let terminal = try PseudoTerminal()
      let clock = MonotonicClock()
      let before = processorTime()
      #expect(terminal.read(waiting: .milliseconds(300)).isEmpty)
      #expect((.milliseconds(300)...(.seconds(2))).contains(clock.now - .zero))
      #expect(processorTime().seconds - before.seconds < 0.05 * 0.3)
      terminal.unplug()
      let second = MonotonicClock()
      #expect(terminal.read(waiting: .milliseconds(50)).isEmpty)
      #expect(second.now >= .zero + .milliseconds(50))
    }

    @Test func whatAReaderSentBeforeItLeftIsThere() throws {
      let terminal = try PseudoTerminal()
      let port = try SerialPort(opening: try #require(terminal.path), settings: usual)
      #expect(try port.transport.write([0x7D, 0x81, 0xA1], waiting: .seconds(1)) == 3)
      #expect(terminal.read(waiting: .seconds(1)) == [0x7D, 0x81, 0xA1])
    }

    @Test func theLinkLeadsThereAndGoesWithIt() throws {
      do {
        let terminal = try PseudoTerminal(link: link)
        #expect(linkTarget(link) == terminal.path)
        #expect(entries(of: directory.path) == ["oximeter"])
      }
      #expect(linkTarget(link) == nil)
    }

    @Test func onlyLinksAreReplaced() throws {
      try directory.makeLink("oximeter", to: "/nowhere")
      let terminal = try PseudoTerminal(link: link)
      #expect(linkTarget(link) == terminal.path)
      let file = try directory.makeFile("file", "dear")
      let links = [
        try directory.makeLink("to file", to: file), try directory.makeLink("to folder", to: directory.path),
      ]
      for taken in [file, directory.path] + links {
        #expect(throws: PseudoTerminalProblem.nameIsTaken(taken)) { try PseudoTerminal(link: taken) }
      }
      #expect(beginning(of: file) == "dear")
      let lost = directory.path + "/none/oximeter"
      #expect(throws: PseudoTerminalProblem.noLink(lost, reason: "No such file or directory")) {
        try PseudoTerminal(link: lost)
      }
      #expect(entries(of: directory.path) == ["file", "oximeter", "to file", "to folder"])
    }

    @Test func aLinkThatLeadsElsewhereByNowStays() throws {
      let terminal = try PseudoTerminal(link: link)
      try directory.makeLink("oximeter", to: "/elsewhere")
      terminal.unplug()
      #expect(linkTarget(link) == "/elsewhere")
    }

    @Test func unpluggingAndReturning() throws {
      let terminal = try PseudoTerminal(link: link)
      let before = openTerminals().count
      for keepsLink in [false, true] {
        let old = terminal.path
        terminal.unplug(keepsLink: keepsLink)
        #expect(terminal.path == nil)
        #expect(linkTarget(link) == (keepsLink ? old : nil))
        if !keepsLink { #expect(problem(opening: link) == .noSuchPort) }
        #expect(terminal.write([1]) == 0)
        #expect(!terminal.hasReader)
        #expect(terminal.readersSettings == nil)
        try terminal.replug()
        try terminal.replug()
        #expect(linkTarget(link) == terminal.path)
        #expect(problem(opening: link) == nil)
      }
      #expect(openTerminals().count == before)
    }

    @Test func refusalsLeaveNoDescriptorOpen() throws {
      let before = openTerminals().count
      for _ in 0..<10 { #expect(throws: PseudoTerminalProblem.self) { try PseudoTerminal(link: "/nowhere/link") } }
      #expect(openTerminals().count == before)
    }
  }
}
