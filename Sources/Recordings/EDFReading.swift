import VitalsModel

/// Whether a file is EDF or its relative BDF, by how it begins.
public func isEDF(_ bytes: [UInt8]) -> Bool { EDFHeader.begins(bytes) || EDFHeader.beginsAsBDF(bytes) }

/// Reads a recording from EDF or EDF+, with or without gaps between its records (EDF+C, EDF+D).
///
/// Signals are found by their labels or by `columns`, as the columns of CSV are; those that are read have one rate. Their
/// physical values are means of 0...255. Annotations that `generate` writes are the beats and breaths behind the frames,
/// and where its signals are all at their minimum there was no frame. Records that are missing at the end are told in a note.
/// Throws on anything else that is not a recording.
public func readRecording(edf bytes: [UInt8], columns: ColumnNames) throws(RecordingError) -> Recording {
  guard !EDFHeader.beginsAsBDF(bytes) else { throw RecordingError("it is BDF, which is not read; export it as EDF+") }
  let header = try EDFHeader(bytes)
  let layout = try EDFLayout(header, columns)
  let held = (bytes.count - header.length) / header.recordLength
  let records = min(header.declaredRecords ?? held, held)
  guard records * layout.samplesPerRecord <= Recording.mostFrames else { throw Recording.tooManyFrames }
  var reader = EDFReading(header, layout)
  for record in 0..<max(records, 0) {
    let start = header.length + record * header.recordLength
    try reader.read(bytes[start..<start + header.recordLength], record: record)
  }
  var notes = ["time read from the sampling rate, \(Fixed.shortest(layout.rateHz, places: 3)) samples a second"]
  if let declared = header.declaredRecords, declared > held {
    notes.append("the file is cut off: \(held) of its \(declared) records are there")
  }
  return try reader.recording(notes: notes)
}

/// Which signals hold the colours.
private struct EDFLayout {
  let colours: RecordedColours
  let samplesPerRecord: Int
  let rateHz: Double
  let (red, green, blue): (EDFHeader.Signal, EDFHeader.Signal?, EDFHeader.Signal?)
  /// Whether the least value of a signal stands for no frame, as `generate` says.
  let hasMissingFrames: Bool

  init(_ header: EDFHeader, _ columns: ColumnNames) throws(RecordingError) {
    guard columns.time == nil, !columns.hasNoTime else {
      throw RecordingError("EDF has a sampling rate and no column of time: leave time out of --columns")
    }
    let signals = header.signals.filter { !$0.isAnnotations && $0.samplesPerRecord > 0 }
    guard !signals.isEmpty else { throw RecordingError("there are no signals in it, only annotations") }
    let search = ColumnSearch(signals.map(\.label), line: nil, noun: "signal")
    let found = try search.colours(columns, besides: nil)
    red = signals[found.red]
    green = found.green.map { signals[$0] }
    blue = found.blue.map { signals[$0] }
    samplesPerRecord = red.samplesPerRecord
    let all = [red, green, blue].compactMap(\.self)
    for signal in all {
      guard signal.samplesPerRecord == samplesPerRecord else {
        throw RecordingError(
          "\"\(red.label)\" has \(samplesPerRecord) samples in a record and \"\(signal.label)\" has "
            + "\(signal.samplesPerRecord); name signals of one rate with --columns")
      }
      guard signal.digitalMaximum > signal.digitalMinimum else {
        throw RecordingError("\"\(signal.label)\" has a digital maximum that is not above its minimum")
      }
    }
    guard header.recordSeconds > 0 else { throw RecordingError("its header says that a record lasts no time") }
    rateHz = Double(samplesPerRecord) / header.recordSeconds
    colours = RecordedColours(red: red.label, green: green?.label, blue: blue?.label)
    hasMissingFrames = all.allSatisfy { $0.transducer.hasSuffix("minimum: no frame") }
  }
}

/// Takes in one record after the other.
private struct EDFReading {
  private let header: EDFHeader
  private let layout: EDFLayout
  private let annotationSignals: [EDFHeader.Signal]
  private var frames: [FrameSample] = []
  private var annotations: [EDFAnnotations.Annotation] = []
  /// When the first record begins, in seconds.
  private var firstOnset = 0.0

  init(_ header: EDFHeader, _ layout: EDFLayout) {
    self.header = header
    self.layout = layout
    annotationSignals = header.signals.filter(\.isAnnotations)
  }

  mutating func read(_ bytes: ArraySlice<UInt8>, record: Int) throws(RecordingError) {
    var onset: Double?
    for signal in annotationSignals {
      let start = bytes.startIndex + signal.offset
      let lists = EDFAnnotations(bytes[start..<start + 2 * signal.samplesPerRecord])
      onset = onset ?? lists.recordOnset
      annotations += lists.annotations
    }
    if record == 0 { firstOnset = onset ?? 0 }
    if header.isDiscontinuous, onset == nil {
      throw RecordingError(
        "it has gaps between its records (EDF+D), and record \(record + 1) does not say when it begins")
    }
    let begin = (header.isDiscontinuous ? onset : nil) ?? firstOnset + Double(record) * header.recordSeconds
    for index in 0..<layout.samplesPerRecord {
      func digital(_ signal: EDFHeader.Signal) -> Int16 {
        let place = bytes.startIndex + signal.offset + 2 * index
        return Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8)
      }
      if layout.hasMissingFrames, Double(digital(layout.red)) == layout.red.digitalMinimum { continue }
      let seconds = begin + Double(index) / layout.rateHz
      frames.append(
        FrameSample(
          captured: Instant(microseconds: Int64((seconds * 1e6).rounded())),
          red: try mean(digital(layout.red), layout.red),
          green: try layout.green.map { (signal) throws(RecordingError) in try mean(digital(signal), signal) } ?? 0,
          blue: try layout.blue.map { (signal) throws(RecordingError) in try mean(digital(signal), signal) } ?? 0))
    }
  }

  /// The mean that a sample stands for; a step beyond what a mean can be is the rounding of the file.
  private func mean(_ digital: Int16, _ signal: EDFHeader.Signal) throws(RecordingError) -> Double {
    let value = signal.physical(digital)
    let range = 0.0...255.0
    if range.contains(value) { return value }
    let nearest = min(max(value, 0), 255)
    guard (value - nearest).magnitude <= signal.step.magnitude else {
      let advice = value < 0 ? "give the light itself, not a filtered wave" : "scale all colours down alike"
      throw RecordingError(
        "\"\(signal.label)\" holds \(Fixed.shortest(value, places: 3)); a colour's mean is 0 to 255: \(advice)")
    }
    return nearest
  }

  /// All of it, counted from the first frame.
  func recording(notes: [String]) throws(RecordingError) -> Recording {
    guard let first = frames.first?.captured else { throw RecordingError("there are no frames in it") }
    let furthest = frames.reduce(TimeSpan.zero) { max($0, $1.captured - first, first - $1.captured) }
    guard furthest <= Recording.longest else { throw RecordingError("its frames span more than 7 days") }
    func counted(_ onset: Double) -> Instant { .zero + (Instant(microseconds: Int64((onset * 1e6).rounded())) - first) }
    return Recording(
      frames: frames.map {
        FrameSample(captured: .zero + ($0.captured - first), red: $0.red, green: $0.green, blue: $0.blue)
      }, colours: layout.colours, notes: notes,
      beats: annotations.compactMap { RecordedBeat(annotation: $0.text, at: counted($0.onset)) }
        .sorted { $0.foot < $1.foot },
      breaths: annotations.filter { $0.text == breathAnnotation }.map { counted($0.onset) }.sorted())
  }
}
