import CEDF
import VitalsModel

/// Why an EDF+ file could not be written.
public enum EDFFault: Error, Hashable, Sendable {
  /// The file could not be opened.
  case opening
  /// Not everything could be written: the disk is full, for instance.
  case writing
  /// There are more annotations than the file has places for.
  case tooManyAnnotations(places: Int)
}

/// An EDF+ file that is being written, through EDFlib.
///
/// It has the signals `red`, `green` and `blue`, means of 0...255 counts, on a regular grid: EDF has one rate for a whole
/// file. Between two frames up to 250 ms apart a sample is on the line between them; where no frame is near it is the
/// physical minimum of its signal, which lies below every frame. The real time stamps of the frames are not in it.
///
/// The 16 bits of a signal span only what its frames hold, lest a faint pulse be lost between two steps.
///
/// Annotations are at their moments to 0.1 ms, on the clock of the frames. The date is the one that stands for none, 1 January 1985, and the
/// patient is none: "Synthetic".
///
/// A class, because it owns a file of EDFlib's, which is closed once. EDFlib is not safe for use from several threads.
public final class EDFRecording {
  /// The most bytes of an annotation's text that EDFlib writes.
  public static let longestAnnotation = 40
  /// Annotations that EDFlib can place in a record, one for each annotation signal.
  private static let mostAnnotationsPerRecord = 64
  private static let signals = FrameSample.channels

  private let path: String
  private let handle: Int32
  private let records: Int
  private let timing: EDFTiming
  private let ranges: [EDFRange]
  private var grid: FrameGrid
  /// The samples of the record that is being filled: those of red, of green, of blue.
  private var record: [Int16]
  private var filled = 0
  private var written = 0
  private var isOpen = true
  private var hasFault = false

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - path: of the file, which is replaced
  ///   - length: of the recording, more than none, and more where the content goes on for longer; the last record is
  ///     filled up as where no frame is near
  ///   - content: what there will be: EDFlib needs places and ranges beforehand
  ///   - equipment: what made it, such as the tool and its version
  public init(
    path: String, timing: EDFTiming, length: TimeSpan, content: EDFContent, equipment: String
  ) throws(EDFFault) {
    precondition(length > .zero, "a recording is longer than no time")
    self.path = path
    self.timing = timing
    ranges = content.ranges
    records = timing.records(in: max(length, content.length))
    grid = FrameGrid(timing: timing)
    record = [Int16](repeating: 0, count: Self.signals.count * timing.samplesPerRecord)
    let annotationSignals = max((content.annotations + records - 1) / records, 1)
    guard annotationSignals <= Self.mostAnnotationsPerRecord else {
      throw .tooManyAnnotations(places: Self.mostAnnotationsPerRecord * records)
    }
    handle = edfopen_file_writeonly(path, EDFLIB_FILETYPE_EDFPLUS, Int32(Self.signals.count))
    guard handle >= 0 else { throw .opening }
    let hundredthsOfMilliseconds = Int32(timing.recordDuration.microseconds / 10)
    var faults = edf_set_datarecord_duration(handle, hundredthsOfMilliseconds)
    faults |= edf_set_number_of_annotation_signals(handle, Int32(annotationSignals))
    faults |= edf_set_startdatetime(handle, 1985, 1, 1, 0, 0, 0)
    faults |= edf_set_patientname(handle, "Synthetic")
    faults |= edf_set_patient_additional(handle, "no person was recorded")
    faults |= edf_set_equipment(handle, equipment)
    for (index, label) in Self.signals.enumerated() { faults |= describe(Int32(index), label, content.ranges[index]) }
    precondition(faults == 0, "EDFlib refuses a setting")
  }

  private func describe(_ signal: Int32, _ label: String, _ range: EDFRange) -> Int32 {
    edf_set_label(handle, signal, label) | edf_set_physical_dimension(handle, signal, "counts")
      | edf_set_samplefrequency(handle, signal, Int32(timing.samplesPerRecord))
      | edf_set_physical_minimum(handle, signal, range.lowest)
      | edf_set_physical_maximum(handle, signal, range.highest)
      | edf_set_digital_minimum(handle, signal, Int32(Int16.min))
      | edf_set_digital_maximum(handle, signal, Int32(Int16.max))
      | edf_set_transducer(handle, signal, "simulated camera, mean of a frame's \(label); minimum: no frame")
      | edf_set_prefilter(handle, signal, "linear interpolation between frames")
  }

  deinit { if isOpen { edfclose_file(handle) } }

  /// Takes in a frame that is in the content. Frames come in the order of their time stamps, or up to a second late.
  public func add(_ frame: FrameSample) throws(EDFFault) {
    grid.add(frame) { put($0) }
    if hasFault { throw .writing }
  }

  /// Notes something at a moment, at or after the beginning; `text` has at most 40 bytes.
  public func annotate(_ text: String, at moment: Instant) throws(EDFFault) {
    precondition(text.utf8.count <= Self.longestAnnotation, "an annotation has at most 40 bytes")
    let tenthsOfMilliseconds = (moment.microseconds + 50) / 100
    guard edfwrite_annotation_utf8(handle, tenthsOfMilliseconds, -1, text) == 0 else { throw .writing }
  }

  /// Writes what is left, and closes the file.
  public func finish() throws(EDFFault) {
    grid.close(count: records * timing.samplesPerRecord) { put($0) }
    isOpen = false
    guard edfclose_file(handle) == 0, !hasFault, isWhole else { throw .writing }
  }

  /// Whether the file has all its records: EDFlib does not tell when the last bytes could not be written.
  private var isWhole: Bool {
    // Hundreds of kilobytes: too much for a stack.
    let header = UnsafeMutablePointer<edf_hdr_struct>.allocate(capacity: 1)
    defer { header.deallocate() }
    guard edfopen_file_readonly(path, header, EDFLIB_DO_NOT_READ_ANNOTATIONS) == 0 else { return false }
    defer { edfclose_file(header.pointee.handle) }
    return header.pointee.datarecords_in_file == records
  }

  private func put(_ sample: FrameSample) {
    // What lies after the end of the recording has no place.
    guard written < records else { return }
    record[filled] = ranges[0].digital(sample.red)
    record[timing.samplesPerRecord + filled] = ranges[1].digital(sample.green)
    record[2 * timing.samplesPerRecord + filled] = ranges[2].digital(sample.blue)
    filled += 1
    guard filled == timing.samplesPerRecord else { return }
    (filled, written) = (0, written + 1)
    if edf_blockwrite_digital_short_samples(handle, &record) != 0 { hasFault = true }
  }
}
