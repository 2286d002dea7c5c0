import ReadingWorld
import Scenarios

/// The words of the vitals reading.
let readingVocabulary = Vocabulary(
  platforms: ["ios", "android"],
  rules: readingRules.map(\.number),
  calls: [
    CallWord("activate", errors: ["licenseInvalid"], about: "Checks the licence key."),
    CallWord(
      "start", arguments: ["offMainThread"], needsArgument: false,
      errors: [
        "notActivated", "cameraPermissionDenied", "cameraUnavailable", "unsupportedDevice", "internalError",
      ],
      about: "Begins positioning: camera and torch on. With offMainThread it comes from another thread."),
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
  commands: [
    CommandWord("camera", argumentKey: "on", arguments: ["on", "off"], about: "Opens the camera, or closes it."),
    CommandWord("torch", argumentKey: "on", arguments: ["on", "off"], about: "Lights the torch, or puts it out."),
    CommandWord("adjustFrameRate", about: "Makes the open camera slower, to a rate that it can keep."),
    CommandWord("buildResult", about: "Computes the result of the minute that was captured."),
  ],
  world: readingWorld,
  sources: readingSources,
  sections: readingSections,
  result: ResultWord(
    event: "completed", opens: "started", closes: "measurementComplete",
    measures: [
      MeasureWord("heartRate", field: "heartRateBpm", .heartRate, places: 2, about: "Heart rate over the minute."),
      MeasureWord("rmssd", field: "rmssdMs", .milliseconds, places: 2, about: "RMSSD over the minute."),
      MeasureWord(
        "breathingRate", field: "breathingRatePerMin", .perMinute, places: 2, about: "Breathing rate over the minute."),
    ]),
  truths: [
    MeasureWord("heartRate", field: "heartRateBpm", .heartRate, places: 2, about: "Heart rate over the minute."),
    MeasureWord("rmssd", field: "rmssdMs", .milliseconds, places: 2, about: "RMSSD of the NN intervals."),
    MeasureWord("sdnn", field: "sdnnMs", .milliseconds, places: 2, about: "SDNN of the NN intervals."),
    MeasureWord(
      "breathingRate", field: "breathingRatePerMin", .perMinute, places: 2, about: "Breathing rate over the minute."),
    MeasureWord("beats", field: "beats", .number, places: 0, about: "Pulses at the fingertip."),
    MeasureWord("ectopicBeats", field: "ectopicBeats", .number, places: 0, about: "Premature beats among them."),
  ],
  contradictions: readingContradictions
)
