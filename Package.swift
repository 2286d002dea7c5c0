// swift-tools-version: 6.2
import PackageDescription

/// Warnings are errors everywhere: a warning that is allowed to stay is a message nobody reads.
let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

/// One room of the house. Arrows point down only; the check script builds with
/// `--explicit-target-dependency-import-check error`, so an import that is not listed here does not compile.
func room(_ name: String, _ imports: [Target.Dependency] = []) -> Target {
  // Rounding and square roots come from the maths library, which nothing else links where Foundation is absent.
  .target(name: name, dependencies: imports, swiftSettings: strict, linkerSettings: [.linkedLibrary("m")])
}

func tests(_ name: String, _ imports: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: imports, swiftSettings: strict)
}

let package = Package(
  name: "vitals-sim",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "vitals-sim", targets: ["vitals-sim"])],
  targets: [
    // The pure cores: no Foundation, no clock, no I/O.
    room("VitalsModel"),
    room("PulseAnalysis", ["VitalsModel"]),
    room("PulseSynthesis", ["VitalsModel"]),
    // The camera that samples the light: its clock, its sensor, its frames.
    room("CameraSynthesis", ["VitalsModel", "PulseSynthesis"]),
    room("ReadingSession", ["VitalsModel", "PulseAnalysis"]),
    // Pulse oximeters: their bytes, what comes of a line, and virtual ones.
    room("OximeterProtocols", ["VitalsModel"]),
    room("OximeterLines", ["VitalsModel", "OximeterProtocols"]),
    room("OximeterSynthesis", ["VitalsModel", "PulseSynthesis", "OximeterProtocols", "OximeterLines"]),

    // The harness, which knows no contract by name.
    room("Traces", ["VitalsModel"]),
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    room("Scenarios", ["VitalsModel", "CYAML"]),
    room("Simulation", ["VitalsModel", "Traces", "Scenarios"]),
    // EDFlib has no pkg-config file.
    .systemLibrary(name: "CEDF", providers: [.apt(["libedf-dev"])]),
    // What others read and write: tables, traces and EDF+; what a line of an oximeter leaves in a trace.
    room("Recordings", ["VitalsModel", "Traces", "OximeterProtocols", "OximeterLines", "CEDF"]),
    // A recording measured window by window, and its reports.
    room("RecordingAnalysis", ["VitalsModel", "PulseAnalysis", "Recordings"]),
    room("Checks", ["VitalsModel", "Traces", "Scenarios"]),
    room("Reporting", ["VitalsModel", "Traces", "Scenarios", "Checks"]),

    // The world of the vitals reading: what a scenario may say of finger, camera and phone, and what cannot be.
    room("ReadingWorld", ["VitalsModel", "PulseSynthesis", "CameraSynthesis", "OximeterProtocols", "Scenarios"]),

    // The vitals reading: its rules and their judges, and its side of the simulation.
    room("ReadingContract", ["VitalsModel", "Traces", "Scenarios", "Checks", "ReadingWorld"]),
    room(
      "ReadingSimulation",
      [
        "VitalsModel", "PulseSynthesis", "CameraSynthesis", "PulseAnalysis", "ReadingSession", "Traces", "Scenarios",
        "Simulation", "Recordings", "ReadingWorld", "OximeterProtocols", "OximeterLines", "OximeterSynthesis",
      ]),

    // Broken sessions, on which the scenarios and the judges are tried.
    room("Mutants", ["VitalsModel", "ReadingSession", "Traces", "Simulation", "ReadingSimulation"]),
    // Serial ports, the one place that touches hardware.
    .systemLibrary(
      name: "CSerialPort", pkgConfig: "libserialport",
      providers: [.apt(["libserialport-dev"]), .brew(["libserialport"])]),
    room("Devices", ["VitalsModel", "OximeterProtocols", "OximeterLines", "CSerialPort"]),
    // What an app would hold: threads, delivery and a clock around the core.
    room("SessionShells", ["VitalsModel", "PulseAnalysis", "ReadingSession"]),

    .executableTarget(
      name: "vitals-sim",
      dependencies: [
        "VitalsModel", "ReadingSession", "Traces", "Scenarios", "Simulation", "Checks", "Reporting", "ReadingContract",
        "ReadingSimulation", "ReadingWorld", "Mutants", "Recordings", "RecordingAnalysis", "OximeterProtocols",
        "OximeterLines",
        "OximeterSynthesis", "Devices",
      ], swiftSettings: strict),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "VitalsModel", "PulseAnalysis", "PulseSynthesis", "CameraSynthesis", "ReadingSession", "Traces", "Scenarios",
        "Checks", "ReadingContract", "ReadingSimulation", "Recordings", "OximeterProtocols", "OximeterLines",
        "OximeterSynthesis", "Devices",
      ], exclude: ["compare_peaks.py", "compare_toolkits.py"], swiftSettings: strict),

    tests("VitalsModelTests", ["VitalsModel"]),
    tests("PulseAnalysisTests", ["VitalsModel", "PulseAnalysis"]),
    tests("PulseSynthesisTests", ["VitalsModel", "PulseSynthesis"]),
    tests("CameraSynthesisTests", ["VitalsModel", "PulseSynthesis", "CameraSynthesis"]),
    tests("ReadingSessionTests", ["VitalsModel", "PulseAnalysis", "ReadingSession"]),
    tests("SessionShellsTests", ["VitalsModel", "PulseAnalysis", "ReadingSession", "SessionShells"]),
    tests("OximeterProtocolsTests", ["VitalsModel", "OximeterProtocols"]),
    // The examples of the pages in firmware-notes, read from the repository.
    tests("FirmwareNotesTests", ["OximeterProtocols"]),
    tests("OximeterLinesTests", ["VitalsModel", "OximeterProtocols", "OximeterLines"]),
    tests(
      "OximeterSynthesisTests",
      ["VitalsModel", "PulseSynthesis", "OximeterProtocols", "OximeterLines", "OximeterSynthesis"]),
    // Lets the real libserialport open a pseudo-terminal, which has no modem lines and no place in sysfs.
    .target(name: "FakeSerialLines", path: "Tests/FakeSerialLines"),
    tests("DevicesTests", ["VitalsModel", "OximeterProtocols", "OximeterLines", "Devices", "FakeSerialLines"]),
    tests("TracesTests", ["VitalsModel", "Traces"]),
    tests("ScenariosTests", ["VitalsModel", "Scenarios"]),
    tests(
      "RecordingsTests", ["VitalsModel", "Traces", "OximeterProtocols", "OximeterLines", "Recordings", "CEDF"]),
    tests("RecordingAnalysisTests", ["VitalsModel", "PulseAnalysis", "Recordings", "RecordingAnalysis"]),
    tests("ChecksTests", ["VitalsModel", "Traces", "Scenarios", "Checks"]),
    tests("ToyContractTests", ["VitalsModel", "Traces", "Scenarios", "Simulation", "Checks"]),
    tests("ReadingContractTests", ["VitalsModel", "Traces", "Scenarios", "Checks", "ReadingContract"]),
    tests(
      "ReadingSimulationTests",
      [
        "VitalsModel", "PulseSynthesis", "PulseAnalysis", "Traces", "Scenarios", "Simulation", "Checks", "Recordings",
        "ReadingContract", "ReadingSimulation", "OximeterProtocols", "OximeterLines", "OximeterSynthesis",
      ]),
    tests(
      "ScenarioTests",
      ["VitalsModel", "Traces", "Scenarios", "Checks", "Recordings", "ReadingContract", "ReadingSimulation"]),
    tests(
      "MutantsTests",
      [
        "VitalsModel", "ReadingSession", "Traces", "Scenarios", "Simulation", "ReadingContract", "ReadingSimulation",
        "Mutants",
      ]),
    tests("ReportingTests", ["VitalsModel", "Traces", "Scenarios", "Checks", "Reporting"]),
    // Depends on the program only to have it built: it runs the binary.
    tests("CommandTests", ["vitals-sim", "VitalsModel", "OximeterProtocols", "Devices", "Traces"]),
  ]
)

// The thread sanitizer needs a build of its own, which nobody wants of every room: where this is set to the names of
// some, with blanks between them, nothing is built but those rooms and those below them.
if let only = Context.environment["VITALS_SIM_ONLY"] {
  var needed: Set<String> = []
  func need(_ name: String) {
    guard needed.insert(name).inserted else { return }
    for case .byNameItem(let below, _) in package.targets.first(where: { $0.name == name })?.dependencies ?? [] {
      need(below)
    }
  }
  for name in only.split(separator: " ") { need(String(name)) }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products = []
}
