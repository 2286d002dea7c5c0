import Checks

/// The rules of the vitals reading. A window is what a monitor accepts, not what the built-in engine aims at.
let readingRules: [Rule] = [
  Rule(
    "V01",
    "A session runs at most one completed reading: positioning, measuring, finalizing, then completed or failed. "
      + "A cancel goes back to positioning."),
  Rule(
    "V02",
    "There are exactly eight events: guidance, started, preview, heartbeat, cancelled, measurementComplete, "
      + "completed, failed."),
  Rule(
    "V03",
    "start() returning begins positioning, with camera and torch commanded on; guidance begins soon after the first "
      + "frame, and a camera that shows no first frame has failed.",
    window: "guidance at most 1.5 s after the first frame; failed 9 to 12 s after start() without one; from an "
      + "interruption on as V33 and V35"),
  Rule(
    "V04", "While positioning guidance comes about once a second, each with a value and a startProgress in 0...1.",
    window: "0.7 to 1.5 s apart"),
  Rule(
    "V05",
    "startProgress fills over a few seconds while the fingertip is steady, never shrinks within one steady stretch, "
      + "and started follows the guidance that shows 1; a guidance shows a lift since the one before it.",
    window: "2 to 6 s to fill; a lift of 0.5 s as noContact, by the first guidance after it or 1 s after it began"),
  Rule("V06", "When startProgress is full the reading starts by itself.", window: "before the next guidance"),
  Rule(
    "V07", "Every started is followed at once by a preview with progress 0 and no values.",
    window: "the next event, within 0.1 s"),
  Rule(
    "V08",
    "While measuring, preview comes about once a second; progress is the elapsed share of 60 s, never falls, and "
      + "shows 1 before measurementComplete.", window: "0.7 to 1.5 s apart; progress within 0.15 s of the elapsed time"),
  Rule(
    "V09",
    "heartbeat comes once per detected beat; ibiMs is the interval since the attempt's previous beat, and absent on "
      + "the first.", window: "intervals add up to the time passed within 1 s, from 8 s of the attempt on"),
  Rule(
    "V10", "The full 60 s captured gives measurementComplete, exactly once in a session.",
    window: "60 s ± 1.2 frames after started, with no more frames than a minute has; up to 5 s later within 1 s of "
      + "slow or missing frames"),
  Rule(
    "V11",
    "Finalizing computes the result with the torch on, unless stop() takes it first; then torch off, camera off, and "
      + "only then the end; what the camera does meanwhile is ignored.",
    window: "at most 10 s, and 1.5 s once it is built; torch off not before that, and at most 0.5 s before the end"),
  Rule(
    "V12",
    "A reading without a recoverable heart rate ends with failed(noHeartRate) and never with a result; a result has "
      + "a heart rate.", window: "no result after 55 s without a pulse"),
  Rule("V13", "After completed or failed there is no further event, and camera and torch are off by then."),
  Rule(
    "V14",
    "guidance comes only while positioning; preview and heartbeat only while measuring; none of them while "
      + "finalizing."),
  Rule(
    "V15",
    "Guidance is noContact without a fingertip, frameDrop while frames are slow, compliant on a good signal, and not "
      + "compliant while fidgeting or without a pulse; each only as long as it is so.",
    window: "contact settled for 2.5 s, slow frames for 3.5 s, no pulse for 6 s; compliant after 8 s of a good signal, "
      + "25 s where it was disturbed; at most 4 of 7 compliant while fidgeting"),
  Rule(
    "V16", "weakSignal is reported on iOS only, where a faint pulse is called so; Android says lowQuality there.",
    window: "at least once within 5 s of guidance on a still fingertip without a pulse"),
  Rule(
    "V17", "While frameDrop shows, or frames are slow, the reading does not start.",
    window: "frames slow for 3.5 s"),
  Rule("V18", "startProgress is above 0 only with compliant."),
  Rule(
    "V19",
    "Automatic start is on by default; while it is off, positioning and guidance go on, startProgress fills, and "
      + "nothing starts.", window: "full within 14 s of a good signal, 31 s where it was disturbed"),
  Rule(
    "V20", "Automatic start may be set from any thread at any time, and belongs to one session.",
    judge: .tests([
      "autoStartIsSetFromManyThreadsAtAnyTime",
      "autoStartHoldsFromBeforeTheStartAndBelongsToOneSession",
    ])),
  Rule("V21", "Switching automatic start off during a reading leaves that reading alone and holds the next."),
  Rule(
    "V22", "Switching automatic start on lets the next steady moment start the reading.",
    window: "1.5 s when startProgress is full; else 14 s of a good signal, 31 s where it was disturbed"),
  Rule(
    "V23",
    "Every abandoned attempt gets exactly one cancelled with a known reason; only a started attempt can be cancelled, "
      + "and an attempt that stop() or a failure ends gets none."),
  Rule(
    "V24", "After cancelled, guidance flows again and the next reading starts by itself.",
    window: "guidance within 1.5 s, without another start()"),
  Rule(
    "V25",
    "A fingertip that leaves the lens for a few seconds cancels the attempt with contactLost; a shorter lift "
      + "does not.", window: "2 to 5 s after the contact is lost; not before 2 s in the dark"),
  Rule(
    "V26",
    "A signal that stays too poor cancels with poorSignal, after signalLevel has fallen to fair or weak; a good one "
      + "never does.",
    window: "4 to 15 s of fidgeting or of no pulse, which may take 5 s to recover from; the fall within the 15 s before"
  ),
  Rule(
    "V27",
    "An interruption, a camera restart or an in-place adjustment cancels with interrupted, and nothing else does.",
    window: "at most 0.5 s after an interruption, 5 s after a failed camera, an adjustment or the end of a silence of "
      + "1 s"),
  Rule(
    "V28", "cancelReading() while measuring gives cancelled(cancelledByApp); at any other time it is ignored.",
    window: "within 0.1 s of the call"),
  Rule(
    "V29",
    "A preview's heartRateBpm is there soon on a good signal; rmssdMs is absent before about 20 s and then keeps its "
      + "last good value.",
    window:
      "heart rate after two intervals, by 10 s; RMSSD never before 19.5 s, by 25 s on a good signal, and another in 15 previews"
  ),
  Rule(
    "V30",
    "signalLevel is weak, fair, good or strong, there once a good signal has been scored, and moves at most one level "
      + "between two previews unless contact is lost.",
    window: "scored by 10 s; contact lost within 2.5 s before the first of the two, or since"),
  Rule(
    "V31",
    "What interrupts is the platform's: on iOS the background, a phone call, Split View, another app, system pressure "
      + "or a media reset; on Android the background or another app, and nothing else disturbs there.",
    window: "cancelled(interrupted) within 0.5 s; nothing within 1 s of what is no trigger"),
  Rule(
    "V32",
    "An interruption while measuring cancels with interrupted; then the session waits in silence, and the capture is "
      + "left alone, until the cause clears.",
    window: "the cancel within 0.5 s; silent from 0.1 s after the beginning"),
  Rule(
    "V33", "When the cause of an interruption clears, the capture is on again and guidance flows by itself.",
    window: "camera within 1.5 s, and again within 2 s of a failed one that works again; torch once, torch and "
      + "guidance within 1.5 s of the first frame"),
  Rule(
    "V34", "Interruptions never fail the session by themselves, and one after measurementComplete changes no result.",
    window: "0.1 s for what was due before it; the end within 10 s of measurementComplete"),
  Rule(
    "V35",
    "10 s of failed recovery in the foreground end the session with failed(cameraUnavailable), counted anew after each "
      + "interruption.", window: "9 to 12 s"),
  Rule(
    "V36",
    "A camera below its frame rate shows frameDrop while positioning; on iOS it is adjusted, which interrupts a reading; "
      + "it never ends a session.",
    window: "in each guidance from 3.5 s on; adjusted within 5 s, cancelled 0.4 to 5 s after a stretch of 3 s began"),
  Rule(
    "V37",
    "A camera that stalls is restarted once, which interrupts a reading; a second stall fails the session, and nothing "
      + "else switches the camera off.",
    window: "1 to 5 s after the last frame, at once where the camera says so; guidance 1.5 s after the next"),
  Rule(
    "V38", "Android: when the lifecycle owner is destroyed the session stops, as by stop().",
    window: "camera and torch within 0.1 s; an end that is owed within 10 s of measurementComplete"),
  Rule(
    "V39",
    "stop() while positioning or measuring ends the session with no result and no further event; camera and torch "
      + "are off at once.", window: "within 0.1 s of the call"),
  Rule(
    "V40",
    "stop() after measurementComplete releases camera and torch at once, and the end is still delivered.",
    window: "camera and torch within 0.1 s; the end within 10 s of measurementComplete"),
  Rule(
    "V41", "The errors are seven, each with its own meaning.",
    judge: .tests([
      "creatingASessionNeedsAnActivatedSDK",
      "aRejectedKeyNamesTheCheckThatFailed",
      "aDeclinedCameraIsToldByStartOnly",
      "aTakenCameraIsThrownOnIOSAndDeliveredOnAndroid",
      "anUnsupportedDeviceIsToldByCreationAndStart",
      "aMinuteWithoutAHeartRateIsDeliveredAsSuch",
      "aResultThatIsNotBuiltInTimeIsAnInternalError",
    ])),
  Rule(
    "V42", "notActivated and licenseInvalid are thrown by activation and by what needs it.",
    judge: .tests([
      "creatingASessionNeedsAnActivatedSDK",
      "aRejectedKeyNamesTheCheckThatFailed",
      "aRejectedKeyTakesAnEarlierActivationBack",
      "oneActivationServesEverySessionOfItsSDKAndNoOther",
    ])),
  Rule(
    "V43", "cameraPermissionDenied and unsupportedDevice are thrown, never delivered.",
    judge: .tests([
      "aDeclinedCameraIsToldByStartOnly",
      "anUnsupportedDeviceIsToldByCreationAndStart",
    ])),
  Rule(
    "V44",
    "A camera that cannot be opened is cameraUnavailable, which iOS throws or delivers and Android delivers only; "
      + "failed carries cameraUnavailable, noHeartRate or internalError.", window: "within 12 s"),
  Rule(
    "V45", "start() on a session that is running or has ended is an internalError.",
    judge: .tests([
      "aSessionStartsOnce",
      "androidStartsOnTheMainThreadOnly",
      "androidKnowsTheMainThread",
      "aResultThatIsNotBuiltInTimeIsAnInternalError",
    ])),
  Rule(
    "V46",
    "A start() that throws leaves nothing behind and works once its cause is gone; a session that runs or has ended "
      + "starts no more, and one in the background waits silently.", window: "camera and torch off within 0.1 s"),
  Rule(
    "V47", "iOS: every event on the main thread, in order, in one stream that ends.",
    judge: .tests([
      "everyEventOfIOSIsToldOnTheMainThread",
      "aStreamHasOneConsumerAndGivesEachEventOnce",
      "theStreamEndsAfterCompleted",
      "theStreamEndsAfterFailed",
      "theStreamEndsOnAStopWithNoResultPending",
      "theStreamGoesOnAfterAStopWhileAResultIsPending",
    ])),
  Rule(
    "V48", "Android: 64 events kept per collector; what ends an attempt or a session always arrives.",
    judge: .tests([
      "androidTellsOffTheMainThread",
      "aBufferKeepsSixtyFourAndDropsTheOldestThatMayGo",
      "everyKindOfEventIsDroppedOrKept",
      "aSlowCollectorGetsEveryCancelledAndTheEnd",
      "eachCollectorHasItsOwnBuffer",
      "aLateCollectorGetsOnlyWhatComesAfter",
      "aFlowNeverEndsByItselfAndACollectorEndsByCancelling",
    ])
  ),
  Rule(
    "V49", "There is no configuration: every session runs the same settings.",
    judge: .tests([
      "nothingIsConfigured",
      "twoSessionsFedTheSameDoTheSame",
    ])),
  Rule(
    "V50",
    "A result's RMSSD and breathing rate are each a plausible number or withheld with a reason, and so is every related "
      + "measure that it has; on a good minute heart rate and RMSSD are near the truth, and a heart rate too where half "
      + "of the minute showed no pulse.",
    window: "within 5 bpm; within 25 ms or half of the true RMSSD; within 6 breaths per minute"),
]
