/// What the header of an EDF or EDF+ file says (Kemp and others 1992; Kemp and Olivan 2003, edfplus.info/specs).
///
/// EDFlib reads such files as well, but no discontinuous ones (EDF+D), none from a stream, and none whose patient or date
/// breaks the format; of all these only the signals matter here.
struct EDFHeader {
  /// One signal of the file.
  struct Signal {
    let label: String
    let transducer: String
    let physicalMinimum: Double
    let physicalMaximum: Double
    let digitalMinimum: Double
    let digitalMaximum: Double
    let samplesPerRecord: Int
    /// Where its samples begin in a record, in bytes.
    let offset: Int

    /// Whether it holds times and texts and no samples.
    var isAnnotations: Bool { label == "EDF Annotations" }

    /// The physical value of one step of its samples.
    var step: Double { (physicalMaximum - physicalMinimum) / (digitalMaximum - digitalMinimum) }

    /// The physical value of a sample.
    func physical(_ digital: Int16) -> Double { (Double(digital) - digitalMinimum) * step + physicalMinimum }
  }

  /// Whether records may have gaps between them, and each says when it begins.
  let isDiscontinuous: Bool
  /// Length of a record in seconds; above 0 where there are samples.
  let recordSeconds: Double
  /// The signals, annotations among them.
  let signals: [Signal]
  /// How many records the file says it has; nil: it was not closed.
  let declaredRecords: Int?
  /// Bytes of the header.
  let length: Int
  /// Bytes of a record.
  let recordLength: Int

  /// The fixed part of a header, and the part of each signal.
  private static let partLength = 256
  /// More signals than any recorder has; the format has room for 9999.
  private static let mostSignals = 512

  /// Whether a file begins as EDF does: version 0 in eight characters.
  static func begins(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "0       ".utf8) }

  /// Whether it begins as BDF does, its relative of 24 bits.
  static func beginsAsBDF(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0xff] + Array("BIOSEMI".utf8)) }

  init(_ bytes: [UInt8]) throws(RecordingError) {
    var fields = HeaderFields(bytes)
    fields.skip(8 + 80 + 80 + 8 + 8)
    let length = try fields.whole("the length of its header", 8)
    let kind = try fields.text(44)
    let records = try fields.whole("the number of its records", 8)
    recordSeconds = try fields.number("the length of a record", 8)
    let count = try fields.whole("the number of its signals", 4)
    guard (1...Self.mostSignals).contains(count) else {
      throw RecordingError("its header says that there are \(count) signals; 1 to \(Self.mostSignals) are read")
    }
    guard length == (count + 1) * Self.partLength else {
      throw RecordingError("its header does not have the length that \(count) signals take: is the file damaged?")
    }
    isDiscontinuous = kind.hasPrefix("EDF+D")
    declaredRecords = records >= 0 ? records : nil
    self.length = length
    signals = try Self.signals(&fields, count: count)
    guard bytes.count >= length else { throw HeaderFields.tooShort }
    recordLength = signals.reduce(0) { $0 + 2 * $1.samplesPerRecord }
    guard recordLength > 0 else { throw RecordingError("its records are empty") }
    guard recordSeconds >= 0, recordSeconds <= 1e6 else {
      throw RecordingError("its header says that a record lasts \(recordSeconds) s")
    }
  }

  private static func signals(_ fields: inout HeaderFields, count: Int) throws(RecordingError) -> [Signal] {
    func each<Value>(_ read: () throws(RecordingError) -> Value) throws(RecordingError) -> [Value] {
      var values: [Value] = []
      for _ in 0..<count { values.append(try read()) }
      return values
    }
    let labels = try each { () throws(RecordingError) in try fields.text(16) }
    let transducers = try each { () throws(RecordingError) in try fields.text(80) }
    fields.skip(8 * count)
    // A signal of annotations has numbers here that nobody needs, and some writers leave them out.
    func numbers(_ what: String) throws(RecordingError) -> [Double] {
      var values: [Double] = []
      for label in labels {
        let text = try fields.text(8)
        guard let value = decimalValue(Array(text.utf8)[...]) ?? (label == "EDF Annotations" ? 0 : nil) else {
          throw RecordingError("its header has \"\(text)\" for the \(what) of \"\(label)\"")
        }
        values.append(value)
      }
      return values
    }
    let physicalMinima = try numbers("physical minimum")
    let physicalMaxima = try numbers("physical maximum")
    let digitalMinima = try numbers("digital minimum")
    let digitalMaxima = try numbers("digital maximum")
    fields.skip(80 * count)
    let lengths = try each { () throws(RecordingError) in try fields.whole("the samples of a signal", 8) }
    var offset = 0
    var signals: [Signal] = []
    for index in 0..<count {
      guard (0...10_000_000).contains(lengths[index]) else {
        throw RecordingError("its header says that \"\(labels[index])\" has \(lengths[index]) samples a record")
      }
      signals.append(
        Signal(
          label: labels[index], transducer: transducers[index], physicalMinimum: physicalMinima[index],
          physicalMaximum: physicalMaxima[index], digitalMinimum: digitalMinima[index],
          digitalMaximum: digitalMaxima[index], samplesPerRecord: lengths[index], offset: offset))
      offset += 2 * lengths[index]
    }
    return signals
  }
}

/// The fields of a header one after the other, in ASCII and filled up with blanks.
private struct HeaderFields {
  private let bytes: [UInt8]
  private var next = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  static let tooShort = RecordingError("it begins as EDF and ends within its header")

  mutating func skip(_ count: Int) { next += count }

  mutating func text(_ count: Int) throws(RecordingError) -> String {
    guard bytes.count - next >= count else { throw Self.tooShort }
    defer { next += count }
    func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == 0 }
    let field = bytes[next..<next + count].drop(while: isBlank)
    let end = field.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? field.startIndex
    return String(decoding: field[field.startIndex..<end], as: UTF8.self)
  }

  mutating func number(_ what: String, _ count: Int) throws(RecordingError) -> Double {
    let text = try text(count)
    guard let value = decimalValue(Array(text.utf8)[...]), value.isFinite else {
      throw RecordingError("its header has \"\(text)\" for \(what)")
    }
    return value
  }

  mutating func whole(_ what: String, _ count: Int) throws(RecordingError) -> Int {
    let value = try number(what, count)
    guard let whole = Int(exactly: value) else { throw RecordingError("its header has \(value) for \(what)") }
    return whole
  }
}
