import Checks

/// The vitals reading as the harness sees it.
public let readingContract = Contract(
  name: "vitals-reading", vocabulary: readingVocabulary, rules: readingRules,
  monitors: { [ReadingMonitors(platform: $0)] })
