#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that grows line by line: what was appended stays, whatever ends the program.
struct GrowingFile {
  /// The file as the user wrote it.
  let path: String
  private let kind: Kind

  private enum Kind {
    case standardOutput
    /// A file; one that was not there before is removed again when nothing comes of it.
    case file(descriptor: Int32, isNew: Bool)
  }

  /// Opens it, and leaves what is in it until `begin`.
  ///
  /// - Parameter replacing: whether what is in it may go; otherwise a file that is not empty is refused
  init(_ path: String, replacing: Bool) throws(Refusal) {
    self.path = path
    guard path != "-" else {
      kind = .standardOutput
      return
    }
    var status = stat()
    let isNew = stat(path, &status) != 0
    if !isNew {
      guard status.st_mode & S_IFMT != S_IFDIR else {
        throw Refusal(request: "cannot write \(path): it is a directory")
      }
      guard status.st_size == 0 || replacing else {
        throw Refusal(request: "\(path) is there already", hint: "write another name, or --force to replace it")
      }
    }
    // Without blocking: opening a pipe that nobody reads would wait for ever.
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0o666)
    guard descriptor >= 0 else { throw Refusal(request: "cannot write \(path): \(reason(errno))") }
    kind = .file(descriptor: descriptor, isNew: isNew)
    if isNew { Interruption.begin(path) }
  }

  /// Empties it: something comes of it now.
  func begin() throws(Refusal) {
    guard case .file(let descriptor, let isNew) = kind else { return }
    if isNew { Interruption.settle(path) }
    // What is no regular file has nothing to be emptied of.
    guard ftruncate(descriptor, 0) == 0 || errno == EINVAL else { throw fault(errno) }
  }

  /// Nothing came of it: it is as it was.
  func abandon() {
    guard case .file(let descriptor, let isNew) = kind else { return }
    close(descriptor)
    guard isNew else { return }
    unlink(path)
    Interruption.settle(path)
  }

  /// Writes whole lines, at once.
  func append(_ bytes: [UInt8]) throws(Refusal) {
    switch kind {
    case .standardOutput: bytes.withUnsafeBytes { StandardStream.output.write($0) }
    case .file(let descriptor, _):
      if let error = bytes.withUnsafeBytes({ writeAll($0, to: descriptor) }) { throw fault(error) }
    }
  }

  /// Makes sure that what was written is on the disk.
  func finish() throws(Refusal) {
    guard case .file(let descriptor, _) = kind else { return }
    guard fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS, close(descriptor) == 0 else {
      throw fault(errno)
    }
  }

  private func fault(_ error: Int32) -> Refusal { Refusal(blocked: "cannot write \(path): \(reason(error))") }
}
