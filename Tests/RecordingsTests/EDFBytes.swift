/// An EDF file of bytes that a test says, right or wrong.
struct EDFBytes {
  /// One signal, of one sample a field.
  struct Signal {
    var label: String
    var samples: [[Int16]] = []
    var physical: (String, String) = ("0", "255")
    var digital: (String, String) = ("0", "255")
    var transducer = ""
    /// Bytes of annotations in place of samples, for each record.
    var lists: [String] = []

    /// Samples in a record.
    var count: Int { label == "EDF Annotations" ? 32 : samples.first?.count ?? 0 }
  }

  var signals: [Signal]
  var kind = "EDF+C"
  var duration = "1"
  var declaredRecords: String?
  var declaredSignals: String?
  var headerLength: String?
  var version = "0"

  /// Records that the signals hold.
  var records: Int { signals.map { max($0.samples.count, $0.lists.count) }.max() ?? 0 }

  var bytes: [UInt8] {
    func field(_ text: String, _ width: Int) -> String {
      String((text + String(repeating: " ", count: width)).prefix(width))
    }
    func each(_ width: Int, _ text: (Signal) -> String) -> String {
      signals.map { field(text($0), width) }.joined()
    }
    var header = field(version, 8) + field("X X X X", 80) + field("Startdate X X X X", 80) + "01.01.8500.00.00"
    header += field(headerLength ?? String(256 * (signals.count + 1)), 8) + field(kind, 44)
    header += field(declaredRecords ?? String(records), 8) + field(duration, 8)
    header += field(declaredSignals ?? String(signals.count), 4)
    header += each(16, \.label) + each(80, \.transducer) + each(8) { _ in "counts" }
    header += each(8, \.physical.0) + each(8, \.physical.1) + each(8, \.digital.0) + each(8, \.digital.1)
    header += each(80) { _ in "" } + each(8) { String($0.count) } + each(32) { _ in "" }
    var bytes = Array(header.utf8)
    for record in 0..<records {
      for signal in signals {
        if signal.label == "EDF Annotations" {
          let list = Array(signal.lists[record].utf8).prefix(64)
          bytes += list + [UInt8](repeating: 0, count: 64 - list.count)
        } else {
          for sample in signal.samples[record] {
            let pattern = UInt16(bitPattern: sample)
            bytes += [UInt8(pattern & 0xff), UInt8(pattern >> 8)]
          }
        }
      }
    }
    return bytes
  }
}
