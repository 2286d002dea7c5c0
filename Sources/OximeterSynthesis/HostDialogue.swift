import OximeterProtocols
import VitalsModel

/// What a device does with what it is sent: whether it streams, and what it answers.
struct HostDialogue: Sendable {
  private enum Kind: Sendable {
    /// It streams, and passes over what it is sent.
    case oneWay
    case contecV7(ContecV7Dialogue)
    case nonin(NoninCommandDecoder, own: NoninCommand.DataFormat)
  }

  private var kind: Kind

  /// A device that is switched on at a moment.
  init(_ device: OximeterProtocol, _ settings: OximeterSettings, at now: Instant) {
    if device == .contecV7 {
      kind = .contecV7(ContecV7Dialogue(settings, at: now))
    } else if let format = NoninCommand.DataFormat(device) {
      kind = .nonin(NoninCommandDecoder(), own: format)
    } else {
      kind = .oneWay
    }
  }

  /// Whether the device sends its frames at `now`, which does not go back.
  mutating func isStreaming(at now: Instant) -> Bool {
    switch kind {
    case .oneWay, .nonin: return true
    case .contecV7(var dialogue):
      let isStreaming = dialogue.isStreaming(at: now)
      kind = .contecV7(dialogue)
      return isStreaming
    }
  }

  /// Takes what the host sends, in any pieces; gives the answers.
  ///
  /// - Parameter hearsKeepAlive: false: the device does not hear that the host is still there
  mutating func take(_ bytes: [UInt8], at now: Instant, hearsKeepAlive: Bool) -> [[UInt8]] {
    switch kind {
    case .oneWay: return []
    case .contecV7(var dialogue):
      let answers = dialogue.take(bytes, at: now, hearsKeepAlive: hearsKeepAlive)
      kind = .contecV7(dialogue)
      return answers
    case .nonin(var decoder, let own):
      let requests = decoder.decode(bytes)
      kind = .nonin(decoder, own: own)
      return requests.map { [Self.answer($0, own: own)] }
    }
  }

  /// A device that speaks one format refuses the others.
  private static func answer(_ request: NoninCommandDecoder.Request, own: NoninCommand.DataFormat) -> UInt8 {
    switch request {
    case .command(.setFormat(own)), .command(.setFormatWithOptions(own, _, _)): NoninCommand.acknowledgement
    case .command, .unknown: NoninCommand.refusal
    }
  }
}

/// The same for contec-v7, which streams when it is told to, and stops when it is told to or hears nothing for long.
struct ContecV7Dialogue: Sendable {
  private enum State: Sendable {
    /// Waits to be started.
    case stopped
    /// Sends live packets; the host was heard of last at a moment.
    case streaming(heardAt: Instant)
  }

  /// The maker of what nobody made.
  private static let vendor = "VIRTUAL"
  /// Setting the time and the date.
  private static let clockCodes: [UInt8] = [0xb1, 0xb2]

  private let keepAlive: TimeSpan
  private let model: String
  private var deviceID: String
  private var state: State
  private var decoder = ContecV7CommandDecoder()

  init(_ settings: OximeterSettings, at now: Instant) {
    keepAlive = settings.keepAlive
    model = settings.model
    deviceID = settings.deviceID
    state = settings.isStarted ? .streaming(heardAt: now) : .stopped
  }

  mutating func isStreaming(at now: Instant) -> Bool {
    switch state {
    case .stopped: return false
    case .streaming(let heardAt):
      if now - heardAt < keepAlive { return true }
      state = .stopped
      return false
    }
  }

  mutating func take(_ bytes: [UInt8], at now: Instant, hearsKeepAlive: Bool) -> [[UInt8]] {
    decoder.decode(bytes).compactMap { command in
      switch command {
      case .startLive, .keepAlive:
        let isStreaming = isStreaming(at: now)
        if isStreaming && hearsKeepAlive || !isStreaming && command == .startLive { state = .streaming(heardAt: now) }
        return nil
      case .stopLive:
        state = .stopped
        return ContecV7Answer.stopped
      case .stopRecording: return ContecV7Answer.stopped
      case .askModel: return ContecV7Answer.model(model)
      case .askVendor: return ContecV7Answer.vendor(Self.vendor)
      case .askDeviceID: return ContecV7Answer.deviceID(deviceID)
      case .askPerfusionIndex: return ContecV7Answer.perfusionIndex(isSupported: true)
      case .askUserCount: return ContecV7Answer.userCount(1)
      case .askStorage: return ContecV7Answer.storage(isSupported: false)
      case .setDeviceID(let text):
        let name = String(decoding: text, as: UTF8.self)
        if ContecV7Answer.deviceID(name) != nil { deviceID = name }
        return nil
      case .other(let code, _):
        return ContecV7Answer.result(ofCommand: code, Self.clockCodes.contains(code) ? .done : .notSupported)
      }
    }
  }
}
