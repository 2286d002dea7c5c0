/// By what a device is known again after it was unplugged: it may come back under another node.
struct PortIdentity: Hashable {
  /// The name that the user gave.
  let asked: String
  /// Names that lead to the device wherever it is plugged in.
  let links: [String]
  /// What it says of itself on the bus; nil where it is not on USB, or not known.
  let usb: USBIdentity?

  /// The places where the device may be now, the likeliest first.
  ///
  /// A name that now leads to a device with another identity is none. Where the device has no serial number, another of
  /// its kind cannot be told from it: only one that was not there when this one went is taken.
  ///
  /// - Parameter ports: the ports that there are now
  /// - Parameter others: the ports that were there when the device went, without its own
  /// - Parameter resolve: where a name leads to now; nil for nowhere
  func candidates(
    among ports: [SerialPortDescription], except others: Set<String>, resolve: (String) -> String?
  ) -> [String] {
    var found: [String] = []
    func consider(_ path: String) {
      let sight = ports.first { $0.path == path }
      if let usb, let other = sight?.usb, usb != other { return }
      if !found.contains(path) { found.append(path) }
    }
    for name in [asked] + links { if let path = resolve(name) { consider(path) } }
    guard let usb else { return found }
    let alike = ports.filter { $0.usb == usb }
    let new = alike.filter { usb.serialNumber != nil || !others.contains($0.path) }
    // Of several without a serial number, none is certain.
    if usb.serialNumber != nil || new.count == 1 { for port in new { consider(port.path) } }
    return found
  }
}
