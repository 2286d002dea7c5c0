import OximeterLines
import OximeterProtocols
import VitalsModel

extension FuzzTarget {
  /// A link's times go on, its gaps end after they begin, it tells each state once, and its deadline moves when it is
  /// served.
  static let link = FuzzTarget(name: "link") { input in
    var input = input
    let devices = OximeterProtocol.allCases
    let device = devices[Int(input.byte()) % devices.count]
    let setsFormat = input.byte() & 1 == 0
    var pace = input.byte()
    let pieces = FuzzLine.Pieces(of: FuzzStream(of: device, &input).bytes, pace: &pace)
    var properties = LinkProperties(OximeterLink(device, setsFormat: setsFormat))
    properties.check(pieces.arrivals(of: device))
  } seeds: {
    OximeterProtocol.allCases.enumerated().flatMap { index, device in
      FuzzStream.seeds(of: device).map { [UInt8(index), 1, 0] + $0 }
    }
  }

  /// A search comes to an end, and soon, whatever the line does.
  static let search = FuzzTarget(name: "search") { input in
    var input = input
    let devices = OximeterProtocol.allCases
    let device = devices[Int(input.byte()) % devices.count]
    let asks = input.byte() & 1 == 0
    var pace = input.byte()
    let pieces = FuzzLine.Pieces(of: FuzzStream(of: device, &input).bytes, pace: &pace)
    let arrivals = pieces.arrivals(of: device)
    var search = ProtocolSearch(asks: asks)
    var lines = 0
    _ = search.run { _ in
      lines += 1
      require(lines <= 40, "the search tries for ever")
      return (line: FuzzLine(arrivals: arrivals), now: .zero)
    }
  } seeds: {
    link.seeds()
  }
}

/// A line on which everything is known beforehand. It ends the process when somebody waits on it for ever.
private struct FuzzLine: OximeterLine {
  let arrivals: [LineArrival]
  private var next = 0
  private var looks = 0

  init(arrivals: [LineArrival]) { self.arrivals = arrivals }

  mutating func next(before limit: Instant) -> LineArrival? {
    looks += 1
    require(looks <= 10_000, "the line is looked at for ever")
    guard next < arrivals.count, arrivals[next].at < limit else {
      require(limit <= .zero + .seconds(600), "the line is listened to for too long")
      return nil
    }
    defer { next += 1 }
    return arrivals[next]
  }

  mutating func send(_ bytes: [UInt8], at now: Instant) {
    require(!bytes.isEmpty, "nothing is sent")
  }

  /// A stream as a line delivers it.
  struct Pieces {
    let bytes: [UInt8]
    private var random: SeededGenerator
    private let isSteady: Bool

    init(of bytes: [UInt8], pace: inout UInt8) {
      self.bytes = bytes
      isSteady = pace & 1 == 0
      random = SeededGenerator(seed: UInt64(pace), stream: "pieces")
    }

    /// Lumps, with pauses and unplugging among them unless the pace is steady.
    func arrivals(of device: OximeterProtocol) -> [LineArrival] {
      var random = random
      var arrivals: [LineArrival] = []
      var now = Instant.zero
      var rest = bytes[...]
      while !rest.isEmpty {
        let piece = rest.prefix(1 + Int(random.next() & 15))
        rest = rest.dropFirst(piece.count)
        now = now + .milliseconds(1 + Int64(random.next() & 31))
        switch isSteady ? 255 : random.next() & 63 {
        case 0: now = now + .milliseconds(Int64(random.next() & 8_191))
        case 1: arrivals.append(LineArrival(at: now, .lost))
        case 2: arrivals.append(LineArrival(at: now, .returned(port: "port")))
        case 3: arrivals.append(LineArrival(at: now, random.next() & 7 == 0 ? .ended : .lost))
        default: break
        }
        arrivals.append(LineArrival(at: now, .bytes(Array(piece))))
      }
      return arrivals
    }
  }
}

private struct LinkProperties {
  private var link: OximeterLink
  private var now = Instant.zero
  private var lastSample: Instant?
  private var lastState: LinkState?

  init(_ link: OximeterLink) { self.link = link }

  mutating func check(_ arrivals: [LineArrival]) {
    take(link.begin(at: now))
    for arrival in arrivals {
      serve(upTo: arrival.at)
      now = arrival.at
      take(link.take(arrival))
    }
    serve(upTo: now + .seconds(30))
    let counts = link.counts
    require(counts.good >= 0 && counts.skipped >= 0, "counts overflow")
  }

  private mutating func serve(upTo limit: Instant) {
    while let deadline = link.deadline, deadline < limit {
      now = max(now, deadline)
      take(link.serveDeadline(at: now))
      if let next = link.deadline { require(next > deadline, "the deadline does not move") }
    }
  }

  private mutating func take(_ events: [LinkEvent]) {
    for event in events {
      switch event {
      case .send(let bytes): require(!bytes.isEmpty, "nothing is to be sent")
      case .sample(let sample):
        require(sample.arrived <= now, "a sample of the future")
        // Frames that come faster than they can have been taken are placed a microsecond apart.
        require(
          sample.captured <= sample.arrived + .milliseconds(1), "a sample arrives before it is taken: \(sample)")
        if let lastSample { require(sample.captured > lastSample, "samples out of order") }
        lastSample = sample.captured
      case .reading(let reading):
        require(reading.arrived <= now, "a reading of the future")
      case .answer(_, let at): require(at <= now, "an answer of the future")
      case .gap(let gap): require(gap.from < gap.to, "a gap without length")
      case .state(let state, let at):
        require(state != lastState, "the same state twice")
        require(at <= now, "a state of the future")
        lastState = state
      }
    }
  }
}
