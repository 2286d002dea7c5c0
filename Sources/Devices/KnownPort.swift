import CSerialPort

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A port that libserialport knows, not yet open.
final class KnownPort {
  private let port: OpaquePointer

  /// Nil for what is no port to libserialport, such as a pseudo-terminal.
  init?(path: String) {
    var found: OpaquePointer?
    guard sp_get_port_by_name(path, &found) == SP_OK, let found else { return nil }
    port = found
  }

  /// Nil where memory is short.
  init?(copying other: OpaquePointer) {
    var copy: OpaquePointer?
    guard sp_copy_port(other, &copy) == SP_OK, let copy else { return nil }
    port = copy
  }

  deinit { sp_free_port(port) }

  /// Another one, for its taker to free.
  func copy() throws(SerialPortProblem) -> OpaquePointer {
    var copy: OpaquePointer?
    guard sp_copy_port(port, &copy) == SP_OK, let copy else { throw .other(words(ENOMEM)) }
    return copy
  }

  /// What the device says of itself on the bus; nil where it is not on USB.
  var usb: USBIdentity? {
    var vendor: Int32 = 0
    var product: Int32 = 0
    guard sp_get_port_usb_vid_pid(port, &vendor, &product) == SP_OK else { return nil }
    return USBIdentity(
      vendor: Int(vendor), product: Int(product), serialNumber: text(sp_get_port_usb_serial(port)))
  }

  /// All that is known of it.
  var described: SerialPortDescription {
    let path = text(sp_get_port_name(port)) ?? ""
    let transport: SerialPortDescription.Transport =
      switch sp_get_port_transport(port) {
      case SP_TRANSPORT_USB: .usb
      case SP_TRANSPORT_BLUETOOTH: .bluetooth
      default: .native
      }
    let isUSB = transport == .usb
    return SerialPortDescription(
      path: path, description: text(sp_get_port_description(port)) ?? "", transport: transport, usb: usb,
      manufacturer: isUSB ? text(sp_get_port_usb_manufacturer(port)) : nil,
      product: isUSB ? text(sp_get_port_usb_product(port)) : nil, lastingNames: Devices.lastingNames(of: path))
  }

  /// Nil for nothing, and for an empty or blank text, which says as much.
  private func text(_ pointer: UnsafePointer<CChar>?) -> String? {
    let text = pointer.map { String(cString: $0) } ?? ""
    return text.allSatisfy(\.isWhitespace) ? nil : text
  }
}
