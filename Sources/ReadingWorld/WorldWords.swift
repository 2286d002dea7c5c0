import Scenarios

/// What may happen to the world of a vitals reading.
///
/// The first state of each is how a run begins.
public let readingWorld: [WorldWord] = fingerWords + cameraWords + phoneWords + appWords + oximeterWords

private let fingerWords = [
  WorldWord("contact", states: ["present", "lost"], about: "Whether the fingertip lies on the lens."),
  WorldWord("pulse", states: ["present", "absent"], about: "Whether the fingertip shows a pulse to the camera."),
  WorldWord(
    "motion", states: ["still", "fidgeting", "sliding"],
    about: "Whether the fingertip lies still on the lens, fidgets unfit to be measured, or slides to and fro over it."),
  WorldWord(
    "pressure", states: ["firm", "light", "hard"],
    about:
      "How the fingertip presses: too light shows little of the pulse and lets light in, too hard drives blood out."),
  WorldWord(
    "cover", states: ["full", "partial"],
    about: "Whether the fingertip covers the lens, or leaves about a third of it to the light of the room."),
  WorldWord(
    "temperature", states: ["warm", "cold"],
    about: "A finger that grows cold loses four fifths of its pulse within a minute, and its brightness drifts."),
  WorldWord(
    "rhythm", states: ["sinus", "ectopic", "bigeminy", "fibrillation", "paused", "missed"],
    about:
      "The heart's rhythm: ectopic makes the next beat premature and then about one in ten, bigeminy every second; "
      + "paused stops it, missed lets beats pass without a pulse."),
  WorldWord(
    "breathing", states: ["steady", "paced", "irregular", "apnoea"],
    about: "How the subject breathes: paced is exactly regular, apnoea holds the breath."),
]

private let cameraWords = [
  WorldWord(
    "camera", states: ["working", "stalled", "dead", "failed", "busy"],
    about: "How the camera is: stalled until it is opened anew, dead without a word, failed and saying so when it is "
      + "opened, or busy because somebody else has it, which is known at once."),
  WorldWord(
    "torch", states: ["working", "dimmed", "lost"],
    about: "Whether the torch can be lit: dimmed it gives two fifths of its light; the system may put it out, and it "
      + "stays out until it is asked for anew."),
  WorldWord("frames", states: ["regular", "dropped"], about: "Whether two of five frames are lost."),
  WorldWord(
    "room", states: ["lit", "dim"],
    about: "The light of the room; in a dim one the camera halves its rate while nothing lit by the torch lies on it."),
]

private let phoneWords = [
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
]

private let appWords = [
  WorldWord("activation", states: ["done", "missing"], about: "Whether the licence key was checked before the run."),
  WorldWord(
    "licence", states: ["valid", "malformed", "expired", "otherApp"], about: "What is wrong with the licence key."),
  WorldWord(
    "permission", states: ["granted", "declined", "blockedByPolicy"], about: "Whether the app may use the camera."),
  WorldWord(
    "device", states: ["supported", "noRearCamera", "noFrameRate"], about: "Whether the device has a fit camera."),
]

private let oximeterWords = [
  WorldWord(
    "oximeter", states: ["working", "unplugged", "silent", "garbled", "frozen"],
    about: "How the oximeter is that is the source: unplugged, silent, garbled when it sends any bytes but the right "
      + "ones, or frozen when it says the same for ever.")
]
