import Scenarios

/// The words of a vitals reading, as the tests of this room need them.
let fixture = Vocabulary(
  platforms: ["ios", "android"],
  rules: (1...50).map { $0 < 10 ? "V0\($0)" : "V\($0)" },
  calls: [
    CallWord(
      "start", arguments: ["offMainThread"], needsArgument: false, errors: ["notActivated", "cameraPermissionDenied"],
      about: "Begin positioning."),
    CallWord("stop", about: "End the session."),
    CallWord("cancelReading", about: "Give up the attempt."),
    CallWord("setAutoStart", arguments: ["true", "false"], about: "Hold or release the start."),
  ],
  events: [
    EventWord(
      "guidance", isLifecycle: false, argumentKey: "guidance",
      arguments: ["noContact", "frameDrop", "weakSignal", "lowQuality", "compliant"], about: "How the finger lies."),
    EventWord("started", about: "An attempt has begun."),
    EventWord("preview", isLifecycle: false, about: "What is measured so far."),
    EventWord("heartbeat", isLifecycle: false, about: "A beat was seen."),
    EventWord(
      "cancelled", argumentKey: "reason", arguments: ["contactLost", "poorSignal", "interrupted", "cancelledByApp"],
      about: "The attempt was given up."),
    EventWord("measurementComplete", about: "The minute is full."),
    EventWord("completed", isTerminal: true, about: "The result."),
    EventWord(
      "failed", isTerminal: true, argumentKey: "error",
      arguments: ["cameraUnavailable", "noHeartRate", "internalError"], about: "There will be no result."),
  ],
  commands: [
    CommandWord("camera", argumentKey: "on", arguments: ["on", "off"], about: "The camera."),
    CommandWord("torch", argumentKey: "on", arguments: ["on", "off"], about: "The light."),
    CommandWord("adjustFrameRate", about: "A steady frame rate."),
  ],
  world: [
    WorldWord("contact", states: ["present", "lost"], about: "The fingertip on the lens."),
    WorldWord("pulse", states: ["present", "absent"], about: "The pulse in the fingertip."),
    WorldWord("motion", states: ["still", "fidgeting"], about: "The hand."),
    WorldWord("permission", states: ["granted", "declined", "blockedByPolicy"], about: "Access to the camera."),
  ],
  sources: [
    SourceWord("finger", about: "A fingertip."), SourceWord("nothing/table", about: "A table."),
    SourceWord("nothing/flicker", about: "A lamp."),
  ],
  sections: [
    SectionWord(
      "subject", about: "The person.",
      fields: [
        FieldWord("heartRate", .heartRate, in: 30...220, standard: 66, isChangeable: true, about: "Mean heart rate."),
        FieldWord("rmssd", .milliseconds, in: 0...200, standard: 40, about: "Beat-to-beat variability."),
        FieldWord("breathingRate", .perMinute, in: 4...60, standard: 14, about: "Breaths."),
        FieldWord("perfusionIndex", .percent, in: 0.02...20, standard: 2, isChangeable: true, about: "AC over DC."),
        FieldWord("tremor", .frequency, in: 4...12, standard: nil, about: "Trembling."),
      ], choices: [ChoiceWord("skin", ["I", "II", "III", "IV", "V", "VI"], standard: "II", about: "Fitzpatrick.")]),
    SectionWord(
      "camera", about: "The phone's camera.",
      fields: [
        FieldWord("frameRate", .frameRate, in: 15...60, standard: 30, about: "Frames."),
        FieldWord("jitter", .milliseconds, in: 0...20, standard: 2, about: "Spread of the frame times."),
        FieldWord("latency", .milliseconds, in: 0...500, standard: 12, about: "From capture to delivery."),
        FieldWord("openDelay", .time, in: 0...60, standard: 0.3, about: "From command to first frame."),
        FieldWord("clockDrift", .partsPerMillion, in: -200...200, standard: 0, about: "The camera's clock."),
        FieldWord("exposure", .stops, in: -2...2, standard: 0, isChangeable: true, about: "The light it lets in."),
      ]),
    SectionWord(
      "host", about: "The app around the session.",
      fields: [
        FieldWord("resultDelay", .time, in: 0...60, standard: 1.5, about: "Time to build the result.")
      ], states: ["permission"]),
  ],
  result: ResultWord(
    event: "completed", opens: "started", closes: "measurementComplete",
    measures: [
      MeasureWord("heartRate", field: "heartRateBpm", .heartRate, places: 1, about: "Heart rate."),
      MeasureWord("rmssd", field: "rmssdMs", .milliseconds, places: 1, about: "RMSSD."),
      MeasureWord("breathingRate", field: "breathingRatePerMin", .perMinute, places: 1, about: "Breathing rate."),
    ]),
  truths: [
    MeasureWord("heartRate", field: "heartRateBpm", .heartRate, places: 2, about: "The heart's rate."),
    MeasureWord("rmssd", field: "rmssdMs", .milliseconds, places: 1, about: "Its variability."),
    MeasureWord("beats", field: "beats", .number, places: 0, about: "Beats that were there."),
  ],
  contradictions: { settings in
    guard let bpm = settings["subject", "heartRate"], let rmssd = settings["subject", "rmssd"],
      let fps = settings["camera", "frameRate"]
    else { return [] }
    var found: [Contradiction] = []
    let most = 60_000 / bpm / 4
    if rmssd > most {
      found.append(
        Contradiction(
          [SettingName("subject", "rmssd"), SettingName("subject", "heartRate")],
          "an rmssd of \(Quantity.milliseconds.text(rmssd)) is too much at \(Quantity.heartRate.text(bpm))",
          advice: "at most \(Quantity.milliseconds.text(most.rounded(.down)))"))
    }
    if let tremor = settings["subject", "tremor"], tremor > fps / 2 {
      found.append(
        Contradiction(
          [SettingName("subject", "tremor"), SettingName("camera", "frameRate")],
          "a tremor of \(Quantity.frequency.text(tremor)) is above half the frame rate",
          advice: "at most \(Quantity.frequency.text(fps / 2))"))
    }
    return found
  })

/// A whole scenario with every form of the language.
let contactLost = """
  name: contact-lost
  about: The fingertip leaves the lens in mid-reading, and the second attempt completes.
  rules: [V06, V23, V24, V25]
  platforms: [ios, android]
  tags: [smoke, contact]
  seed: 1

  subject:
    heartRate: 66 bpm
    rmssd: 40 ms
    breathingRate: 14 /min
    perfusionIndex: 2 %
  camera:
    frameRate: 30 fps

  timeline:
    - at: 0 s
      call: start
    - after: started
      delay: 20 s
      contact: lost
      for: 6 s

  expect:
    - sequence: [started, cancelled(contactLost), started, measurementComplete, completed]
    - see: cancelled(contactLost)
      after: contact lost
      within: [2 s, 5 s]
    - never: failed
    - count: { cancelled: 1 }
    - result:
        heartRate: ± 2 bpm
        rmssd: ± 10 ms
        breathingRate: ± 2 /min

  """

/// The smallest scenario, with `lines` put between its name and its timeline.
func scenario(
  _ lines: String = "", timeline: String = "  - { at: 0 s, call: start }", expect: String = "  - never: failed"
)
  -> String
{
  "name: x\nabout: y\n\(lines)\(lines.isEmpty ? "" : "\n")timeline:\n\(timeline)\nexpect:\n\(expect)\n"
}

/// What the parser says of a text: its mistakes as `line:column message | advice`, or nothing.
func mistakes(_ text: String) -> [String] {
  mistakes(Array(text.utf8))
}

/// What the parser says of a file.
func mistakes(_ bytes: [UInt8]) -> [String] {
  do throws(ScenarioRefusal) {
    _ = try parseScenario(bytes, vocabulary: fixture)
    return []
  } catch {
    return error.diagnostics.map {
      "\($0.mark.line):\($0.mark.column) \($0.message)" + ($0.advice.map { " | \($0)" } ?? "")
    }
  }
}
