import OximeterProtocols
import VitalsModel

extension FuzzTarget {
  /// A virtual device understands the same however a host cuts what it sends.
  static let contecCommands = FuzzTarget(name: "contec-v7-commands") { input in
    var input = input
    var cuts = SeededGenerator(seed: UInt64(input.byte()), stream: "cuts")
    let bytes = input.bytes(512)
    var whole = ContecV7CommandDecoder()
    let commands = whole.decode(bytes)
    whole.finish()
    for command in commands { require(command.bytes.count == 9, "a command has nine bytes") }
    require(commands.count * 9 + whole.skipped == bytes.count, "bytes of no account")
    var cut = ContecV7CommandDecoder()
    require(cuts.pieces(of: bytes).flatMap { cut.decode($0) } == commands, "cuts matter")
  } seeds: {
    let plain: [ContecV7Command] = [
      .startLive, .stopLive, .askModel, .keepAlive, .setDeviceID([0x41, 0x42]),
      .other(code: 0xb2, parameters: [20, 26]),
    ]
    return [[7] + plain.flatMap(\.bytes)] + plain.map { [7] + $0.bytes }
  }

  /// The same for the other family that has commands.
  static let noninCommands = FuzzTarget(name: "nonin-commands") { input in
    var input = input
    var cuts = SeededGenerator(seed: UInt64(input.byte()), stream: "cuts")
    let bytes = input.bytes(512)
    var whole = NoninCommandDecoder()
    let requests = whole.decode(bytes)
    var cut = NoninCommandDecoder()
    require(cuts.pieces(of: bytes).flatMap { cut.decode($0) } == requests, "cuts matter")
  } seeds: {
    let commands = NoninCommand.DataFormat.allCases.flatMap { format in
      [
        NoninCommand.setFormat(format),
        .setFormatWithOptions(format, isSpotCheck: false, hasBluetoothAtPowerOn: true),
      ]
    }
    return [[7] + commands.flatMap(\.bytes)] + commands.map { [7] + $0.bytes }
  }
}

extension SeededGenerator {
  /// A stream in pieces of up to sixteen bytes.
  mutating func pieces(of stream: [UInt8]) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var rest = stream[...]
    while !rest.isEmpty {
      let piece = rest.prefix(1 + Int(next() & 15))
      pieces.append(piece)
      rest = rest.dropFirst(piece.count)
    }
    return pieces
  }
}
