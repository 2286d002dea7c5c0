/// Why a serial port cannot be used.
public enum SerialPortProblem: Error, Hashable, Sendable {
  /// There is nothing of that name.
  case noSuchPort
  /// It is something else, such as `a directory`.
  case notASerialPort(String)
  /// The system does not let this user open it; the group whose members may, where there is one.
  case noPermission(group: String?)
  /// Another program has it, such as `minicom (process 1234)`; nil where that cannot be known.
  case busy(String?)
  /// It cannot be set as asked.
  case refusedSettings(String)
  /// It went away while it was opened or used.
  case unplugged
  /// The system says something else, in its own words.
  case other(String)
}
