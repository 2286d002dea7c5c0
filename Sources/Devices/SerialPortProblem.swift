/// Why a serial port cannot be used.
public enum SerialPortProblem: Error, Hashable, Sendable {
  /// There is nothing of that name, or a link to nothing.
  case noSuchPort
  /// It is something else, such as `a directory`.
  case notASerialPort(String)
  /// The system does not let this user open it; the group whose members may, where there is one.
  case noPermission(group: String?)
  /// Another program has it, such as `minicom (process 1234)`; nil where that cannot be known.
  case busy(String?)
  /// It cannot be set as asked, such as `12345 8N1`.
  case refusedSettings(String)
  /// It went away while it was opened or used.
  case unplugged
  /// The system says something else, in its own words.
  case other(String)

  /// The problem in a sentence without a full stop.
  ///
  /// - Parameter port: the name of the port, as the user wrote it
  public func text(port: String) -> String {
    switch self {
    case .noSuchPort: "there is no port \(port)"
    case .notASerialPort(let what): "\(port) is not a serial port: it is \(what)"
    case .noPermission(let group?):
      "no permission to open \(port): join the group \(group) (usermod -aG \(group) USER) and log in again"
    case .noPermission(nil): "no permission to open \(port), and there is no group to join that has it"
    case .busy(let holder?): "\(port) is in use by \(holder)"
    case .busy(nil): "\(port) is in use by another program"
    case .refusedSettings(let settings): "\(port) cannot be set to \(settings)"
    case .unplugged: "\(port) went away"
    case .other(let reason): "\(port) cannot be used: \(reason)"
    }
  }
}
