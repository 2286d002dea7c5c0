import Devices
import OximeterLines
import OximeterSynthesis
import VitalsModel

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What a reader may take and lose.
private enum SoakLimit {
  /// Of one core, in percent.
  static let processorPercent = 2.0
  /// What the process may grow by from the first minute to the last; the system counts pages, and some are touched late.
  static let growthBytes = 1_048_576
}

/// Reads for so many minutes: what came of what was sent, and what it took.
func soakStream(minutes: Int) throws(SoakTrouble) -> [SoakFigure] {
  let span = TimeSpan.seconds(Int64(minutes) * 60)
  let device = try SoakDevice(for: span)
  var reader = try SoakReader(device)
  // After a minute everything has its place, such as buffers that grow at first.
  let settled = min(TimeSpan.seconds(60), span - .seconds(30))
  reader.read(until: .zero + settled)
  let memoryAtFirst = residentBytes()
  reader.readToEnd()
  let memoryAtLast = residentBytes()
  reader.close()
  let (sent, came) = (device.sent, reader.came)
  let seconds = reader.now.seconds
  let percent = reader.processorSeconds / seconds * 100
  return [
    SoakFigure(
      name: "samples",
      text: "\(sent.count) sent in \(Fixed.text(seconds, places: 0)) s, \(came.count) came"
        + (sent == came ? ", the same ones in the same order" : ", and not the same ones"),
      isMet: sent == came && device.lostBytes == 0),
    // Where this machine was too busy to play the device, its silence is a gap by right.
    SoakFigure(
      name: "gaps", text: "\(reader.gaps.count); the device itself was held up \(device.pauses) times",
      isMet: reader.gaps.count <= device.pauses),
    SoakFigure(
      name: "memory",
      text: "\(megabytes(memoryAtFirst)) after \(Fixed.text(settled.seconds, places: 0)) s, "
        + "\(megabytes(memoryAtLast)) at the end",
      isMet: memoryAtLast - memoryAtFirst < SoakLimit.growthBytes),
    SoakFigure(
      name: "processor", text: "\(Fixed.text(percent, places: 2)) % of one core, by the reader's thread",
      isMet: percent < SoakLimit.processorPercent),
  ]
}

/// Unplugs the device so many times, and brings it back.
func soakReplugs(_ count: Int) throws(SoakTrouble) -> [SoakFigure] {
  let cycle = TimeSpan.milliseconds(2_000)
  let faults = (1...count).map { turn in
    let from = Instant.zero + cycle * Int64(turn)
    return OximeterFault(.unplugged, from: from, to: from + .milliseconds(400))
  }
  let device = try SoakDevice(for: cycle * Int64(count + 1), faults: faults)
  var reader = try SoakReader(device)
  reader.read(until: .zero + .seconds(1))
  let before = openDescriptors()
  reader.readToEnd()
  let after = openDescriptors()
  reader.close()
  let unplugged = reader.gaps.count { $0.cause == .unplugged }
  let others = reader.gaps.count - unplugged
  return [
    SoakFigure(
      name: "replugs", text: "\(count), of which \(unplugged) are gaps; \(others) other gaps",
      isMet: unplugged == count && others == 0),
    SoakFigure(name: "descriptors", text: "\(before) open before, \(after) after", isMet: before == after),
  ]
}

/// A reader as the program has one, and what came of it.
private struct SoakReader {
  private let device: SoakDevice
  private var stream: OximeterStream<SerialLine>
  private let processorAtFirst = threadSeconds()
  private(set) var came = WaveTally()
  private(set) var gaps: [OximeterGap] = []

  init(_ device: SoakDevice) throws(SoakTrouble) {
    self.device = device
    do {
      let line = try SerialLine(port: device.link, settings: SoakDevice.speaks.lineSettings[0])
      stream = OximeterStream(line, speaking: SoakDevice.speaks)
    } catch {
      throw SoakTrouble("\(device.link) cannot be opened: \(error)")
    }
  }

  /// The moment up to which everything came.
  var now: Instant { stream.now }
  /// What the thread that reads took of a processor so far.
  var processorSeconds: Double { threadSeconds() - processorAtFirst }

  mutating func read(until limit: Instant) {
    while let (_, event) = stream.next(before: limit) {
      switch event {
      case .sample(let sample): if let pleth = sample.pleth { came.add(pleth) }
      case .gap(let gap): gaps.append(gap)
      case .reading, .answer, .state, .send: break
      }
    }
  }

  /// Reads until the device has played to its end and all that it sent had time to come.
  mutating func readToEnd() {
    while !device.isOver { read(until: now + .seconds(1)) }
    read(until: now + .milliseconds(500))
  }

  /// Lets go of the device.
  func close() { stream.line.close() }
}

/// What this thread took of a processor.
private func threadSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// What the process has in memory.
private func residentBytes() -> Int {
  #if canImport(Glibc)
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
    let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).split(
      separator: " ")
    return (words.count > 1 ? Int(words[1]) ?? 0 : 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
  #else
    // The most that it ever had; that grows as well when memory is lost.
    var usage = rusage()
    getrusage(RUSAGE_SELF, &usage)
    return usage.ru_maxrss
  #endif
}

private func megabytes(_ bytes: Int) -> String { "\(Fixed.text(Double(bytes) / 1_048_576, places: 2)) MB" }

private func openDescriptors() -> Int {
  (0..<getdtablesize()).count { fcntl($0, F_GETFD) >= 0 }
}
