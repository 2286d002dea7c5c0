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
  world: [
    WorldWord("contact", states: ["present", "lost"], about: "Whether the fingertip lies on the lens."),
    WorldWord("pulse", states: ["present", "absent"], about: "Whether the fingertip shows a pulse to the camera."),
    WorldWord("motion", states: ["still", "fidgeting"], about: "Whether the fingertip lies still on the lens."),
    WorldWord(
      "camera", states: ["working", "stalled", "dead", "failed", "busy"],
      about: "How the camera is: stalled until it is opened anew, dead without a word, failed and saying so when it is "
        + "opened, or busy because somebody else has it, which is known at once."),
    WorldWord(
      "torch", states: ["working", "lost"],
      about: "Whether the torch can be lit; the system may put it out, and it stays out until it is asked for anew."),
    WorldWord("frames", states: ["regular", "dropped"], about: "Whether two of five frames are lost."),
    WorldWord("power", states: ["normal", "low"], about: "Saving power halves the camera's rate."),
    WorldWord("thermal", states: ["cool", "throttled"], about: "A hot phone halves the camera's rate."),
    WorldWord(
      "app", states: ["foreground", "background"],
      about: "Where the app is; on Android background is the lifecycle owner's ON_STOP."),
    WorldWord("phoneCall", states: ["none", "ongoing"], about: "A phone call: an interruption on iOS."),
    WorldWord("splitView", states: ["none", "shown"], about: "Another app beside this one: an interruption on iOS."),
    WorldWord(
      "otherApp", states: ["away", "usingCamera"], about: "Another app that takes the camera, on both platforms."),
    WorldWord(
      "systemPressure", states: ["normal", "critical"],
      about: "Too much for the system: on iOS the camera breaks, and 5 ms later the interruption is told."),
    WorldWord(
      "mediaServices", states: ["running", "reset"],
      about: "The system's media services start anew: on iOS an interruption of 0.4 s."),
    WorldWord(
      "orientation", states: ["kept", "turned"],
      about: "A turn of the screen: an interruption of 0.4 s on iOS, the end of the lifecycle owner on Android."),
    WorldWord("owner", states: ["alive", "destroyed"], about: "Android: the owner of the session's lifecycle."),
    WorldWord("activation", states: ["done", "missing"], about: "Whether the licence key was checked before the run."),
    WorldWord(
      "licence", states: ["valid", "malformed", "expired", "otherApp"], about: "What is wrong with the licence key."),
    WorldWord(
      "permission", states: ["granted", "declined", "blockedByPolicy"], about: "Whether the app may use the camera."),
    WorldWord(
      "device", states: ["supported", "noRearCamera", "noFrameRate"], about: "Whether the device has a fit camera."),
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
      "host", about: "The phone around the session, and how its world is when the run begins.",
      fields: [
        FieldWord("resultDelay", .time, in: 0...60, standard: 1.5, about: "How long building the result takes.")
      ],
      states: [
        "activation", "licence", "permission", "device", "camera", "torch", "frames", "power", "thermal", "app",
        "phoneCall", "splitView", "otherApp", "systemPressure", "contact", "pulse", "motion",
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
