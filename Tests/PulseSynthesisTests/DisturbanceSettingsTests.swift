import PulseSynthesis
import Testing

@Suite struct DisturbanceSettingsTests {
  typealias Field = DisturbanceSettings.Field

  struct Row: CustomTestStringConvertible {
    let settings: DisturbanceSettings
    let field: Field?
    let reason: String
    var testDescription: String { field?.rawValue ?? "possible" }

    init(_ settings: DisturbanceSettings, _ field: Field? = nil, _ reason: String = "") {
      self.settings = settings
      self.field = field
      self.reason = reason
    }
  }

  @Test(arguments: [
    Row(DisturbanceSettings()),
    Row(DisturbanceSettings(tremorPercent: 20, tremorHz: 4)), Row(DisturbanceSettings(wanderPercent: 30)),
    Row(DisturbanceSettings(swayPercent: 20, swayPerMin: 240)), Row(DisturbanceSettings(speechPercent: 20)),
    Row(DisturbanceSettings(flickerPercent: 50, mainsHz: 65)),
    Row(DisturbanceSettings(jerksPerMin: 120, swallowsPerMin: 30)),
    Row(DisturbanceSettings(tremorPercent: 21), .tremorPercent, "tremor is 0 to 20 %, not 21"),
    Row(DisturbanceSettings(tremorPercent: -1), .tremorPercent, "tremor is 0 to 20 %, not -1"),
    Row(DisturbanceSettings(tremorHz: 3.5), .tremorHz, "the frequency of tremor is 4 to 12 Hz, not 3.5"),
    Row(DisturbanceSettings(jerksPerMin: 121), .jerksPerMin, "the rate of jerks is 0 to 120 per minute, not 121"),
    Row(DisturbanceSettings(swayPercent: 20.5), .swayPercent, "sway is 0 to 20 %, not 20.5"),
    Row(DisturbanceSettings(swayPerMin: 241), .swayPerMin, "the rate of sway is 20 to 240 per minute, not 241"),
    Row(DisturbanceSettings(wanderPercent: .nan), .wanderPercent, "baseline wander is 0 to 30 %, not nan"),
    Row(DisturbanceSettings(flickerPercent: .infinity), .flickerPercent, "flicker is 0 to 50 %, not inf"),
    Row(DisturbanceSettings(mainsHz: 40), .mainsHz, "the frequency of the mains is 45 to 65 Hz, not 40"),
    Row(DisturbanceSettings(speechPercent: 25), .speechPercent, "speech is 0 to 20 %, not 25"),
    Row(DisturbanceSettings(swallowsPerMin: 31), .swallowsPerMin, "the rate of swallows is 0 to 30 per minute, not 31"),
    Row(
      DisturbanceSettings(tremorPercent: 10, wanderPercent: 25), .wanderPercent,
      "all disturbances together may swing the light by 99 %: at most 95 %, of which this takes 71 %"),
  ])
  func whatCannotBeIsSaid(_ row: Row) {
    #expect(row.settings.contradiction?.field == row.field)
    #expect((row.settings.contradiction?.reason ?? "") == row.reason)
  }

  @Test func kindsAreSettings() {
    for kind in DisturbanceKind.allCases {
      var settings = DisturbanceSettings()
      #expect(settings[kind] == 0)
      settings[kind] = 2
      #expect(settings[kind] == 2 && settings != DisturbanceSettings())
      settings[kind] = 0
      #expect(settings == DisturbanceSettings())
    }
    let words = ["tremor", "jerks", "sway", "wander", "flicker", "speech", "swallowing"]
    #expect(DisturbanceKind.allCases.map(\.rawValue) == words)
  }
}
