// swift-tools-version: 6.2
import PackageDescription

// A package of its own: everything in it is built for the fuzzer, and nothing of it belongs into the tool. The rooms
// are links, for a package reaches no folder outside of its own.

/// The fuzzer watches which ways the code takes. What the code touches is watched as well where FUZZ_ADDRESS is set; that
/// takes five times as long.
let sanitizers = Context.environment["FUZZ_ADDRESS"] == nil ? "fuzzer" : "fuzzer,address"
/// Which ways were taken, and how often. Not with what numbers were compared, which takes as long again: the inputs play
/// what a device sends, so that no magic numbers need to be guessed.
let coverage = "-sanitize-coverage=edge,inline-8bit-counters,pc-table"
let watched: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .treatAllWarnings(as: .error), .unsafeFlags(["-sanitize=\(sanitizers)", coverage]),
]

let package = Package(
  name: "Fuzz",
  targets: [
    .target(name: "VitalsModel", swiftSettings: watched, linkerSettings: [.linkedLibrary("m")]),
    .target(name: "OximeterProtocols", dependencies: ["VitalsModel"], swiftSettings: watched),
    .target(name: "OximeterLines", dependencies: ["VitalsModel", "OximeterProtocols"], swiftSettings: watched),
    // The fuzzer's entry, which has no header.
    .target(name: "CFuzzer"),
    .executableTarget(
      name: "Fuzz", dependencies: ["VitalsModel", "OximeterProtocols", "OximeterLines", "CFuzzer"],
      swiftSettings: watched + [.unsafeFlags(["-parse-as-library"])],
      // The linker that is used otherwise crashes on what the fuzzer adds.
      linkerSettings: [.unsafeFlags(["-sanitize=\(sanitizers)", "-use-ld=lld"])]),
  ]
)
