import CSerialPort
import OximeterProtocols

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A port that libserialport knows: built in, on USB or on Bluetooth.
final class LibserialportTransport: SerialTransport {
  private let port: OpaquePointer
  private(set) var descriptor: Int32 = -1

  /// Opens a port, locks it and sets it.
  init(port: KnownPort, settings: LineSettings, facts: PortFacts) throws(SerialPortProblem) {
    self.port = try port.copy()
    guard sp_open(self.port, SP_MODE_READ_WRITE) == SP_OK else {
      throw SerialPortProblem(opening: sp_last_error_code(), facts: facts)
    }
    guard sp_get_port_handle(self.port, &descriptor) == SP_OK, descriptor >= 0 else {
      let error = sp_last_error_code()
      sp_close(self.port)
      throw SerialPortProblem(using: error)
    }
    do throws(SerialPortProblem) {
      guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else { throw SerialPortProblem(using: errno) }
      try lock(descriptor)
      // Keeps out those that do not lock; the mark goes with the last one to close the port.
      _ = ioctl(descriptor, UInt(TIOCEXCL))
      try set(settings)
      try discardInput()
    } catch {
      close()
      throw error
    }
  }

  deinit {
    close()
    sp_free_port(port)
  }

  func takeBytes() throws(SerialPortProblem) -> [UInt8] {
    var problem: SerialPortProblem?
    let bytes = [UInt8](unsafeUninitializedCapacity: 4_096) { buffer, count in
      let received = sp_nonblocking_read(port, buffer.baseAddress, buffer.count).rawValue
      count = Int(max(received, 0))
      // 0 is nothing yet as well as never again; asking how much waits tells them apart.
      if received < 0 || received == 0 && sp_input_waiting(port).rawValue < 0 {
        let error = sp_last_error_code()
        if error != EAGAIN { problem = SerialPortProblem(using: error) }
      }
    }
    if let problem { throw problem }
    return bytes
  }

  func offer(_ bytes: ArraySlice<UInt8>) throws(SerialPortProblem) -> Int {
    let sent = bytes.withUnsafeBytes { sp_nonblocking_write(port, $0.baseAddress, $0.count).rawValue }
    guard sent < 0 else { return Int(sent) }
    let error = sp_last_error_code()
    guard error == EAGAIN else { throw SerialPortProblem(using: error) }
    return 0
  }

  func set(_ settings: LineSettings) throws(SerialPortProblem) {
    var newConfig: OpaquePointer?
    guard sp_new_config(&newConfig) == SP_OK, let config = newConfig else { throw .other(words(ENOMEM)) }
    defer { sp_free_config(config) }
    let parity =
      switch settings.parity {
      case .none: SP_PARITY_NONE
      case .odd: SP_PARITY_ODD
      case .even: SP_PARITY_EVEN
      }
    guard let baud = Int32(exactly: settings.baud), baud > 0,
      sp_set_config_baudrate(config, baud) == SP_OK, sp_set_config_bits(config, 8) == SP_OK,
      sp_set_config_parity(config, parity) == SP_OK, sp_set_config_stopbits(config, 1) == SP_OK,
      sp_set_config_flowcontrol(config, SP_FLOWCONTROL_NONE) == SP_OK
    else { throw .refusedSettings(settings.text) }
    // Not read back: drivers take settings and report others.
    switch sp_set_config(port, config) {
    case SP_OK: break
    case SP_ERR_ARG, SP_ERR_SUPP: throw .refusedSettings(settings.text)
    default:
      let error = sp_last_error_code()
      throw error == EINVAL ? .refusedSettings(settings.text) : SerialPortProblem(using: error)
    }
  }

  func discardInput() throws(SerialPortProblem) {
    guard sp_flush(port, SP_BUF_INPUT) == SP_OK else { throw SerialPortProblem(using: sp_last_error_code()) }
  }

  func close() {
    guard descriptor >= 0 else { return }
    // Unsent bytes would keep the system waiting for up to half a minute.
    sp_flush(port, SP_BUF_OUTPUT)
    _ = ioctl(descriptor, UInt(TIOCNXCL))
    sp_close(port)
    descriptor = -1
  }
}
