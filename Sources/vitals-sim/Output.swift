#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The two streams that the program writes to.
enum StandardStream: Int32, Sendable {
  case output = 1
  case error = 2

  /// Whether a person looks at it in colour: a terminal, and `NO_COLOR` (no-color.org) is not set.
  var wantsColor: Bool {
    guard isatty(rawValue) == 1 else { return false }
    func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
    return variable("NO_COLOR").isEmpty && variable("TERM") != "dumb"
  }

  /// Gives a stream that the caller closed something to be, lest the next file that is opened take its place. Reading
  /// from it, or writing to it, stays an error.
  static func fillClosed() {
    for stream in 0...2 as ClosedRange<Int32> where fcntl(stream, F_GETFD) < 0 {
      _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Writes all of the text. When standard output is closed the program ends quietly; on another fault it says so.
  func write(_ text: String) {
    var text = (self == .error ? Self.takeErasure() : "") + text
    text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
  }

  /// Writes all of the bytes, and ends as `write(_:)` does when it cannot.
  func write(_ bytes: UnsafeRawBufferPointer) {
    // A fault of standard error itself has nowhere to be told.
    guard let fault = writeAll(bytes, to: rawValue), self == .output else { return }
    if fault == EPIPE || fault == EBADF { Interruption.end(with: .closedOutput) }
    StandardStream.error.write(Refusal(blocked: "cannot write to standard output: \(reason(fault))").text)
    Interruption.end(with: .blocked)
  }
}

/// A file or stream that takes one document, whole or not at all.
///
/// A file is written under another name beside its place and then renamed, so that no reader ever sees half of it. A
/// device or a pipe is written to directly, and `-` is standard output.
struct Destination: Sendable {
  private enum Kind {
    case standardOutput
    case direct(descriptor: Int32)
    case replacing(path: String, temporary: String, descriptor: Int32)
  }

  /// The place as the user wrote it.
  let path: String
  private let kind: Kind

  /// Whether the document takes the place of this file, however its path is written.
  func replaces(_ file: String) -> Bool {
    switch kind {
    case .standardOutput, .direct: return false
    case .replacing(let target, _, _):
      let place = Self.place(of: file)
      return target == place.folder + place.name
    }
  }

  /// Gives up the place without having written to it.
  func abandon() {
    switch kind {
    case .standardOutput: break
    case .direct(let descriptor): close(descriptor)
    case .replacing(_, let temporary, let descriptor):
      close(descriptor)
      unlink(temporary)
      Interruption.settle(temporary)
    }
  }

  /// Whether the document goes to standard output.
  var isStandardOutput: Bool {
    switch kind {
    case .standardOutput: true
    case .direct, .replacing: false
    }
  }

  /// The file in which the document grows before it takes its place, for a library that writes files by itself; nil
  /// where there is none.
  var unfinishedPath: String? {
    switch kind {
    case .standardOutput, .direct: nil
    case .replacing(_, let temporary, _): temporary
    }
  }

  /// Opens the place, so that a wrong one is refused before anything is done.
  init(opening path: String) throws(Refusal) {
    self.path = path
    kind = try Self.open(path)
  }

  private static func open(_ path: String) throws(Refusal) -> Kind {
    if ["-", "/dev/stdout", "/dev/fd/1"].contains(path) { return .standardOutput }
    var status = stat()
    if stat(path, &status) == 0 {
      switch status.st_mode & S_IFMT {
      case S_IFDIR: throw Refusal(request: "cannot write \(path): it is a directory")
      case S_IFREG:
        guard access(path, W_OK) == 0 else { throw cannotWrite(path) }
      default:
        let descriptor = try descriptor(path, flags: O_WRONLY | O_NONBLOCK)
        // Opened without blocking, lest a pipe without a reader hang; written with it.
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        return .direct(descriptor: descriptor)
      }
    }
    // The file behind a symbolic link is replaced, not the link.
    let (folder, name) = place(of: path)
    guard !name.isEmpty else { throw Refusal(request: "cannot write \(path): it is a directory") }
    let temporary = "\(folder).\(name).\(getpid()).unfinished"
    Interruption.begin(temporary)
    let descriptor = try descriptor(temporary, flags: O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, asking: path)
    return .replacing(path: folder + name, temporary: temporary, descriptor: descriptor)
  }

  /// The folder of a file, with its last slash, and the name in it, both without symbolic links: however a file is
  /// written, there or not yet, this is one text.
  private static func place(of path: String) -> (folder: String, name: String) {
    let target = realPath(path) ?? path
    let slash = target.lastIndex(of: "/")
    let folder = slash.map { String(target[...$0]) } ?? ""
    let name = slash.map { String(target[target.index(after: $0)...]) } ?? target
    guard let real = realPath(folder.isEmpty ? "." : folder) else { return (folder, name) }
    return (real.hasSuffix("/") ? real : real + "/", name)
  }

  private static func descriptor(_ path: String, flags: Int32, asking: String? = nil) throws(Refusal) -> Int32 {
    #if canImport(Glibc)
      let descriptor = Glibc.open(path, flags | O_CLOEXEC, 0o666)
    #elseif canImport(Darwin)
      let descriptor = Darwin.open(path, flags | O_CLOEXEC, 0o666)
    #endif
    guard descriptor >= 0 else { throw cannotWrite(asking ?? path) }
    return descriptor
  }

  private static func cannotWrite(_ path: String) -> Refusal {
    Refusal(request: "cannot write \(path): \(reason(errno))")
  }

  /// Writes the document and puts it in its place.
  func write(_ bytes: [UInt8]) throws(Refusal) {
    try append(bytes[...])
    try finish()
  }

  /// Writes more of the document; gives the place up when that cannot be.
  func append(_ bytes: ArraySlice<UInt8>) throws(Refusal) {
    let fault: Int32?
    switch kind {
    case .standardOutput:
      bytes.withUnsafeBytes { StandardStream.output.write($0) }
      return
    case .direct(let descriptor), .replacing(_, _, let descriptor):
      fault = bytes.withUnsafeBytes { writeAll($0, to: descriptor) }
    }
    guard let fault else { return }
    abandon()
    throw blocked(fault)
  }

  /// Puts the document in its place.
  func finish() throws(Refusal) {
    switch kind {
    case .standardOutput: break
    case .direct(let descriptor): close(descriptor)
    case .replacing(let target, let temporary, let descriptor):
      var fault = close(descriptor) == 0 ? nil : errno
      if fault == nil, rename(temporary, target) != 0 { fault = errno }
      if fault != nil { unlink(temporary) }
      Interruption.settle(temporary)
      if let fault { throw blocked(fault) }
    }
  }

  private func blocked(_ fault: Int32) -> Refusal { Refusal(blocked: "cannot write \(path): \(reason(fault))") }
}

/// Writes every byte; gives the error number when that cannot be.
func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
  var rest = bytes[...]
  while let base = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
    #if canImport(Glibc)
      let count = Glibc.write(descriptor, base, rest.count)
    #elseif canImport(Darwin)
      let count = Darwin.write(descriptor, base, rest.count)
    #endif
    if count < 0 {
      if errno == EINTR { continue }
      if errno == EAGAIN {
        waitUntilWritable(descriptor)
        continue
      }
      return errno
    }
    rest = rest.dropFirst(count)
  }
  return nil
}

/// A shared terminal or pipe may have been made non-blocking by another program.
private func waitUntilWritable(_ descriptor: Int32) {
  var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
  #if canImport(Glibc)
    _ = Glibc.poll(&poll, 1, -1)
  #elseif canImport(Darwin)
    _ = Darwin.poll(&poll, 1, -1)
  #endif
}
