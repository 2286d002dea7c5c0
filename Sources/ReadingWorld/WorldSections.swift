import CameraSynthesis
import PulseSynthesis
import Scenarios

/// The settings of the world of a vitals reading, in their sections.
public let readingSections: [SectionWord] = [subjectSection, disturbanceSection, cameraSection, hostSection]

private let subjectSection = SectionWord(
  "subject", about: "The person under the fingertip.",
  fields: [
    FieldWord("heartRate", .heartRate, in: 30...220, standard: 66, isChangeable: true, about: "Mean heart rate."),
    FieldWord(
      "rmssd", .milliseconds, in: 0...200, standard: 40, isChangeable: true, isRamped: false,
      about: "Root mean square of successive differences between beats, at most 0.22 of the mean interval."),
    FieldWord(
      "sdnn", .milliseconds, in: 0...1_000, standard: nil,
      about: "Standard deviation of the intervals over a minute; without it what follows from the rest."),
    FieldWord(
      "respiratoryShare", .percent, in: 0...90, standard: nil,
      about:
        "Share of squared RMSSD that comes with breathing (respiratory sinus arrhythmia); if it is not said 45 %, or what the rates leave room for."
    ),
    FieldWord(
      "lowFrequencyShare", .percent, in: 0...90, standard: nil,
      about:
        "Share of squared RMSSD that comes from waves near 0.1 Hz; if it is not said 10 %, or what the rate leaves room for."
    ),
    FieldWord(
      "breathingRate", .perMinute, in: 4...60, standard: 14, isChangeable: true, about: "Mean breathing rate."),
    FieldWord(
      "amplitudeModulation", .percent, in: 0...50, standard: 12,
      about: "How much a full breath raises the height of the pulse, as a share of it."),
    FieldWord(
      "baselineModulation", .percent, in: 0...100, standard: 15,
      about: "How much breathing moves the brightness to either side, as a share of the height of the pulse."),
    FieldWord(
      "perfusionIndex", .percent, in: 0.02...20, standard: 2, isChangeable: true,
      about: "AC/DC of the pulse in green light."),
  ],
  choices: [
    ChoiceWord(
      "vessels", Vessels.allCases.map(\.rawValue), standard: Vessels.adult.rawValue,
      about: "The age of the vessels, which shapes the pulse wave: a clear dicrotic notch while young, none when stiff."
    ),
    ChoiceWord(
      "skin", SkinTone.allCases.map(\.rawValue), standard: SkinTone.II.rawValue,
      about: "The skin's tone on the Fitzpatrick scale."),
    ChoiceWord(
      "polarity", Polarity.allCases.map(\.rawValue), standard: Polarity.normal.rawValue,
      about: "Whether brightness falls in systole, or rises (inverted)."),
  ],
  states: ["rhythm", "breathing", "contact", "pulse", "motion", "pressure", "cover", "temperature"])

private let disturbanceSection = SectionWord(
  "disturbance", about: "What disturbs the fingertip and its light; strengths are shares of the brightness in green.",
  fields: [
    FieldWord(
      "tremor", .percent, in: 0...20, standard: 0, isChangeable: true, about: "Tremor, root mean square."),
    FieldWord("tremorRate", .frequency, in: 4...12, standard: 8, about: "Frequency of the tremor."),
    FieldWord(
      "jerks", .perMinute, in: 0...120, standard: 0, isChangeable: true, about: "How often the finger twitches."),
    FieldWord("sway", .percent, in: 0...20, standard: 0, isChangeable: true, about: "Rhythmic motion, peak."),
    FieldWord("swayRate", .perMinute, in: 20...240, standard: 75, about: "Rate of the rhythmic motion."),
    FieldWord(
      "wander", .percent, in: 0...30, standard: 0, isChangeable: true,
      about: "Baseline wander below 0.15 Hz, root mean square."),
    FieldWord(
      "flicker", .percent, in: 0...50, standard: 0, isChangeable: true,
      about: "Flicker of a lamp on the mains, peak; frames show its alias."),
    FieldWord(
      "mains", .frequency, in: 45...65, standard: 50, about: "Frequency of the mains; a lamp flickers twice as fast."),
    FieldWord("speech", .percent, in: 0...20, standard: 0, isChangeable: true, about: "Speech, root mean square."),
    FieldWord(
      "swallowing", .perMinute, in: 0...30, standard: 0, isChangeable: true, about: "How often the subject swallows."),
  ])

private let cameraSection = SectionWord(
  "camera", about: "The phone's camera and torch.",
  fields: clockFields + faultFields + pixelFields + torchFields,
  choices: [
    ChoiceWord(
      "stamping", TimeStamping.allCases.map(\.rawValue), standard: TimeStamping.capture.rawValue,
      about: "Which moment a frame's time stamp names: its capture, or its delivery less the usual latency."),
    ChoiceWord(
      "depth", PixelDepth.allCases.map(\.rawValue), standard: PixelDepth.eightBit.rawValue,
      about: "How finely a pixel counts."),
    ChoiceWord(
      "exposure", ExposureMode.allCases.map(\.rawValue), standard: ExposureMode.locked.rawValue,
      about: "What the automatic exposure does: nothing, follow the brightness, or hunt for it at about 1 Hz."),
    ChoiceWord(
      "whiteBalance", WhiteBalanceMode.allCases.map(\.rawValue), standard: WhiteBalanceMode.locked.rawValue,
      about: "What the automatic white balance does: nothing, or drift red against blue."),
  ])

private let clockFields = [
  FieldWord(
    "frameRate", .frameRate, in: 15...60, standard: 30,
    about: "Frames per second; 23.976 and 29.97 are exactly those of video."),
  FieldWord(
    "declaredRate", .frameRate, in: 1...240, standard: nil,
    about: "What the phone says of its rate; normally the truth."),
  FieldWord(
    "clockDrift", .partsPerMillion, in: -1_000...1_000, standard: 0, about: "How much the phone's clock runs fast."),
  FieldWord(
    "clockOffset", .time, in: 0...60, standard: 0, about: "What the phone's clock shows when the run begins."),
  FieldWord(
    "jitter", .milliseconds, in: 0...20, standard: 2,
    about: "Standard deviation of a frame's capture time about its regular moment."),
  FieldWord(
    "exposureTime", .milliseconds, in: 0...50, standard: 0,
    about: "How long a frame gathers light, at most 0.8 of its period; 10 ms on mains of 50 Hz hide a lamp's flicker."),
  FieldWord("latency", .milliseconds, in: 0...500, standard: 12, about: "From a frame's capture to its delivery."),
  FieldWord("openDelay", .time, in: 0...60, standard: 0.3, about: "From the command to the first frame."),
]

private let faultFields = [
  FieldWord(
    "droppedFrames", .percent, in: 0...90, standard: 0, isChangeable: true, isRamped: false,
    about: "Share of frames that are lost."),
  FieldWord(
    "duplicatedFrames", .percent, in: 0...90, standard: 0, isChangeable: true, isRamped: false,
    about: "Share of frames that are delivered twice."),
  FieldWord(
    "reorderedFrames", .percent, in: 0...90, standard: 0, isChangeable: true, isRamped: false,
    about: "Share of frames that are delivered after their successor."),
  FieldWord(
    "lateFrames", .percent, in: 0...90, standard: 0, isChangeable: true, isRamped: false,
    about: "Share of frames that are delivered late; what follows waits behind them."),
  FieldWord("lateBy", .time, in: 0.001...2, standard: 0.12, about: "How late those are."),
  FieldWord(
    "stalls", .perMinute, in: 0...60, standard: 0, isChangeable: true, isRamped: false,
    about: "How often no frame comes for a while, at random moments."),
  FieldWord("stallLength", .time, in: 0.1...10, standard: 0.5, about: "How long such a stall takes."),
]

private let pixelFields = [
  FieldWord(
    "readNoise", .number, in: 0.5...20, standard: 1, about: "Standard deviation of a dark pixel, in counts of 255."),
  FieldWord(
    "shotNoise", .number, in: 0...1, standard: 0.05,
    about: "Variance that light adds, in squared counts for each count of light."),
  FieldWord(
    "pixels", .number, in: 100...10_000_000, standard: 4_000, about: "Pixels that a frame's mean is taken over."),
  FieldWord("gain", .number, in: 0.25...8, standard: 1, about: "Amplification of light and noise."),
  FieldWord("exposureBias", .stops, in: -4...4, standard: 0, about: "Stops of light more or less than is right."),
  FieldWord("gamma", .number, in: 0.3...1, standard: 1, about: "Exponent of the tone curve; 1 is linear."),
]

private let torchFields = [
  FieldWord("torchWarmUp", .time, in: 0...5, standard: 0.03, about: "How long the torch takes to its full light."),
  FieldWord(
    "torchDroop", .percent, in: 0...30, standard: 1, about: "What the torch loses within half a minute as it heats."),
]

private let hostSection = SectionWord(
  "host", about: "The phone around the session, and how its world is when the run begins.",
  fields: [
    FieldWord("resultDelay", .time, in: 0...60, standard: 1.5, about: "How long building the result takes.")
  ],
  states: [
    "activation", "licence", "permission", "device", "camera", "torch", "frames", "room", "power", "thermal", "app",
    "phoneCall", "splitView", "otherApp", "systemPressure", "oximeter",
  ])
