import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What happens when the user or the system ends the program early, or nobody reads its output any more.
enum Interruption {
  /// Files that are being written under another name.
  private static let unfinished = Mutex<[String]>([])

  /// Lets a thread of its own wait for Ctrl-C, a lost terminal and the request to terminate, so that what they do need
  /// not fit into a signal handler. To be called before any other thread exists. A closed output becomes an error of
  /// `write`.
  static func watch() {
    signal(SIGPIPE, SIG_IGN)
    var signals = endingSignals()
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    #if canImport(Darwin)
      var thread: pthread_t?
      pthread_create(&thread, nil, endOnSignal, nil)
    #else
      var thread = pthread_t()
      pthread_create(&thread, nil, endOnSignal, nil)
    #endif
  }

  fileprivate static func endingSignals() -> sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(signal) { sigaddset(&signals, signal) }
    return signals
  }

  /// Whether the caller had it ignored, as `nohup` does and a shell for what runs in the background.
  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(signal, nil, &action) == 0 else { return false }
    #if canImport(Glibc)
      let handler = action.__sigaction_handler.sa_handler
    #elseif canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Whether the work ends by itself when it is asked to.
  private static let isGentle = Atomic<Bool>(false)
  /// The signal that asked it to; 0 for none.
  private static let request = Atomic<Int32>(0)

  /// From now on the first Ctrl-C or request to terminate only asks: whoever works looks at `asked` and ends, with what
  /// belongs to the end. The second one ends the program.
  static func askFirst() { isGentle.store(true, ordering: .relaxed) }

  /// With which code the work is to end; nil: it is to go on.
  static var asked: ExitCode? {
    switch request.load(ordering: .relaxed) {
    case 0: nil
    case SIGINT: .interrupted
    default: .terminated
    }
  }

  /// Whether it is enough to ask.
  fileprivate static func ask(_ signal: Int32) -> Bool {
    guard isGentle.load(ordering: .relaxed), signal != SIGHUP else { return false }
    return request.compareExchange(expected: 0, desired: signal, ordering: .relaxed).exchanged
  }

  /// A file that is to be removed should the program end before `settle`. To be called before the file is made.
  static func begin(_ path: String) { unfinished.withLock { $0.append(path) } }

  /// The file has its own name now, or is gone.
  static func settle(_ path: String) { unfinished.withLock { $0.removeAll { $0 == path } } }

  /// Ends the program with this exit code and takes half-written files with it. Whoever begins another one meanwhile
  /// waits for ever.
  static func end(with code: ExitCode) -> Never {
    unfinished.withLock { paths in
      for path in paths { unlink(path) }
      _exit(code.rawValue)
    }
  }
}

/// The body of the thread that waits; it ends the program and so never returns.
private func endOnSignal(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  var signals = Interruption.endingSignals()
  var received: Int32 = 0
  while sigwait(&signals, &received) != 0 || Interruption.ask(received) {}
  switch received {
  case SIGINT:
    StandardStream.error.write("vitals-sim: interrupted\n")
    Interruption.end(with: .interrupted)
  case SIGHUP:
    // The terminal is gone, and with it whoever would read a word about it.
    Interruption.end(with: .hungUp)
  default:
    StandardStream.error.write("vitals-sim: terminated\n")
    Interruption.end(with: .terminated)
  }
}
