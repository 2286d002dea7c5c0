import Testing

@testable import ReadingSession

/// A score, the highest level to show and whether the fingertip is there, preview by preview, and what is shown.
private func check(
  _ rows: [(score: Double?, atMost: SignalLevel, isInContact: Bool, shown: SignalLevel?)],
  _ place: SourceLocation = #_sourceLocation
) {
  var smoother = SignalLevelSmoother()
  for (index, row) in rows.enumerated() {
    if let score = row.score { smoother.add(score) }
    let shown = smoother.level(isInContact: row.isInContact, atMost: row.atMost)
    #expect(shown == row.shown, "preview \(index + 1)", sourceLocation: place)
  }
}

@Test func levelsAreSmoothedAndMoveOneByOne() {
  check([(nil, .strong, true, nil), (0.9, .strong, true, .strong), (nil, .strong, true, .strong)])
  check([
    (0.9, .strong, true, .strong), (0, .strong, true, .good), (0, .strong, true, .fair), (0, .strong, true, .weak),
    (0.9, .strong, true, .fair), (0.9, .strong, true, .good), (0.9, .strong, true, .strong),
  ])
  // Without the fingertip it falls as far as the score does.
  check([(0.9, .strong, true, .strong), (0, .strong, true, .good), (0, .strong, false, .fair)])
}

/// What ends an attempt is told first, however good the score.
@Test func aPoorStretchLowersTheLevelWhateverTheScore() {
  check([
    (0.9, .strong, true, .strong), (0.9, .fair, true, .good), (0.9, .fair, true, .fair), (0.9, .fair, true, .fair),
    (0.9, .strong, true, .good), (0.9, .strong, true, .strong),
  ])
}
