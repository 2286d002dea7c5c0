import VitalsModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An error number in words: `No such file or directory`.
func words(_ error: Int32) -> String { String(cString: strerror(error)) }

/// Makes a call again for as long as a signal interrupts it. The error number is that of the last try.
func uninterrupted<Outcome: SignedInteger>(_ call: () -> Outcome) -> Outcome {
  while true {
    let outcome = call()
    guard outcome == -1, errno == EINTR else { return outcome }
  }
}

// Under names of their own, since methods called `read`, `write` and `close` hide the system's.

/// Reads what is there into a buffer; the count, or -1 with the error number set.
func receive(from descriptor: Int32, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
  uninterrupted { read(descriptor, buffer.baseAddress, buffer.count) }
}

/// Writes what fits; the count, or -1 with the error number set.
func send(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int {
  bytes.withUnsafeBytes { buffer in uninterrupted { write(descriptor, buffer.baseAddress, buffer.count) } }
}

/// Closes a descriptor; not again when a signal interrupts it, for it is closed by then.
func shut(_ descriptor: Int32) { _ = close(descriptor) }

/// What became of waiting for a descriptor.
enum Readiness {
  /// What was waited for; where the other end went away meanwhile, the next call says so.
  case ready
  /// The other end is gone.
  case hungUp
  /// The patience is over.
  case overdue
}

/// Waits until a descriptor can be read or written, or its other end is gone.
///
/// - Parameter events: `POLLIN` or `POLLOUT`
/// - Parameter patience: at most this long, rounded up to milliseconds so that waiting for a moment never ends before it
func wait(for events: Int32, on descriptor: Int32, patience: TimeSpan) -> Readiness {
  // The system would wait for nothing.
  guard descriptor >= 0 else { return .hungUp }
  let clock = MonotonicClock()
  var remaining = patience
  while true {
    var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    let count = poll(&entry, 1, pollMilliseconds(remaining))
    let error = errno
    if count > 0 { return Int32(entry.revents) & events != 0 ? .ready : .hungUp }
    guard count == 0 || error == EINTR || error == EAGAIN else { return .hungUp }
    remaining = patience - (clock.now - .zero)
    guard remaining > .zero else { return .overdue }
  }
}

/// A time for `poll`: a minute at the most, since whoever has not waited long enough calls again.
private func pollMilliseconds(_ span: TimeSpan) -> Int32 {
  span > .zero ? Int32(min((span.microseconds - 1) / 1_000 + 1, 60_000)) : 0
}

/// What the system knows of a file, following links.
struct FileStatus: Hashable {
  /// Type and permissions.
  let mode: mode_t
  /// The group that it belongs to.
  let group: gid_t
  /// For a device, its number; 0 otherwise.
  let device: UInt64
  /// The file system it lies on, and its number there: together they tell two files apart.
  let place: [UInt64]
}

extension FileStatus {
  /// Nil, with the error number set, where there is no such file or it cannot be reached.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    mode = status.st_mode
    group = status.st_gid
    device = UInt64(truncatingIfNeeded: status.st_rdev)
    place = [UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino)]
  }
}

/// The path without links; nil, with the error number set, where it leads to nothing.
func realPath(_ path: String) -> String? {
  guard let resolved = realpath(path, nil) else { return nil }
  defer { free(resolved) }
  return String(cString: resolved)
}

/// Where a link leads to, as it is written there; nil where it is none.
func linkTarget(_ path: String) -> String? {
  var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
  let count = readlink(path, &bytes, bytes.count)
  guard count >= 0 else { return nil }
  return String(decoding: bytes.prefix(count), as: UTF8.self)
}

/// A link as it was made: one of the same name that was made anew has another mark.
struct LinkMark: Hashable {
  private let numbers: [Int64]

  /// Nil where there is no link.
  fileprivate init?(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return nil }
    #if canImport(Darwin)
      let changed = status.st_ctimespec
    #else
      let changed = status.st_ctim
    #endif
    numbers = [Int64(truncatingIfNeeded: status.st_ino), Int64(changed.tv_sec), Int64(changed.tv_nsec)]
  }
}

/// The links that a name leads through, one after the other; none where it is no link.
func linkTrail(_ name: String) -> [LinkMark] {
  var trail: [LinkMark] = []
  var current = name
  // As many as the system follows.
  while trail.count < 40, let mark = LinkMark(current), let target = linkTarget(current) {
    trail.append(mark)
    let directory = current.lastIndex(of: "/").map { current[...$0] } ?? ""
    current = target.hasPrefix("/") ? target : directory + target
  }
  return trail
}

/// The names in a directory, sorted, without `.` and `..`; none where it cannot be read.
func entries(of directory: String) -> [String] {
  guard let stream = opendir(directory) else { return [] }
  defer { closedir(stream) }
  var names: [String] = []
  while let entry = readdir(stream) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
      pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names.sorted()
}

/// The beginning, at most 4 KiB, of a small text file such as those the system describes itself by; nil where it cannot
/// be read.
func beginning(of path: String) -> String? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var bytes = [UInt8](repeating: 0, count: 4_096)
  let count = uninterrupted { read(descriptor, &bytes, bytes.count) }
  guard count >= 0 else { return nil }
  return String(decoding: bytes.prefix(count), as: UTF8.self)
}
