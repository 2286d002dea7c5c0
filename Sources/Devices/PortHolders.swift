#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Another program that has a port open.
struct PortHolder: Hashable {
  /// Its number.
  let process: Int
  /// What it is called.
  let name: String
  /// Whether it also has the other end of the port, a pseudo-terminal: it plays the device.
  let playsTheDevice: Bool
  /// Whether it started this program, directly or not.
  let isAncestor: Bool
  /// Whether the port is the terminal that it was started from.
  let isItsTerminal: Bool

  /// Whether it may take bytes that are meant for this program. What started this program and only passed the port on
  /// does not; a shell that runs on the port does.
  var isRival: Bool { !playsTheDevice && (isItsTerminal || !isAncestor) }

  /// As `SerialPortProblem.busy` has it.
  var text: String { "\(name) (process \(process))" }
}

/// The other programs that have a port open and may take its bytes, in words; nil where none is known.
///
/// The system shows the open files of the user's own programs only, or all of them to root; elsewhere than on Linux, none.
func rivals(at path: String, status: FileStatus) -> String? {
  let holders = holders(of: path, status: status).filter(\.isRival)
  return holders.isEmpty ? nil : holders.map(\.text).joined(separator: ", ")
}

/// The other programs that have a port open, in order of their numbers.
func holders(of path: String, status: FileStatus) -> [PortHolder] {
  let own = Int(getpid())
  let processes = entries(of: "/proc").compactMap { Int($0) }.filter { $0 != own }.sorted()
  let open = processes.filter { openFiles(of: $0).contains { $0.target == path && $0.isSame(as: status) } }
  guard !open.isEmpty else { return [] }
  let ancestors = ancestors(of: own)
  return open.map { process in
    PortHolder(
      process: process,
      name: beginning(of: "/proc/\(process)/comm")?.split(separator: "\n").first.map(String.init) ?? "a program",
      playsTheDevice: hasOtherEnd(process, ofPseudoTerminal: status.device),
      isAncestor: ancestors.contains(process),
      isItsTerminal: processStatus(process)?.terminal == status.device)
  }
}

/// A file that a program has open.
private struct OpenFile {
  let target: String
  let descriptor: String
  let process: Int

  /// Names alone do not tell: a container has a `/dev/pts/0` of its own.
  func isSame(as status: FileStatus) -> Bool {
    FileStatus(path: "/proc/\(process)/fd/\(descriptor)")?.place == status.place
  }
}

private func openFiles(of process: Int) -> [OpenFile] {
  entries(of: "/proc/\(process)/fd").compactMap { descriptor in
    linkTarget("/proc/\(process)/fd/\(descriptor)").map {
      OpenFile(target: $0, descriptor: descriptor, process: process)
    }
  }
}

/// Whether a program has the controlling end of a pseudo-terminal. Where the system does not say whose end it is (before
/// Linux 4.14), any will do.
private func hasOtherEnd(_ process: Int, ofPseudoTerminal device: UInt64) -> Bool {
  guard (136...143).contains(deviceMajor(device)) else { return false }
  let number = (deviceMajor(device) - 136) << 20 | deviceMinor(device)
  return openFiles(of: process).contains { file in
    guard file.target.hasSuffix("/ptmx") else { return false }
    let fields =
      beginning(of: "/proc/\(process)/fdinfo/\(file.descriptor)")?.split(whereSeparator: \.isWhitespace) ?? []
    guard let key = fields.firstIndex(of: "tty-index:"), key + 1 < fields.endIndex else { return true }
    return UInt64(fields[key + 1]) == number
  }
}

/// What started a program, what started that, and so on.
private func ancestors(of process: Int) -> [Int] {
  var chain: [Int] = []
  var current = process
  while let parent = processStatus(current)?.parent, parent > 0, !chain.contains(parent) {
    chain.append(parent)
    current = parent
  }
  return chain
}

/// What started a program, and the number of its terminal.
private func processStatus(_ process: Int) -> (parent: Int, terminal: UInt64)? {
  // The name, in parentheses, may hold anything; after it come state, parent, group, session, terminal.
  guard let text = beginning(of: "/proc/\(process)/stat"), let end = text.lastIndex(of: ")") else { return nil }
  let fields = text[text.index(after: end)...].split(separator: " ")
  guard fields.count > 4, let parent = Int(fields[1]), let terminal = Int32(fields[4]) else { return nil }
  return (parent, UInt64(UInt32(bitPattern: terminal)))
}
