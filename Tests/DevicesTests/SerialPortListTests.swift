import FakeSerialLines
import Testing

@testable import Devices

extension Machine {
  @Suite struct SerialPortListTests {
    @Test func portsAreDescribedInOrder() throws {
      let ports = try LaidPorts()
      let known = USBIdentity(vendor: 0x10C4, product: 0xEA60, serialNumber: "0001")
      let nameless = USBIdentity(vendor: 0x5, product: 0x7523, serialNumber: nil)
      try ports.plug("ttyUSB10", usb: nameless, at: "/dev/null")
      try ports.plug("ttyUSB2", usb: known, byID: "usb-known", at: "/dev/null")
      #expect(
        try serialPorts() == [
          SerialPortDescription(
            path: "/dev/ttyUSB2", description: "Bridge Controller - 0001", transport: .usb, usb: known,
            manufacturer: "Silicon Works", product: "Bridge Controller",
            lastingNames: ["/dev/serial/by-id/usb-known"]),
          SerialPortDescription(
            path: "/dev/ttyUSB10", description: "Bridge Controller", transport: .usb, usb: nameless,
            manufacturer: "Silicon Works", product: "Bridge Controller", lastingNames: []),
        ])
      #expect(known.text == "10c4:ea60")
      #expect(nameless.text == "0005:7523")
    }

    @Test func aMachineWithoutPortsHasNone() throws {
      let ports = try LaidPorts()
      #expect(try serialPorts().isEmpty)
      _ = ports
      let nowhere = try TemporaryDirectory()
      fake_serial_lines_lay(nowhere.path)
      defer { fake_serial_lines_lay(nil) }
      #expect(try serialPorts().isEmpty)
    }

    @Test(arguments: [
      ("/dev/ttyUSB2", "/dev/ttyUSB10", true), ("/dev/ttyUSB10", "/dev/ttyUSB2", false),
      ("/dev/ttyACM3", "/dev/ttyUSB0", true), ("/dev/cu.a", "/dev/cu.b", true), ("/dev/ttyS0", "/dev/ttyS0", false),
      ("/dev/ttyS1", "/dev/ttyS01", false),
    ])
    func order(left: String, right: String, expected: Bool) {
      #expect(comesBefore(left, right) == expected)
    }
  }
}
