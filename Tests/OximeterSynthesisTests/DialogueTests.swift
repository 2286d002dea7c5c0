import OximeterLines
import OximeterProtocols
import Testing
import VitalsModel

@testable import OximeterSynthesis

/// What a device makes of what it is sent.
@Suite struct DialogueTests {
  private func command(_ command: ContecV7Command, at seconds: Double) -> (seconds: Double, bytes: [UInt8]) {
    (seconds, command.bytes)
  }

  /// The stretches in which bytes came, such as `2.0-7.0`, with breaks of more than 0.3 s between.
  private func streams(_ played: Played) -> String {
    var stretches: [(Instant, Instant)] = []
    for time in played.times {
      if let last = stretches.last, time - last.1 < .milliseconds(300) {
        stretches[stretches.count - 1].1 = time
      } else {
        stretches.append((time, time))
      }
    }
    return stretches.map { "\(Fixed.text($0.0.seconds, places: 1))-\(Fixed.text($0.1.seconds, places: 1))" }
      .joined(separator: " ")
  }

  @Test func contecV7StreamsAsItIsTold() {
    func check(
      _ expected: String, _ sending: [(seconds: Double, bytes: [UInt8])], faults: [OximeterFault] = [],
      change: (inout OximeterSettings) -> Void = { _ in }
    ) {
      var settings = OximeterSettings()
      change(&settings)
      #expect(streams(play(.contecV7, seconds: 40, settings: settings, faults: faults, sending: sending)) == expected)
    }
    let start = command(.startLive, at: 2)
    check("", [])
    check("", [command(.keepAlive, at: 2)])
    check("2.0-12.0", [start])
    check("0.0-10.0", []) { $0.isStarted = true }
    check("2.0-5.0", [start]) { $0.keepAlive = .seconds(3) }
    check("2.0-7.0", [start, command(.stopLive, at: 7)])
    check("2.0-17.0", [start, command(.keepAlive, at: 7)])
    check("2.0-17.0", [start, command(.startLive, at: 7)])
    check("2.0-12.0 20.0-30.0", [start, command(.keepAlive, at: 15), command(.startLive, at: 20)])
    // In pieces, and behind what is no command.
    check("3.0-13.0", [(1, [0xff, 0x00]), (2, Array(start.bytes[..<4])), (3, Array(start.bytes[4...]))])
    let alive = stride(from: 7.0, to: 40, by: 5).map { command(.keepAlive, at: $0) }
    check("2.0-40.0", [start] + alive)
    // Deaf to keep-alives, it stops, and can be started anew.
    let deaf = [OximeterFault(.keepAliveLost, from: at(10), to: at(30))]
    check("2.0-17.0", [start] + alive, faults: deaf)
    check("2.0-17.0 22.5-40.0", [start] + alive[..<4] + [command(.startLive, at: 22.5)] + alive[4...], faults: deaf)
    // Nobody hears what comes while it is pulled out, and it forgets.
    let out = [OximeterFault(.unplugged, from: at(5), to: at(8))]
    check("2.0-5.0", [start, command(.startLive, at: 6)], faults: out)
    check("2.0-5.0 9.0-19.0", [start, command(.startLive, at: 9)], faults: out)
    // At another speed nothing is understood.
    check("", [start], faults: [OximeterFault(.wrongSpeed, from: at(0))])
  }

  @Test func contecV7Answers() {
    func check(_ sent: [ContecV7Command], _ expected: [DeviceAnswer], streams: Bool = false) {
      let start = streams ? [command(.startLive, at: 1)] : []
      let played = play(.contecV7, seconds: 8, sending: start + sent.map { command($0, at: 5) })
      #expect(played.frames.compactMap(\.frame.answer) == expected)
      #expect(played.counts.skipped == 0 && (played.counts.good > 300) == streams)
    }
    for streams in [false, true] {
      check([.askModel], [.model("EMULAT"), .model("OR")], streams: streams)
      check([.askVendor, .askDeviceID], [.vendor("VIRTUAL"), .deviceID("1")], streams: streams)
      check([.setDeviceID(Array("lab 7".utf8)), .askDeviceID], [.deviceID("lab 7")], streams: streams)
    }
    func bytes(_ sent: ContecV7Command) -> [UInt8] {
      play(.contecV7, seconds: 8, sending: [command(sent, at: 5)]).bytes
    }
    #expect(bytes(.stopLive) == [0x0c, 0x80])
    #expect(bytes(.stopRecording) == [0x0c, 0x80])
    #expect(bytes(.askPerfusionIndex) == [0x0e, 0x80, 0x80])
    // There is no such command: reason 5.
    #expect(bytes(.other(code: 0xbd, parameters: [])) == [0x0b, 0x81, 0xbd, 0x85])
    #expect(bytes(.other(code: 0xb1, parameters: [12, 30, 0])) == [0x0b, 0x81, 0xb1, 0x80])
    #expect(bytes(.keepAlive).isEmpty)
  }

  @Test func noninTakesItsOwnFormat() {
    func check(_ device: OximeterProtocol, _ sent: [UInt8], _ expected: UInt8?) {
      let (plain, played) = (play(device, seconds: 20), play(device, seconds: 20, sending: [(3, sent)]))
      #expect(played.bytes.count == plain.bytes.count + (expected == nil ? 0 : 1))
      if let expected, let place = zip(played.bytes, plain.bytes).enumerated().first(where: { $1.0 != $1.1 })?.offset {
        #expect(played.bytes[place] == expected)
      }
      #expect(played.readings.last?.reading == plain.readings.last?.reading)
    }
    check(.noninDF2, NoninCommand.setFormat(.df2).bytes, 0x06)
    check(.noninDF2, NoninCommand.setFormat(.df7).bytes, 0x15)
    check(.noninDF7, NoninCommand.setFormat(.df7).bytes, 0x06)
    check(
      .noninDF8, NoninCommand.setFormatWithOptions(.df8, isSpotCheck: false, hasBluetoothAtPowerOn: false).bytes, 0x06)
    check(.noninDF8, NoninCommand.setFormat(.df13).bytes, 0x15)
    check(.noninDF2, [0x02, 0x72, 0x00, 0x03], 0x15)
    check(.noninDF2, [0x55, 0x00, 0x03], nil)
  }

  @Test(arguments: [OximeterProtocol.contecV5, .bci, .noninASCII, .masimoASCII, .nellcorASCII])
  func othersPassOverWhatTheyAreSent(device: OximeterProtocol) {
    let sent = ContecV7Command.startLive.bytes + NoninCommand.setFormat(.df2).bytes + [0x11, 0x13]
    #expect(play(device, seconds: 10, sending: [(3, sent)]).arrivals == play(device, seconds: 10).arrivals)
  }
}
