import Dispatch
import ReadingSession
import Testing
import VitalsModel

@testable import SessionShells

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct ThreadTests {
  // MARK: V20: isAutoStartEnabled

  @Test(arguments: Platform.allCases)
  func autoStartHoldsFromBeforeTheStartAndBelongsToOneSession(_ platform: Platform) async throws {
    let setup = try Setup()
    let (held, free) = (try Shell(platform, setup.sdk), try Shell(platform, setup.sdk))
    let (heldEvents, freeEvents) = (held.collect(), free.collect())
    #expect(held.isAutoStartEnabled && free.isAutoStartEnabled)
    held.isAutoStartEnabled = false
    #expect(!held.isAutoStartEnabled && free.isAutoStartEnabled)
    try held.start()
    try free.start()
    setup.run(to: 10)
    repeat {} while await freeEvents.next() != .started
    for _ in 0..<10 {
      guard case .guidance? = await heldEvents.next() else {
        Issue.record("a held session positions")
        return
      }
    }
    held.isAutoStartEnabled = true
    #expect(await heldEvents.next() == .started)
    #expect(await heldEvents.next() == .preview(.empty))
  }

  @Test func autoStartIsSetFromManyThreadsAtAnyTime() throws {
    let setup = try Setup()
    let ios = try VitalsSession(setup.sdk)
    let android = try AndroidVitalsSession(setup.sdk)
    let setters: [@Sendable (Bool) -> Bool] = [
      {
        ios.isAutoStartEnabled = $0
        return ios.isAutoStartEnabled
      },
      {
        android.isAutoStartEnabled = $0
        return android.isAutoStartEnabled
      },
    ]
    let set: @Sendable () -> Void = {
      DispatchQueue.concurrentPerform(iterations: 200) { number in
        for set in setters { _ = set(number.isMultiple(of: 2)) }
      }
      for value in [true, false] {
        for set in setters { #expect(set(value) == value) }
      }
    }
    set()
    try ios.start()
    try android.start()
    for second in 0..<8 {
      setup.run(from: Double(second), to: Double(second + 1))
      set()
    }
    ios.stop()
    android.stop()
    set()
  }

  // MARK: V42: the SDK

  @Test func anSDKIsActivatedAgainWhileSessionsAreCreated() throws {
    let setup = try Setup()
    let sdk = setup.sdk
    DispatchQueue.concurrentPerform(iterations: 200) { number in
      let error = ReadingError.thrown { () throws(ReadingError) in
        if number.isMultiple(of: 2) { try sdk.activate(key: "key") } else { _ = try AndroidVitalsSession(sdk) }
      }
      #expect(error == nil)
    }
  }

  // MARK: Everything at once

  @Test func callsFromManyThreadsKeepASessionWhole() async throws {
    for platform in Platform.allCases {
      for stops in [false, true, false, true] {
        check(try await storm(platform, stops: stops), stops: stops)
      }
    }
  }

  /// What a session did of which hundreds of tasks want something, while its frames come from another.
  private func storm(_ platform: Platform, stops: Bool) async throws -> (
    events: [Event], starts: Int, commands: [String]
  ) {
    let setup = try Setup()
    let ios = platform == .ios ? try VitalsSession(setup.sdk) : nil
    let android = platform == .android ? try AndroidVitalsSession(setup.sdk) { true } : nil
    let events = ios.map { EventTap.stream($0.events.makeAsyncIterator()) }
    let flow = android.map { EventTap.flow($0.events.makeAsyncIterator()) }
    let collecting = Task {
      var seen: [Event] = []
      while let event = await (events ?? flow)?.next() { seen.append(event) }
      return seen
    }
    let starts = await withTaskGroup(of: Int.self) { group in
      group.addTask {
        for second in 0..<25 {
          setup.run(from: Double(second), to: Double(second + 1))
          await Task.yield()
        }
        return 0
      }
      for number in 0..<300 {
        group.addTask {
          for _ in 0..<(number / 3) { await Task.yield() }
          switch number % 4 {
          case 0:
            if let ios { return await ios.starts() ? 1 : 0 }
            return ReadingError.thrown { () throws(ReadingError) in try android?.start() } == nil ? 1 : 0
          case 1:
            android?.cancelReading()
            await ios?.cancelReading()
          case 2:
            android?.isAutoStartEnabled = number.isMultiple(of: 8)
            ios?.isAutoStartEnabled = number.isMultiple(of: 8)
          default:
            guard stops, number > 200 else { return 0 }
            android?.stop()
            await ios?.stop()
          }
          return 0
        }
      }
      var starts = 0
      for await count in group { starts += count }
      return starts
    }
    ios?.stop()
    android?.stop()
    // A flow does not end by itself.
    if platform == .android { collecting.cancel() }
    return (await collecting.value, starts, setup.host.commands)
  }

  private func check(_ done: (events: [Event], starts: Int, commands: [String]), stops: Bool) {
    // A stop may have come before every start.
    #expect(done.starts == 1 || stops && done.starts == 0)
    #expect(done.commands == (done.starts == 0 ? [] : ["camera on", "torch on", "torch off", "camera off"]))
    var isMeasuring = false
    for event in done.events {
      switch event {
      case .started:
        #expect(!isMeasuring)
        isMeasuring = true
      case .cancelled:
        #expect(isMeasuring)
        isMeasuring = false
      case .preview, .heartbeat: #expect(isMeasuring)
      case .guidance: #expect(!isMeasuring)
      case .measurementComplete, .completed, .failed: Issue.record("a reading of 25 s cannot end: \(event)")
      }
    }
  }
}

extension VitalsSession {
  /// Whether a start of it succeeds.
  fileprivate func starts() -> Bool { ReadingError.thrown { () throws(ReadingError) in try start() } == nil }
}
