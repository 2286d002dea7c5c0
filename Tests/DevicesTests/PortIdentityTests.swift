import Testing

@testable import Devices

@Suite struct PortIdentityTests {
  private static let known = USBIdentity(vendor: 0x10C4, product: 0xEA60, serialNumber: "0001")
  private static let twin = USBIdentity(vendor: 0x10C4, product: 0xEA60, serialNumber: "0002")
  private static let nameless = USBIdentity(vendor: 0x1A86, product: 0x7523, serialNumber: nil)
  private static let byID = "/dev/serial/by-id/usb-known"

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var usb: USBIdentity?
    var links: [String] = []
    var ports: [(path: String, usb: USBIdentity?)] = []
    var others: Set<String> = []
    /// Where names lead to.
    var names: [String: String] = [:]
    let expected: [String]
  }

  static let rows = [
    Row(testDescription: "gone", usb: known, expected: []),
    Row(testDescription: "a plain path", names: ["asked": "/dev/pts/4"], expected: ["/dev/pts/4"]),
    Row(
      testDescription: "back where it was", usb: known, ports: [("/dev/ttyUSB0", known)],
      names: ["asked": "/dev/ttyUSB0"], expected: ["/dev/ttyUSB0"]),
    Row(
      testDescription: "under another node, by its number", usb: known, ports: [("/dev/ttyUSB1", known)],
      expected: ["/dev/ttyUSB1"]),
    Row(
      testDescription: "under another node, by its link", links: [byID], ports: [("/dev/ttyUSB1", nil)],
      names: [byID: "/dev/ttyUSB1"], expected: ["/dev/ttyUSB1"]),
    Row(
      testDescription: "another device took its node", usb: known,
      ports: [("/dev/ttyUSB0", twin), ("/dev/ttyUSB1", known)], names: ["asked": "/dev/ttyUSB0"],
      expected: ["/dev/ttyUSB1"]),
    Row(
      testDescription: "only another device is there", usb: known, ports: [("/dev/ttyUSB0", twin)],
      names: ["asked": "/dev/ttyUSB0"], expected: []),
    Row(
      testDescription: "its number counts even where a port of its kind was there", usb: known,
      ports: [("/dev/ttyUSB1", known)], others: ["/dev/ttyUSB1"], expected: ["/dev/ttyUSB1"]),
    Row(
      testDescription: "without a number, a new one of its kind", usb: nameless, ports: [("/dev/ttyUSB1", nameless)],
      expected: ["/dev/ttyUSB1"]),
    Row(
      testDescription: "without a number, not one that was there all along", usb: nameless,
      ports: [("/dev/ttyUSB1", nameless)], others: ["/dev/ttyUSB1"], expected: []),
    Row(
      testDescription: "without a number, not one of two", usb: nameless,
      ports: [("/dev/ttyUSB1", nameless), ("/dev/ttyUSB2", nameless)], expected: []),
    Row(
      testDescription: "without a number, the new one of two", usb: nameless,
      ports: [("/dev/ttyUSB1", nameless), ("/dev/ttyUSB2", nameless)], others: ["/dev/ttyUSB1"],
      expected: ["/dev/ttyUSB2"]),
  ]

  @Test(arguments: rows)
  func candidates(row: Row) {
    let ports = row.ports.map {
      SerialPortDescription(
        path: $0.path, description: "", transport: .usb, usb: $0.usb, manufacturer: nil, product: nil, lastingNames: [])
    }
    let identity = PortIdentity(asked: "asked", links: row.links, usb: row.usb)
    #expect(identity.candidates(among: ports, except: row.others) { row.names[$0] } == row.expected)
  }
}
