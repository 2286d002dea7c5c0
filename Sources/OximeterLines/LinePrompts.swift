import OximeterProtocols
import VitalsModel

/// What a device must be told so that it speaks, and goes on speaking.
struct LinePrompts: Sendable {
  /// To be sent when the line is open, and again when the device is back.
  var start: [UInt8] = []
  /// To be sent again and again while the device is there.
  var keepAlive: Repeated?
  /// To be sent again and again while no frame of the stream comes.
  var wakeUp: Repeated?
  /// To be sent once when the line falls silent, and once more each time the device is back.
  var nudge: [UInt8] = []
  /// To be sent by whoever ends.
  var farewell: [UInt8] = []

  /// Bytes, and how long after the last time they are due again.
  struct Repeated: Sendable {
    let bytes: [UInt8]
    let every: TimeSpan
  }

  /// The prompts of a protocol.
  ///
  /// - Parameter setsFormat: whether a device that keeps its format is told to use this one
  init(_ oximeterProtocol: OximeterProtocol, setsFormat: Bool) {
    switch oximeterProtocol {
    case .contecV7:
      start = ContecV7Command.startLive.bytes
      // The maker asks for it every 5 s. Devices were seen to stop all the same, and to go on when started again.
      keepAlive = Repeated(bytes: ContecV7Command.keepAlive.bytes, every: .seconds(5))
      wakeUp = Repeated(bytes: ContecV7Command.startLive.bytes, every: .seconds(2))
      farewell = ContecV7Command.stopLive.bytes
    case .noninDF2, .noninDF7, .noninDF8:
      guard setsFormat, let format = NoninCommand.DataFormat(oximeterProtocol) else { return }
      start = NoninCommand.setFormat(format).bytes
    // The NPB-290 obeys flow control by software, and one that was stopped waits for an XON for ever.
    case .nellcorASCII: nudge = [0x11]
    case .contecV5, .bci, .noninASCII, .masimoASCII: break
    }
  }
}

extension OximeterProtocol {
  /// What is to be sent before the line is closed, so that the device rests; empty for most.
  public var farewell: [UInt8] { LinePrompts(self, setsFormat: false).farewell }
}
