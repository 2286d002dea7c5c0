import CEDF
import Foundation

/// An EDF+ file as EDFlib reads it, which checks the whole format on the way.
struct EDFReader {
  /// Why EDFlib does not read it; 0: it does.
  let fault: Int32
  private(set) var labels: [String] = []
  private(set) var dimensions: [String] = []
  private(set) var patient = ""
  private(set) var recordSeconds = 0.0
  private(set) var records = 0
  /// All samples of each signal.
  private(set) var signals: [[Double]] = []
  /// The least value of each signal, which stands for no frame.
  private(set) var minima: [Double] = []
  /// How far two neighbouring values of each signal are apart.
  private(set) var steps: [Double] = []
  /// When, in seconds, and what.
  private(set) var annotations: [(at: Double, text: String)] = []

  /// The file of a recording that `write` makes, which is then gone.
  init(_ write: (_ path: String) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).edf").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try write(path)
    // Hundreds of kilobytes: too much for a stack.
    let header = UnsafeMutablePointer<edf_hdr_struct>.allocate(capacity: 1)
    defer { header.deallocate() }
    guard edfopen_file_readonly(path, header, EDFLIB_READ_ALL_ANNOTATIONS) == 0 else {
      fault = header.pointee.filetype
      return
    }
    fault = 0
    let handle = header.pointee.handle
    defer { edfclose_file(handle) }
    records = Int(header.pointee.datarecords_in_file)
    recordSeconds = Double(header.pointee.datarecord_duration) / 10_000_000
    patient = Self.text(header.pointee.patient_name)
    withUnsafeBytes(of: &header.pointee.signalparam) { bytes in
      for parameters in bytes.bindMemory(to: edf_param_struct.self).prefix(3) {
        labels.append(Self.text(parameters.label))
        dimensions.append(Self.text(parameters.physdimension))
        minima.append(parameters.phys_min)
        steps.append((parameters.phys_max - parameters.phys_min) / Double(parameters.dig_max - parameters.dig_min))
        let signal = Int32(signals.count)
        var samples = [Double](repeating: 0, count: Int(parameters.smp_in_file))
        _ = edfread_physical_samples(handle, signal, Int32(samples.count), &samples)
        signals.append(samples)
      }
    }
    var annotation = edf_annotation_struct()
    for index in 0..<Int32(header.pointee.annotations_in_file) where edf_get_annotation(handle, index, &annotation) == 0
    {
      annotations.append((Double(annotation.onset) / 10_000_000, Self.text(annotation.annotation)))
    }
  }

  /// The text in an array of characters that C keeps in a struct.
  private static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self).trimmingCharacters(in: .whitespaces)
    }
  }
}
