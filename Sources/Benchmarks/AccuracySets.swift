/// The recordings of one layout under one folder, scored.
struct ScoredSet: Codable {
  /// The folder that holds all of them.
  let name: String
  let layout: FoundRecording.Layout
  let recordings: Int
  let scores: [SetScore]
  let windows: [ScoredWindow]
}

/// How one measure did on a set, over whole records or over windows.
struct SetScore: Codable {
  let measure: ScoredMeasure
  let part: ScoredWindow.Part
  let tolerance: Double
  let score: AccuracyScore
  /// The recording with the largest error, and from which second on.
  let worstRecording: String?
  let worstFromS: Double?
  let worstError: Double?
  /// The same without the windows whose reference is in doubt; nil where none is.
  let withoutDoubtful: AccuracyScore?

  /// Nil where no window has a reference for it.
  init?(_ measure: ScoredMeasure, _ part: ScoredWindow.Part, of windows: [ScoredWindow]) {
    let judged = windows.filter { $0.part == part && $0.pairs[measure.rawValue] != nil }
    guard !judged.isEmpty else { return nil }
    func scored(_ windows: [ScoredWindow]) -> AccuracyScore {
      AccuracyScore(windows.compactMap { $0.pairs[measure.rawValue] }, tolerance: { _ in measure.tolerance })
    }
    self.measure = measure
    self.part = part
    tolerance = measure.tolerance
    score = scored(judged)
    let worst = score.worst.map { judged[$0] }
    worstRecording = worst?.recording
    worstFromS = worst?.fromS
    worstError = worst?.pairs[measure.rawValue].flatMap { pair in pair.measured.map { $0 - pair.reference } }
    let trusted = judged.filter { $0.isTrusted(measure) }
    withoutDoubtful = trusted.count < judged.count ? scored(trusted) : nil
  }
}

/// Scores every recording under the folders, a set for each folder and layout; what cannot be read is told and left
/// out.
func scoreFolders(_ folders: [String], _ options: AccuracyOptions) -> (sets: [ScoredSet], problems: [AccuracyProblem]) {
  var sets: [ScoredSet] = []
  var problems: [AccuracyProblem] = []
  for folder in folders {
    do {
      let (found, incomplete) = try findRecordings(under: folder)
      problems += incomplete
      for layout in [FoundRecording.Layout.chestStrap, .oximeters] {
        let recordings = found.filter { $0.layout == layout }
        if !recordings.isEmpty { sets.append(scoreSet(recordings, layout, in: folder, options, &problems)) }
      }
    } catch {
      problems.append(error)
    }
  }
  return (sets, problems)
}

private func scoreSet(
  _ recordings: [FoundRecording], _ layout: FoundRecording.Layout, in folder: String, _ options: AccuracyOptions,
  _ problems: inout [AccuracyProblem]
) -> ScoredSet {
  // What all of them have in common is the set's name; a recording always keeps one of its own.
  let shortest = recordings.map(\.folder.count).min() ?? 1
  var common = 0
  while common + 1 < shortest, Set(recordings.map { $0.folder[common] }).count == 1 { common += 1 }
  var windows: [ScoredWindow] = []
  var scored = 0
  for recording in recordings {
    let name = recording.folder[common...].joined(separator: "/")
    let more = recording.windows(name, options, &problems)
    windows += more
    if !more.isEmpty { scored += 1 }
  }
  let name = common > 0 ? recordings[0].folder[common - 1] : lastName(of: folder)
  let scores = [ScoredWindow.Part.whole, .window].flatMap { part in
    ScoredMeasure.allCases.compactMap { SetScore($0, part, of: windows) }
  }
  return ScoredSet(name: name, layout: layout, recordings: scored, scores: scores, windows: windows)
}
