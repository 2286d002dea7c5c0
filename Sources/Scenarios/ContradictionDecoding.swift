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
    for change in settingChanges {
      var changed = settings
      changed[change.name.section, change.name.field] = change.value
      for contradiction in vocabulary.contradictions(changed)
      where !standing.contains(contradiction) && isCertain(contradiction, once: change.name) {
        report(contradiction.message, at: change.span, advice: contradiction.advice)
      }
    }
  }

  /// Whether no standard value stands in for one that could not be read. The one that is changed has been.
  private func isCertain(_ contradiction: Contradiction, once changed: SettingName? = nil) -> Bool {
    contradiction.fields.allSatisfy { $0 == changed || !misreadSettings.contains($0) }
  }
}
