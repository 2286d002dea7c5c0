import OximeterProtocols
import VitalsModel

extension FuzzTarget {
  /// A virtual device understands the same however a host cuts what it sends, and holds back no more than one command.
  static let noninCommands = FuzzTarget(name: "nonin-commands") { input in
    var input = input
    var cuts = SeededGenerator(seed: UInt64(input.byte()), stream: "cuts")
    let stream = input.bytes(512)
    var whole = NoninCommandDecoder()
    let requests = whole.decode(stream)
    var cut = NoninCommandDecoder()
    var pieces: [NoninCommandDecoder.Request] = []
    var rest = stream[...]
    while !rest.isEmpty {
      let piece = rest.prefix(1 + Int(cuts.next() & 15))
      rest = rest.dropFirst(piece.count)
      pieces += cut.decode(piece)
    }
    require(pieces == requests, "cuts matter")
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
