import CameraSynthesis
import Foundation
import PulseAnalysis
import PulseSynthesis
import VitalsModel

/// How long a minute at 30 fps takes to be measured, frames taken in included, and how many times longer NeuroKit2's
/// `ppg_process` takes for the green of the same minute on a regular grid.
func analysisFigures() -> [Figure] {
  var scene = FingerScene(subject: Subject(), seed: 1)
  var camera = CameraSensor(CameraSettings(), seed: 1)
  let frames = (0..<1_800).map { index in
    let moment = Instant(microseconds: Int64(index) * 1_000_000 / 30)
    return camera.frame(of: scene.light(at: moment), at: moment)
  }
  let seconds = medianSeconds(runs: 201) {
    var record = PulseRecord()
    for frame in frames { record.append(frame) }
    keep(measurePulse(record).quality)
  }
  let ours = Figure(name: "analysisMs", value: 1_000 * seconds, places: 3)
  // Brightness falls in systole; the toolkit wants it to rise. Its runs are long enough to be interrupted on a machine
  // that has other work, which is not its fault: the shorter of wall time and its own counts.
  let light = frames.map { Fixed.text(-$0.green, places: 5) }.joined(separator: ",")
  let script = """
    import statistics, time, warnings
    warnings.simplefilter("ignore")
    import neurokit2
    light = [\(light)]
    def seconds():
        begun = time.perf_counter(), time.process_time()
        neurokit2.ppg_process(light, sampling_rate=30)
        return min(time.perf_counter() - begun[0], time.process_time() - begun[1])
    seconds()
    print(statistics.median(seconds() for _ in range(21)))
    """
  guard let toolkit = toolkitSeconds(script) else { return [ours] }
  return [
    ours, Figure(name: "neurokit2ProcessMs", value: 1_000 * toolkit),
    Figure(name: "analysisTimesFasterThanNeurokit2", value: toolkit / seconds),
  ]
}

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
  guard let seconds = toolkitSeconds(script) else { return [] }
  let framesPerSecond = 1_800 / seconds
  return [
    Figure(name: "neurokit2SimulateFramesPerSecond", value: framesPerSecond, places: 0),
    Figure(name: "synthesisTimesFasterThanNeurokit2", value: cleanFramesPerSecond / framesPerSecond),
  ]
}

/// The seconds that a Python script prints; nil, with a line that says so, where there is no NeuroKit2.
private func toolkitSeconds(_ script: String) -> Double? {
  let python = ProcessInfo.processInfo.environment["VITALS_SIM_PYTHON"] ?? "python3"
  guard let answer = try? output(of: ["/usr/bin/env", python, "-c", script]),
    let seconds = Double(answer.trimmingCharacters(in: .whitespacesAndNewlines)), seconds > 0
  else {
    complain("NeuroKit2 is not there to compare with: set VITALS_SIM_PYTHON to a Python that has it")
    return nil
  }
  return seconds
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
