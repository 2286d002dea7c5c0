import Scenarios

/// The words of the vitals reading.
let readingVocabulary = Vocabulary(
  platforms: ["ios", "android"],
  rules: readingRules.map(\.number),
  calls: [
    CallWord("start", about: "Begins positioning: camera and torch on."),
    CallWord("stop", about: "Ends the session; a reading that is already measured is still delivered."),
    CallWord("cancelReading", about: "Abandons the attempt that is being measured."),
    CallWord(
      "setAutoStart", arguments: ["true", "false"], about: "Lets readings start by themselves (true) or holds them."),
  ],
  events: [
    EventWord(
      "guidance", isLifecycle: false, argumentKey: "guidance",
      arguments: ["noContact", "frameDrop", "weakSignal", "lowQuality", "compliant"],
      about: "How the fingertip lies, about once a second while positioning."),
    EventWord("started", about: "An attempt began."),
    EventWord("preview", isLifecycle: false, about: "The reading so far, about once a second while measuring."),
    EventWord("heartbeat", isLifecycle: false, about: "A beat was detected while measuring."),
    EventWord(
      "cancelled", argumentKey: "reason", arguments: ["contactLost", "poorSignal", "interrupted", "cancelledByApp"],
      about: "The attempt was abandoned; the session goes back to positioning."),
    EventWord("measurementComplete", about: "The full 60 s were captured."),
    EventWord("completed", isTerminal: true, about: "The result; the session has ended."),
    EventWord(
      "failed", isTerminal: true, argumentKey: "error",
      arguments: ["cameraUnavailable", "noHeartRate", "internalError"],
      about: "The session ended without a result."),
  ],
  world: [
    WorldWord("contact", states: ["present", "lost"], about: "Whether the fingertip lies on the lens."),
    WorldWord("pulse", states: ["present", "absent"], about: "Whether the fingertip shows a pulse to the camera."),
    WorldWord("motion", states: ["still", "fidgeting"], about: "Whether the fingertip lies still on the lens."),
    WorldWord("camera", states: ["working", "failed"], about: "Whether the camera works; a failed one says so once."),
  ],
  sections: [
    SectionWord(
      "subject", about: "The person under the fingertip.",
      fields: [
        FieldWord(
          "heartRate", .heartRate, in: 30...220, standard: 66, about: "Mean heart rate."),
        FieldWord(
          "rmssd", .milliseconds, in: 0...200, standard: 40,
          about: "Root mean square of successive differences between beats."),
        FieldWord("breathingRate", .perMinute, in: 4...60, standard: 14, about: "Breaths per minute."),
        FieldWord(
          "perfusionIndex", .percent, in: 0...20, standard: 2, about: "AC/DC of the pulse in green light."),
      ]),
    SectionWord(
      "camera", about: "The phone's camera.",
      fields: [
        FieldWord("frameRate", .frameRate, in: 15...60, standard: 30, about: "Frames per second."),
        FieldWord(
          "jitter", .milliseconds, in: 0...20, standard: 2,
          about: "Standard deviation of a frame's capture time about its regular moment."),
        FieldWord(
          "latency", .milliseconds, in: 0...500, standard: 12, about: "From a frame's capture to its delivery."),
        FieldWord("openDelay", .time, in: 0...60, standard: 0.3, about: "From the command to the first frame."),
      ]),
    SectionWord(
      "host", about: "The phone around the session.",
      fields: [
        FieldWord("resultDelay", .time, in: 0...60, standard: 1.5, about: "How long building the result takes.")
      ]),
  ],
  result: ResultWord(
    event: "completed", opens: "started", closes: "measurementComplete",
    measures: [
      MeasureWord("heartRate", field: "heartRateBpm", .heartRate, places: 2, about: "Heart rate over the minute."),
      MeasureWord("rmssd", field: "rmssdMs", .milliseconds, places: 2, about: "RMSSD over the minute."),
      MeasureWord(
        "breathingRate", field: "breathingRatePerMin", .perMinute, places: 2, about: "Breathing rate over the minute."),
    ])
)
