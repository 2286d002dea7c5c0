import PulseAnalysis
import ReadingSession
import VitalsModel

/// What happens to a session, in seconds; frames come 30 times a second while its camera is on.
struct ScriptedSession {
  enum Act {
    case call(Call)
    case view(View)
    case input(Input)
    /// The result is built now.
    case build
  }

  var seconds = 72.0
  var acts: [(Double, Act)]

  /// Plays it, giving each input with its time; an input comes before a deadline of the same moment.
  @MainActor
  func play(_ player: some SessionPlayer) async {
    var pending = acts
    var view = View.finger
    var frame = 0
    while true {
      let frameAt = moment(Double(frame) / 30)
      let act = pending.indices.min { pending[$0].0 < pending[$1].0 }
      let actAt = act.map { moment(pending[$0].0) }
      let now = [frameAt, actAt, player.deadline].compactMap(\.self).min() ?? frameAt
      guard now.seconds <= seconds else { return }
      await player.arrive(at: now)
      if let act, actAt == now {
        let what = pending.remove(at: act).1
        if case .view(let seen) = what { view = seen } else { player.act(what, at: now) }
      } else if frameAt == now {
        frame += 1
        if player.isCameraOn, let seen = view.frame(at: now) { player.act(.input(.frame(seen)), at: now) }
      } else {
        player.act(.input(.timer), at: now)
      }
    }
  }
}

/// A session that can be played: the bare core, or a shell around it.
@MainActor
protocol SessionPlayer {
  var deadline: Instant? { get }
  var isCameraOn: Bool { get }
  /// Time has come to a moment; whatever happened before it is over.
  func arrive(at now: Instant) async
  func act(_ act: ScriptedSession.Act, at now: Instant)
}

/// What a session did.
struct SessionLog: Equatable {
  var events: [Event] = []
  var commands: [String] = []
  var outcomes: [CallOutcome] = []
}

/// The bare core.
@MainActor
final class CorePlayer: SessionPlayer {
  private var engine: ReadingEngine
  private var record: (attempt: Int, PulseRecord)?
  private(set) var log = SessionLog()
  /// When each event came.
  private(set) var moments: [Instant] = []
  private(set) var isCameraOn = false
  private var calls = 0

  init(_ platform: Platform) {
    engine = ReadingEngine(platform: platform)
  }

  var deadline: Instant? { engine.deadline }

  func arrive(at now: Instant) {}

  func act(_ act: ScriptedSession.Act, at now: Instant) {
    switch act {
    case .view: break
    case .input(let input): feed(input, at: now)
    case .call(let call):
      calls += 1
      feed(.call(id: calls, call), at: now)
    case .build:
      if let (attempt, record) = record {
        feed(.resultBuilt(attempt: attempt, buildResult(record)), at: now)
      }
    }
  }

  private func feed(_ input: Input, at now: Instant) {
    for effect in engine.feed(input, at: now) {
      switch effect {
      case .reply(_, let outcome): log.outcomes.append(outcome)
      case .event(let event):
        log.events.append(event)
        moments.append(now)
      case .command(.camera(let isOn)):
        isCameraOn = isOn
        log.commands.append("camera \(isOn ? "on" : "off")")
      case .command(.torch(let isOn)): log.commands.append("torch \(isOn ? "on" : "off")")
      case .command(.adjustFrameRate): log.commands.append("adjust")
      case .command(.buildResult(let attempt, let frames)): record = (attempt, frames)
      }
    }
  }
}
