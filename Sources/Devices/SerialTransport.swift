import OximeterProtocols
import VitalsModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An open serial port as a stream of bytes: eight bits, raw, without flow control.
///
/// A port whose other end is gone throws ``SerialPortProblem/unplugged``; it never gives "no bytes" for ever, as plain
/// reading does. One transport belongs to one thread at a time.
public protocol SerialTransport: AnyObject {
  /// What to wait on; -1 once closed.
  var descriptor: Int32 { get }
  /// The bytes that are there; none where there are none. Never waits.
  func takeBytes() throws(SerialPortProblem) -> [UInt8]
  /// Hands over as many of the bytes as fit, and says how many. Never waits.
  func offer(_ bytes: ArraySlice<UInt8>) throws(SerialPortProblem) -> Int
  /// Sets speed and parity.
  func set(_ settings: LineSettings) throws(SerialPortProblem)
  /// Throws away what has come and was not taken.
  func discardInput() throws(SerialPortProblem)
  /// Closes the port, without waiting for what was not sent; once is enough.
  func close()
}

extension SerialTransport {
  /// The bytes that are there, or those that come first.
  ///
  /// - Parameter patience: how long to wait for the first of them
  /// - Returns: none where the patience was over first
  public func read(waiting patience: TimeSpan) throws(SerialPortProblem) -> [UInt8] {
    let clock = MonotonicClock()
    while true {
      switch wait(for: POLLIN, on: descriptor, patience: patience - (clock.now - .zero)) {
      case .hungUp: throw .unplugged
      case .overdue: return []
      case .ready:
        let bytes = try takeBytes()
        guard bytes.isEmpty else { return bytes }
        guard clock.now < .zero + patience else { return [] }
        // Said to be there and gone: another program took them. Asking at once again would keep a core busy.
        clock.sleep(until: min(clock.now + .milliseconds(10), .zero + patience))
      }
    }
  }

  /// Sends bytes.
  ///
  /// - Parameter patience: how long to wait where the other end does not take them
  /// - Returns: how many were sent
  public func write(_ bytes: [UInt8], waiting patience: TimeSpan) throws(SerialPortProblem) -> Int {
    let clock = MonotonicClock()
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = try offer(rest)
      rest = rest.dropFirst(count)
      guard count == 0 else { continue }
      switch wait(for: POLLOUT, on: descriptor, patience: patience - (clock.now - .zero)) {
      case .ready: break
      case .hungUp: throw .unplugged
      case .overdue: return bytes.count - rest.count
      }
    }
    return bytes.count
  }
}
