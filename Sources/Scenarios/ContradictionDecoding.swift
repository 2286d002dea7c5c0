extension ScenarioDecoder {
  /// Notes what in the settings cannot be together, and what cannot once the timeline has changed one of them.
  /// - Parameters:
  ///   - sections: The keys of the scenario, among them its sections.
  ///   - root: Where the scenario stands.
  mutating func reportContradictions(in settings: Settings, sections: Fields, _ root: Span) {
    let standing = vocabulary.contradictions(settings)
    for contradiction in standing where isCertain(contradiction) {
      let written = contradiction.fields.compactMap { settingSpans[$0] }.first
      let section = contradiction.fields.compactMap { sections[$0.section]?.keySpan }.first
      report(contradiction.message, at: written ?? section ?? root, advice: contradiction.advice)
    }
    var told = Set(standing)
    for change in settingChanges {
      report(contradictionsOf: [change], in: settings, besides: &told)
    }
    // What waits for an event may come in any order, and a `for` turns back at any time: so any two values that a
    // timeline gives may stand together, unless they are of one setting.
    for (index, change) in settingChanges.enumerated() {
      for earlier in settingChanges[..<index] where earlier.name != change.name {
        report(contradictionsOf: [earlier, change], in: settings, besides: &told)
      }
    }
    // So may more than two; the largest of each are what most likely does not fit.
    var largest: [SettingName: SettingChange] = [:]
    for change in settingChanges where change.value > largest[change.name]?.value ?? -.infinity {
      largest[change.name] = change
    }
    let together = settingChanges.filter { largest[$0.name]?.span.mark == $0.span.mark }
    if together.count > 2 { report(contradictionsOf: together, in: settings, besides: &told) }
  }

  /// Reports at the last of some changes what cannot be together once all of them have come.
  private mutating func report(
    contradictionsOf changes: [SettingChange], in settings: Settings, besides told: inout Set<Contradiction>
  ) {
    guard let last = changes.last else { return }
    var changed = settings
    for change in changes { changed[change.name.section, change.name.field] = change.value }
    let names = changes.map(\.name)
    for contradiction in vocabulary.contradictions(changed) {
      guard isCertain(contradiction, once: names), told.insert(contradiction).inserted else { continue }
      let together = changes.count > 1 ? "what a timeline changes must fit whatever else it changes" : nil
      report(contradiction.message, at: last.span, advice: contradiction.advice ?? together)
    }
  }

  /// Whether no standard value stands in for one that could not be read. Those that are changed have been.
  private func isCertain(_ contradiction: Contradiction, once changed: [SettingName] = []) -> Bool {
    contradiction.fields.allSatisfy { changed.contains($0) || !misreadSettings.contains($0) }
  }
}
