/// Finds the frames of nonin-df2 or nonin-df7 in a stream, and a device's answers between them.
///
/// The sum alone proves little: of random bytes, every 512th place looks like a frame of nonin-df7. So a stream begins
/// where frames follow on each other; none of those is lost, since the bytes are held until that is known. Where a frame
/// is damaged, three in a row are asked for again, from one byte to the next, so that a missing byte costs no more than
/// its frame.
struct NoninFrameFinder {
  /// What comes next in the stream.
  enum Piece {
    case frame(NoninFrame)
    case answer(DeviceAnswer)
    /// The frames after it do not go on from those before.
    case breach
  }

  private enum State {
    /// A stream is yet to begin, and so many bytes were none.
    case begun(bytes: Int)
    /// There was more noise than before a stream or inside one.
    case adrift
    /// The stream was damaged this many bytes ago.
    case lost(bytes: Int)
    /// The next byte is the first of a frame.
    case inStep
  }

  /// Whether a run of frames begins somewhere.
  private enum Run {
    case no, yes
    /// More must come to tell.
    case perhaps
  }

  /// An answer that may be somewhere.
  private enum Block {
    case none
    case whole(DeviceAnswer, length: Int)
    case incomplete
  }

  /// After so many bytes without a run it may be another stream.
  private static let farAway = 100
  /// Frames of nonin-df7 that stand still prove nothing: those of another protocol may have its form, and its own may
  /// have it from another byte on. They do not stand still for a packet.
  private static let packet = 25

  let layout: NoninLayout
  private var state = State.begun(bytes: 0)
  private var bytes: [UInt8] = []
  private var head = 0
  /// How many bytes there were up to the end of the latest piece.
  private(set) var place = 0

  init(_ layout: NoninLayout) { self.layout = layout }

  /// Takes in more bytes.
  mutating func append(_ more: some Collection<UInt8>) {
    if head > 0 {
      bytes.removeFirst(head)
      head = 0
    }
    bytes.append(contentsOf: more)
  }

  /// The next piece; nil when more bytes must come first.
  mutating func next(_ counts: inout DecodingCounts) -> Piece? {
    while head < bytes.count {
      switch state {
      case .inStep:
        switch layout.judge(bytes, at: head) {
        case .good: return takeFrame(&counts)
        case .incomplete: return nil
        case .none: return takeOther(.none, &counts)
        case .wrongSum: return takeOther(.wrongSum, &counts)
        }
      case .begun(bytes: 0):
        switch answer(at: head) {
        case .whole(let answer, let length): return take(answer, length, &counts)
        case .incomplete: return nil
        case .none: break
        }
        guard seek(&counts) else { return nil }
      case .begun, .adrift, .lost:
        guard seek(&counts) else { return nil }
      }
    }
    return nil
  }

  /// The stream is over: what is held is skipped.
  mutating func finish(_ counts: inout DecodingCounts) {
    if case .inStep = state, head < bytes.count {
      switch layout.judge(bytes, at: head) {
      case .incomplete: counts.short += 1
      case .wrongSum: counts.badChecksum += 1
      case .none, .good: break
      }
    }
    counts.skipped += bytes.count - head
    place += bytes.count - head
    bytes.removeAll()
    head = 0
    state = .begun(bytes: 0)
  }

  // MARK: In step

  private mutating func takeFrame(_ counts: inout DecodingCounts) -> Piece {
    let frame = layout.frame(bytes, at: head)
    counts.good += 1
    advance(NoninLayout.length)
    return .frame(frame)
  }

  private mutating func take(_ answer: DeviceAnswer, _ length: Int, _ counts: inout DecodingCounts) -> Piece {
    counts.good += 1
    advance(length)
    return .answer(answer)
  }

  /// What is where a frame was due; nil when more bytes must come first.
  private mutating func takeOther(_ form: NoninForm, _ counts: inout DecodingCounts) -> Piece? {
    switch answer(at: head) {
    case .whole(let answer, let length): return take(answer, length, &counts)
    case .incomplete: return nil
    case .none: break
    }
    // A damaged frame is more likely than a lost byte, which its neighbours may feign.
    switch run(at: head + NoninLayout.length, length: runLength) {
    case .perhaps: return nil
    case .yes: return passOver(NoninLayout.length, form, &counts)
    case .no:
      state = .lost(bytes: 1)
      return passOver(1, form, &counts)
    }
  }

  private mutating func passOver(_ count: Int, _ form: NoninForm, _ counts: inout DecodingCounts) -> Piece {
    if case .wrongSum = form { counts.badChecksum += 1 }
    counts.skipped += count
    advance(count)
    return .breach
  }

  private mutating func advance(_ count: Int) {
    head += count
    place += count
  }

  // MARK: Out of step

  /// Goes to the next place where a run begins; false when more bytes must come first.
  private mutating func seek(_ counts: inout DecodingCounts) -> Bool {
    let form = layout.judge(bytes, at: head)
    switch form {
    case .incomplete: return false
    case .good:
      switch run(at: head, length: runLength) {
      case .perhaps: return false
      case .yes:
        state = .inStep
        return true
      case .no: break
      }
    case .wrongSum:
      // The frame after it tells whether it was one.
      switch layout.judge(bytes, at: head + NoninLayout.length) {
      case .incomplete: return false
      case .good: counts.badChecksum += 1
      case .none, .wrongSum: break
      }
    case .none: break
    }
    counts.skipped += 1
    advance(1)
    switch state {
    case .begun(let count) where count < Self.farAway: state = .begun(bytes: count + 1)
    case .lost(let count) where count < Self.farAway: state = .lost(bytes: count + 1)
    case .begun, .adrift, .lost, .inStep: state = .adrift
    }
    return true
  }

  /// How many frames in a row it takes.
  ///
  /// Three in a row come up by chance in 2^27 random bytes for nonin-df7, in 2^51 for nonin-df2; five of nonin-df7 in
  /// 2^45.
  private var runLength: Int {
    switch (state, layout) {
    case (.adrift, .df7): 5
    case (.begun, _), (.lost, _), (.inStep, _), (.adrift, .df2): 3
    }
  }

  /// Whether at least `length` frames follow on each other from `start`, and may be those of a packet.
  private func run(at start: Int, length: Int) -> Run {
    var firsts = 0
    var areAlike = true
    var count = 0
    while count < length || (areAlike && firsts == 0 && layout == .df7) {
      guard count < Self.packet else { return .no }
      let here = start + count * NoninLayout.length
      switch layout.judge(bytes, at: here) {
      case .none, .wrongSum: return .no
      case .incomplete: return .perhaps
      case .good: break
      }
      if layout.frame(bytes, at: here).status.contains(.sync) { firsts += 1 }
      // Only one frame in 25 is the first of a packet.
      guard firsts <= 1 else { return .no }
      areAlike = areAlike && (0..<NoninLayout.length).allSatisfy { bytes[start + $0] == bytes[here + $0] }
      count += 1
    }
    return .yes
  }

  /// The answer that begins at `start` and is followed by a run: 02, an operation from 80 on, the length of the payload,
  /// the payload and 03. Those of one byte, 06 and 15, are taken for answers before a stream only; inside of it a byte
  /// too many may be anything.
  private func answer(at start: Int) -> Block {
    let found: (answer: DeviceAnswer, length: Int)
    switch (bytes[start], state) {
    case (NoninCommand.acknowledgement, .begun): found = (.acknowledged(true), 1)
    case (NoninCommand.refusal, .begun): found = (.acknowledged(false), 1)
    case (NoninCommand.begin, _):
      guard bytes.count > start + 2 else { return .incomplete }
      let operation = bytes[start + 1]
      let length = Int(bytes[start + 2])
      guard operation >= 0x80, length <= NoninCommand.longestPayload else { return .none }
      let end = start + 3 + length
      guard bytes.count > end else { return .incomplete }
      guard bytes[end] == NoninCommand.end else { return .none }
      found = (.packet(type: operation, payload: Array(bytes[start + 3..<end])), length + 4)
    default: return .none
    }
    switch run(at: start + found.length, length: runLength) {
    case .no: return .none
    case .perhaps: return .incomplete
    case .yes: return .whole(found.answer, length: found.length)
    }
  }
}
