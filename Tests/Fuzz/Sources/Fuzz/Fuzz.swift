import CFuzzer
import Glibc
import OximeterProtocols

/// Tries one part of the reading of oximeters on inputs of the fuzzer's making:
///
///     Fuzz TARGET [the fuzzer's options and folders]
///     Fuzz TARGET --seeds FOLDER
///     Fuzz --targets
@main
enum Fuzz {
  static func main() {
    let arguments = CommandLine.arguments
    if arguments.count == 2, arguments[1] == "--targets" {
      for target in FuzzTarget.all { print(target.name) }
    } else if arguments.count > 1, let target = FuzzTarget.all.first(where: { $0.name == arguments[1] }) {
      if arguments.count == 4, arguments[2] == "--seeds" {
        writeSeeds(of: target, to: arguments[3])
      } else {
        run(target)
      }
    } else {
      complain("usage: Fuzz TARGET [OPTION...] | Fuzz TARGET --seeds FOLDER | Fuzz --targets")
      exit(2)
    }
  }

  /// The fuzzer calls a C function, which can carry nothing along.
  private nonisolated(unsafe) static var tried: FuzzTarget?

  private static func run(_ target: FuzzTarget) {
    tried = target
    // The fuzzer takes every argument behind the program's name for one of its own.
    var count = CommandLine.argc - 1
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv + 1
    arguments?[0] = CommandLine.unsafeArgv[0]
    exit(
      LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
        Fuzz.tried?.check(UnsafeBufferPointer(start: bytes, count: count))
        return 0
      })
  }

  private static func writeSeeds(of target: FuzzTarget, to folder: String) {
    for (index, seed) in target.seeds().enumerated() {
      let path = "\(folder)/seed-\(index)"
      guard let file = fopen(path, "w") else {
        complain("Fuzz: error: \(path) cannot be written")
        exit(3)
      }
      fwrite(seed, 1, seed.count, file)
      fclose(file)
    }
  }

  private static func complain(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }
}

/// A property that the fuzzer tries to break.
struct FuzzTarget: Sendable {
  let name: String
  /// Ends the process when an input breaks it.
  let check: @Sendable (FuzzInput) -> Void
  /// Inputs to begin with.
  let seeds: @Sendable () -> [[UInt8]]

  static let all: [FuzzTarget] =
    OximeterProtocol.allCases.map(decoder) + [link, search, contecCommands, noninCommands]
}

extension FuzzTarget {
  /// One input in so many is tried again and again, to see whether memory is lost.
  private static let leakTried = 1_024

  func check(_ bytes: UnsafeBufferPointer<UInt8>) {
    check(FuzzInput(bytes))
    let mark = bytes.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    guard mark % UInt32(Self.leakTried) == 0 else { return }
    let times: Int = 64
    let before = bytes_in_use()
    for _ in 0..<times { check(FuzzInput(bytes)) }
    // The allocator keeps what is freed in places that are counted as used, but not more each time.
    require(bytes_in_use() < before + times * 16, "memory is lost")
  }
}

/// Ends the process, for the fuzzer to keep the input.
func require(_ condition: Bool, _ message: @autoclosure () -> String) {
  guard !condition else { return }
  fatalError(message())
}
