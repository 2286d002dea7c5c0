import OximeterProtocols

extension NotePage {
  /// Everything that is wrong with the page's examples.
  func faults() -> [NoteFault] {
    let (examples, faults) = examples()
    let wrong = examples.compactMap { example in
      example.fault.map { NoteFault(page: name, line: example.line, message: $0) }
    }
    return (faults + wrong).sorted { $0.line < $1.line }
  }
}

extension NoteExample {
  /// What the real decoder, or the real command, says otherwise; nil when it agrees.
  var fault: String? {
    switch expected {
    case .outcome(let outcome): fault(of: outcome)
    case .command(let words): fault(ofCommand: words)
    }
  }

  /// The bytes are sent three times, for a protocol without a checksum gives nothing before that. The first time must
  /// give what the page says, and the second as well: only a mark that lasts is no new beat.
  private func fault(of outcome: NoteOutcome) -> String? {
    var decoder = device.decoder()
    var frames: [OximeterFrame] = []
    for _ in 1...3 { decoder.decode(bytes, into: &frames) }
    let first = NoteOutcome(frames.prefix { $0.end <= bytes.count })
    guard first == outcome else { return "gives \(first), not \(outcome)" }
    let second = NoteOutcome(frames.filter { $0.end > bytes.count && $0.end <= 2 * bytes.count })
    guard second.withoutBeats == outcome.withoutBeats else { return "gives \(second) the second time" }
    return nil
  }

  private func fault(ofCommand words: String) -> String? {
    guard let command = Self.commands(of: device)[words] else {
      return "\(device.rawValue) has no command \"\(words)\""
    }
    return command == bytes ? nil : "\(words) is another command"
  }

  /// What a host may send, in the words of the pages.
  private static func commands(of device: OximeterProtocol) -> [String: [UInt8]] {
    switch device {
    case .contecV7:
      let commands: [(String, ContecV7Command)] = [
        ("start live", .startLive), ("stop live", .stopLive), ("keep alive", .keepAlive), ("ask model", .askModel),
        ("ask vendor", .askVendor), ("ask device", .askDeviceID), ("ask perfusion index", .askPerfusionIndex),
      ]
      return Dictionary(uniqueKeysWithValues: commands.map { ($0.0, $0.1.bytes) })
    case .noninDF2, .noninDF7, .noninDF8:
      let formats = NoninCommand.DataFormat.allCases
      let short = formats.map { ("set format \($0.rawValue)", NoninCommand.setFormat($0).bytes) }
      let long = formats.map {
        (
          "set format \($0.rawValue), long",
          NoninCommand.setFormatWithOptions($0, isSpotCheck: false, hasBluetoothAtPowerOn: true).bytes
        )
      }
      return Dictionary(uniqueKeysWithValues: short + long)
    case .contecV5, .bci, .noninASCII, .masimoASCII, .nellcorASCII: return [:]
    }
  }
}
