import Foundation

/// The same minute made by a toolkit that people use, where it is installed: its frames a second, and how many times
/// faster ours are.
///
/// `VITALS_SIM_PYTHON` names a Python that has NeuroKit2; without it `python3` is tried, and nothing is told where that
/// has none.
func toolkitFigures(cleanFramesPerSecond: Double) -> [Figure] {
  let script = """
    import statistics, time, warnings
    warnings.simplefilter("ignore")
    import neurokit2
    def seconds(seed):
        begun = time.perf_counter()
        neurokit2.ppg_simulate(duration=60, sampling_rate=30, heart_rate=66, random_state=seed)
        return time.perf_counter() - begun
    seconds(0)
    print(statistics.median(seconds(seed) for seed in range(1, 22)))
    """
  let python = ProcessInfo.processInfo.environment["VITALS_SIM_PYTHON"] ?? "python3"
  guard let answer = try? output(of: ["/usr/bin/env", python, "-c", script]),
    let seconds = Double(answer.trimmingCharacters(in: .whitespacesAndNewlines)), seconds > 0
  else {
    complain("NeuroKit2 is not there to compare with: set VITALS_SIM_PYTHON to a Python that has it")
    return []
  }
  let framesPerSecond = 1_800 / seconds
  return [
    Figure(name: "neurokit2SimulateFramesPerSecond", value: framesPerSecond, places: 0),
    Figure(name: "synthesisTimesFasterThanNeurokit2", value: cleanFramesPerSecond / framesPerSecond),
  ]
}

/// What a program writes to its standard output; empty where it fails.
private func output(of words: [String]) throws -> String {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: words[0])
  process.arguments = Array(words.dropFirst())
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = FileHandle.nullDevice
  try process.run()
  let data = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return process.terminationStatus == 0 ? String(bytes: data, encoding: .utf8) ?? "" : ""
}
