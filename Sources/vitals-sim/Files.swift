import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An error number in words: `No such file or directory`.
func reason(_ error: Int32) -> String { String(cString: strerror(error)) }

/// The path without symbolic links; nil when there is no such file.
func realPath(_ path: String) -> String? {
  guard let resolved = realpath(path, nil) else { return nil }
  defer { free(resolved) }
  return String(cString: resolved)
}

/// Whether two names lead to the same file, or to the same device, which may have several.
func isSameFile(_ path: String, _ other: String) -> Bool {
  var (first, second) = (stat(), stat())
  guard stat(path, &first) == 0, stat(other, &second) == 0 else { return false }
  let areDevices = first.st_mode & S_IFMT == S_IFCHR && second.st_mode & S_IFMT == S_IFCHR
  return areDevices && first.st_rdev == second.st_rdev
    || first.st_dev == second.st_dev && first.st_ino == second.st_ino
}

/// Whether standard input has been read: what is asked for a second time would seem to be empty.
private let standardInputIsTaken = Atomic<Bool>(false)

/// Everything in a regular file, or in standard input for `-`.
///
/// A directory, a device, a pipe by name and a file over `limit` bytes are refused before anything is read of them.
///
/// - Parameter takesPipes: whether a pipe by name is read, waiting until somebody writes to it
func readFile(_ path: String, limit: Int, what: String, takesPipes: Bool = false) throws(Refusal) -> [UInt8] {
  if path == "-" {
    guard !standardInputIsTaken.exchange(true, ordering: .relaxed) else {
      throw Refusal(request: "standard input can be read only once, and - is here twice")
    }
    return try readAll(STDIN_FILENO, path: "standard input", limit: limit, what: what)
  }
  // Without blocking: opening a pipe that nobody writes to would wait for ever.
  let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
  guard descriptor >= 0 else { throw Refusal(request: "cannot read \(path): \(reason(errno))") }
  defer { close(descriptor) }
  var status = stat()
  guard fstat(descriptor, &status) == 0 else { throw Refusal(request: "cannot read \(path): \(reason(errno))") }
  switch status.st_mode & S_IFMT {
  case S_IFREG: break
  case S_IFIFO where takesPipes:
    try awaitWriter(descriptor, path)
    return try readAll(descriptor, path: path, limit: limit, what: what)
  case S_IFDIR: throw Refusal(request: "cannot read \(path): it is a directory, and \(what) is a file")
  default:
    throw Refusal(request: "cannot read \(path): it is not a regular file", hint: "use - to read standard input")
  }
  guard status.st_size <= limit else { throw tooLarge(path, limit: limit, what: what) }
  return try readAll(descriptor, path: path, limit: limit, what: what)
}

/// Waits until somebody has begun to write to a pipe that was opened without blocking, and lets reading block from then on.
private func awaitWriter(_ descriptor: Int32, _ path: String) throws(Refusal) {
  var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  while poll(&wanted, 1, -1) < 0 {
    guard errno == EINTR else { throw Refusal(request: "cannot read \(path): \(reason(errno))") }
  }
  let flags = fcntl(descriptor, F_GETFL)
  guard flags >= 0, fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) >= 0 else {
    throw Refusal(request: "cannot read \(path): \(reason(errno))")
  }
}

private func readAll(_ descriptor: Int32, path: String, limit: Int, what: String) throws(Refusal) -> [UInt8] {
  var bytes: [UInt8] = []
  var part = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = part.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { throw Refusal(request: "cannot read \(path): \(reason(errno))") }
    if count == 0 { return bytes }
    bytes += part[..<count]
    guard bytes.count <= limit else { throw tooLarge(path, limit: limit, what: what) }
  }
}

private func tooLarge(_ path: String, limit: Int, what: String) -> Refusal {
  Refusal(request: "\(path) is too large: \(what) has at most \(limit / 1_000_000) MB")
}

/// What stands at a path.
enum PathKind: Equatable {
  case nothing
  case directory
  case other
  /// It cannot be told, for instance for want of permission or in a loop of symbolic links.
  case unreachable(error: Int32)

  init(_ path: String) {
    var status = stat()
    if stat(path, &status) != 0 {
      switch errno {
      case ENOENT, ENOTDIR, ENAMETOOLONG: self = .nothing
      case let error: self = .unreachable(error: error)
      }
    } else {
      self = status.st_mode & S_IFMT == S_IFDIR ? .directory : .other
    }
  }
}

/// Every file under a directory whose name ends so, sorted by the bytes of their paths.
///
/// Hidden folders and those named in `skipping` are left out, and symbolic links to folders are not followed.
func files(under directory: String, ending suffix: String, skipping: [String]) throws(Refusal) -> [String] {
  let base = directory.hasSuffix("/") ? directory : directory + "/"
  var found: [String] = []
  for name in try names(in: directory) where !name.hasPrefix(".") {
    let path = base + name
    var status = stat()
    guard lstat(path, &status) == 0 else {
      // The name as it was read does not lead back to the file: it is not UTF-8. Better refused than passed over.
      throw Refusal(request: "cannot read \(path): \(reason(errno))", hint: "is its name in UTF-8?")
    }
    if status.st_mode & S_IFMT == S_IFDIR {
      if !skipping.contains(name) { found += try files(under: path, ending: suffix, skipping: skipping) }
    } else if name.hasSuffix(suffix) {
      found.append(path)
    }
  }
  return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
}

private func names(in directory: String) throws(Refusal) -> [String] {
  guard let stream = opendir(directory) else {
    throw Refusal(request: "cannot read \(directory): \(reason(errno))")
  }
  defer { closedir(stream) }
  var names: [String] = []
  while let entry = readdir(stream) {
    let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    if name != ".", name != ".." { names.append(name) }
  }
  return names
}

/// Makes a folder, and the folders above it that are missing.
func makeFolder(_ path: String) throws(Refusal) {
  var end = path.startIndex
  while end < path.endIndex {
    end = path[path.index(after: end)...].firstIndex(of: "/") ?? path.endIndex
    let part = String(path[..<end])
    if mkdir(part, 0o777) != 0, errno != EEXIST, !(errno == EROFS && PathKind(part) == .directory) {
      throw Refusal(request: "cannot make the folder \(path): \(reason(errno))")
    }
  }
  guard PathKind(path) == .directory else { throw Refusal(request: "cannot make the folder \(path): it is a file") }
  guard access(path, W_OK | X_OK) == 0 else { throw Refusal(request: "cannot write to \(path): \(reason(errno))") }
}
