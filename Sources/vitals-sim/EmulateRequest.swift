import OximeterProtocols
import OximeterSynthesis
import Scenarios
import VitalsModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What `emulate` was asked for.
struct EmulateRequest: Sendable {
  /// What is set of the finger, as `generate` takes it.
  var finger = GenerateRequest()
  /// A recording in the place of a synthetic finger.
  var recording: String?
  /// A name under which the port is found.
  var link: String?
  /// How long, in the device's time; nil: until it is ended.
  var length: TimeSpan?
  /// How many times as fast as real time; nil: as fast.
  var speed: Double?
  /// What goes wrong, and how the user wrote each.
  var faults: [(value: OximeterFault, text: String)] = []
  /// The SpO2 that the device says, in percent; nil: the usual one.
  var spo2Percent: Int?
  /// How long contec-v7 goes on without a keep-alive; nil: as usual.
  var keepAlive: TimeSpan?
  /// The timer of a bridge to USB; nil: as usual.
  var latencyTimer: TimeSpan?
  /// Whether a reader that set another speed reads what it would on a wire.
  var checksSpeed = false

  static let options: [Option<EmulateRequest>] =
    [
      Option("link", about: "a name under which the port is found, such as oximeter", .value("PATH", setLink)),
      Option("source", about: "recording:FILE, or what a scenario may name", .value("SOURCE", setSource)),
      Option("for", about: "how long, in the device's time; else until Ctrl-C", .value("TIME", setLength)),
      Option("speed", about: "times as fast as real time, 0.1 to 100", .value("N", setSpeed)),
      Option("fault", about: "KIND@TIME or KIND@TIME+TIME, see below; may be repeated", .value("FAULT", addFault)),
      Option("spo2", about: "what the device says of it, in percent; 98", .value("N", setSpO2)),
      Option("keep-alive", about: "how long contec-v7 goes on without one; 10s", .value("TIME", setKeepAlive)),
      Option("latency", about: "of the bridge to USB, which sends in lumps; 16ms", .value("TIME", setLatency)),
      Option(
        "checks-speed", about: "a reader at another speed or parity gets garbage", .flag { $0.checksSpeed = true }),
    ] + GenerateRequest.options.filter { ["set", "seed"].contains($0.long) }.map { $0.within(\.finger) }

  /// How a fault is written, for the help.
  static let faultDetails = [
    "fingerOut, held, frozen, garbage, droppedBytes=5%@10s+20s, doubledBytes, wrongSpeed,",
    "silent, keepAliveLost, unplugged.",
  ]

  @Sendable private static func setLink(_ request: inout EmulateRequest, _ text: String) throws(Refusal) {
    try refuseSecond(request.link, "--link")
    guard !text.isEmpty else { throw Refusal(request: "--link: the name is missing", hint: "write --link PATH") }
    request.link = text
  }

  @Sendable private static func setSource(_ request: inout EmulateRequest, _ text: String) throws(Refusal) {
    let prefix = "recording:"
    if text.hasPrefix(prefix) {
      try refuseSecond(request.recording.map { prefix + $0 }, "--source")
      request.recording = try fileName(String(text.dropFirst(prefix.count)), of: "--source recording:FILE")
    } else {
      try GenerateRequest.setSource(&request.finger, text)
    }
  }

  @Sendable private static func setLength(_ request: inout EmulateRequest, _ text: String) throws(Refusal) {
    request.length = try span(text, of: "--for", 0.001...604_800, "longer than no time and at most 168h, a week")
  }

  @Sendable private static func setKeepAlive(_ request: inout EmulateRequest, _ text: String) throws(Refusal) {
    request.keepAlive = try span(text, of: "--keep-alive", 1...3_600, "1 s to 1 h")
  }

  @Sendable private static func setLatency(_ request: inout EmulateRequest, _ text: String) throws(Refusal) {
    request.latencyTimer = try span(text, of: "--latency", 0...0.255, "0 to 255 ms")
  }

  private static func span(
    _ text: String, of option: String, _ range: ClosedRange<Double>, _ words: String
  ) throws(Refusal) -> TimeSpan {
    let seconds = try value(.time, text, of: option)
    guard range.contains(seconds) else {
      throw Refusal(request: "\(option) \(text.asShellWord): possible is \(words)")
    }
    return TimeSpan(seconds: seconds)
  }

  @Sendable private static func setSpeed(_ request: inout EmulateRequest, _ text: String) throws(Refusal) {
    let speed = try value(.number, text, of: "--speed")
    guard (0.1...100).contains(speed) else {
      throw Refusal(request: "--speed \(text.asShellWord): 0.1 to 100 times real time are possible")
    }
    request.speed = speed
  }

  @Sendable private static func setSpO2(_ request: inout EmulateRequest, _ text: String) throws(Refusal) {
    guard let percent = Int(text.hasSuffix("%") ? String(text.dropLast()) : text), (1...100).contains(percent) else {
      throw Refusal(request: "--spo2 \(text.asShellWord) is no saturation", hint: "write whole percent, such as 97")
    }
    request.spo2Percent = percent
  }

  @Sendable private static func addFault(_ request: inout EmulateRequest, _ text: String) throws(Refusal) {
    request.faults.append((try OximeterFault(optionText: text), "--fault \(text.asShellWord)"))
  }

  /// The settings of the device, or why they cannot be.
  func settings(of device: OximeterProtocol) throws(Refusal) -> OximeterSettings {
    var settings = OximeterSettings()
    settings.clockSeconds = max(secondsOnTheWallClock(), 0)
    if let spo2Percent { settings.spo2Percent = spo2Percent }
    if let keepAlive { settings.keepAlive = keepAlive }
    if let latencyTimer { settings.latencyTimer = latencyTimer }
    if keepAlive != nil, device != .contecV7 {
      throw Refusal(request: "--keep-alive: \(device.rawValue) has none; contec-v7 has one")
    }
    if let reason = settings.contradiction(on: device) { throw Refusal(request: reason) }
    for fault in faults {
      if let reason = fault.value.contradiction(on: device) { throw Refusal(request: "\(fault.text): \(reason)") }
    }
    return settings
  }
}

/// Seconds since the beginning of 2000, as a clock on the wall shows them.
private func secondsOnTheWallClock() -> Int {
  var now = time(nil)
  var local = tm()
  localtime_r(&now, &local)
  return now + local.tm_gmtoff - 946_684_800
}

extension Option {
  /// The same option for a request that holds this one.
  fileprivate func within<Outer>(_ path: WritableKeyPath<Outer, Request> & Sendable) -> Option<Outer> {
    switch action {
    case .flag(let apply): Option<Outer>(long, short, about: about, .flag { apply(&$0[keyPath: path]) })
    case .value(let name, let apply):
      Option<Outer>(
        long, short, about: about,
        .value(name) { (request, text) throws(Refusal) in try apply(&request[keyPath: path], text) })
    }
  }
}

extension OximeterFault {
  /// A fault as an option writes it: `unplugged@10s+5s`, `silent@1m`, `droppedBytes=5%@10s`.
  fileprivate init(optionText text: String) throws(Refusal) {
    let option = "--fault \(text.asShellWord)"
    let sides = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let words = sides[0].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let known = Kind.allCases.map(\.rawValue)
    guard let kind = Kind(rawValue: words[0]) else {
      let meant = nearest(to: words[0], among: known).map { "did you mean \($0)?" }
      throw Refusal(
        request: "\(option): unknown fault \(words[0].shown)",
        hint: meant ?? "known are \(known.joined(separator: ", "))")
    }
    guard sides.count == 2, !sides[1].isEmpty else {
      throw Refusal(request: "\(option): when?", hint: "write \(sides[0])@10s, or \(sides[0])@10s+5s for five seconds")
    }
    func quantity(_ quantity: Quantity, _ text: String) throws(Refusal) -> Double {
      do throws(QuantityMistake) {
        return try quantity.value(text)
      } catch {
        throw Refusal(request: "\(option): \(error.message)", hint: error.advice)
      }
    }
    let times = sides[1].split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let from = Instant.zero + TimeSpan(seconds: min(try quantity(.time, times[0]), 1e9))
    var to: Instant?
    if times.count == 2 { to = from + TimeSpan(seconds: min(try quantity(.time, times[1]), 1e9)) }
    var share = Self.usualSharePercent
    if words.count == 2 {
      guard kind.hasShare else {
        throw Refusal(
          request: "\(option): \(kind.rawValue) strikes all, and has no share",
          hint: "write \(kind.rawValue)@\(sides[1])")
      }
      share = try quantity(.percent, words[1])
    }
    self.init(kind, from: from, to: to, sharePercent: share)
  }
}
