import OximeterLines
import OximeterProtocols
import VitalsModel

/// An oximeter on a serial port, in the time that passes.
///
/// Where the device is unplugged the line says so, looks for it every 200 ms, by the name it was given, by the names in
/// `/dev/serial/by-id` that led to it and by its identity on USB, and goes on where it returns.
///
/// One line belongs to one thread at a time.
public final class SerialLine: OximeterLine {
  /// Where the device is, or was before it was lost.
  public private(set) var port: String
  /// How the line is set.
  public private(set) var settings: LineSettings
  /// What the times of arrivals are told by.
  public let clock: MonotonicClock
  /// What kept the line from opening the port anew when it last tried; nil where nothing did, or no port was there.
  public private(set) var latestProblem: SerialPortProblem?

  private let reconnectLimit: TimeSpan
  private let identity: PortIdentity
  /// The links that the name led through when the port was opened.
  private var trail: [LinkMark]
  private var state: State
  private var latest: Instant = .zero
  /// Came at or after the limit of whoever asked.
  private var held: LineArrival?

  private enum State {
    case open(any SerialTransport)
    /// The device is gone, and nobody was told yet.
    case hungUp
    /// The ports of other devices that were there when this one went are known, and when to look again.
    case searching(since: Instant, nextLook: Instant, others: Set<String>)
    case ended
  }

  /// How often a lost device is looked for.
  private static let lookingInterval = TimeSpan.milliseconds(200)
  /// How often where another program has its port, which takes a look at every program to know.
  private static let lookingIntervalWhileBusy = TimeSpan.seconds(1)
  /// How long sending waits for a device that does not take bytes.
  private static let sendingPatience = TimeSpan.milliseconds(200)

  /// Opens a port.
  ///
  /// - Parameter clock: what the times of arrivals are told by; by default zero is now
  /// - Parameter reconnectLimit: how long a lost device is looked for
  public init(
    port: String, settings: LineSettings, clock: MonotonicClock = MonotonicClock(),
    reconnectLimit: TimeSpan = .seconds(30)
  ) throws(SerialPortProblem) {
    let opened = try SerialPort(opening: port, settings: settings)
    self.port = opened.path
    self.settings = settings
    self.clock = clock
    self.reconnectLimit = reconnectLimit
    identity = opened.identity
    trail = linkTrail(identity.asked)
    state = .open(opened.transport)
  }

  /// What comes next, strictly before `limit`; waits for it at most until then. After `.ended` nil, at once.
  public func next(before limit: Instant) -> LineArrival? {
    if held == nil, let content = content(before: limit) {
      latest = max(latest, clock.now)
      held = LineArrival(at: latest, content)
    }
    guard let arrival = held, arrival.at < limit else { return nil }
    held = nil
    return arrival
  }

  /// Sends bytes; those that the device does not take within 200 ms are lost, as are all while it is gone.
  public func send(_ bytes: [UInt8], at now: Instant) {
    latest = max(latest, now)
    guard case .open(let transport) = state else { return }
    do { _ = try transport.write(bytes, waiting: Self.sendingPatience) } catch { hangUp(transport) }
  }

  /// Sets the line anew and throws away what came under the old settings. While the device is gone, the settings are for
  /// its return.
  public func set(_ settings: LineSettings) throws(SerialPortProblem) {
    guard case .open(let transport) = state else {
      self.settings = settings
      return
    }
    do {
      try transport.set(settings)
      try transport.discardInput()
      self.settings = settings
    } catch .unplugged {
      self.settings = settings
      hangUp(transport)
    }
  }

  /// Closes the port; nothing comes any more.
  public func close() {
    if case .open(let transport) = state { transport.close() }
    state = .ended
    held = nil
  }

  private func content(before limit: Instant) -> LineArrival.Content? {
    while true {
      switch state {
      case .open(let transport):
        let patience = limit - clock.now
        guard patience > .zero else { return nil }
        do {
          let bytes = try transport.read(waiting: patience)
          guard bytes.isEmpty else { return .bytes(bytes) }
        } catch {
          hangUp(transport)
        }
      case .hungUp:
        let others = otherPorts()
        let now = clock.now
        state = .searching(since: now, nextLook: now, others: others)
        return .lost
      case .searching(let since, let nextLook, let others):
        let now = clock.now
        guard now - since < reconnectLimit else {
          state = .ended
          return .ended
        }
        guard now < limit else { return nil }
        guard now >= nextLook else {
          clock.sleep(until: min(nextLook, limit, since + reconnectLimit))
          continue
        }
        if reopen(except: others) { return .returned(port: port) }
        let isBusy = if case .busy = latestProblem { true } else { false }
        let interval = isBusy ? Self.lookingIntervalWhileBusy : Self.lookingInterval
        state = .searching(since: since, nextLook: now + interval, others: others)
      case .ended: return nil
      }
    }
  }

  private func hangUp(_ transport: any SerialTransport) {
    transport.close()
    state = .hungUp
  }

  /// The ports there are without that of the lost device, which may be listed for a moment longer.
  private func otherPorts() -> Set<String> {
    Set(listedPorts().map(\.path).filter { $0 != port })
  }

  private func reopen(except others: Set<String>) -> Bool {
    latestProblem = nil
    for candidate in identity.candidates(among: listedPorts(), except: others, resolve: place) {
      do {
        let opened = try SerialPort(opening: candidate, settings: settings)
        port = opened.path
        trail = linkTrail(identity.asked)
        state = .open(opened.transport)
        return true
      } catch {
        latestProblem = error
      }
    }
    return false
  }

  /// Where a name leads to now; nil for nowhere.
  ///
  /// The system gives the number of a pseudo-terminal that is gone to the next program that asks for one. So a link to
  /// one that nobody made anew leads to a stranger, whatever is there.
  private func place(of name: String) -> String? {
    guard let path = realPath(name) else { return nil }
    let isPseudoTerminal = path.hasPrefix("/dev/pts/")
    return isPseudoTerminal && !trail.isEmpty && linkTrail(name) == trail ? nil : path
  }

  /// None where they cannot be listed: the names are looked for all the same.
  private func listedPorts() -> [SerialPortDescription] {
    do { return try serialPorts() } catch { return [] }
  }
}
