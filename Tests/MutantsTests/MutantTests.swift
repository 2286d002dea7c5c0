import ReadingSession
import Simulation
import Testing
import Traces
import VitalsModel

@testable import Mutants

/// The catalogue of mutants: enough of them, each told apart and of a rule, most of them in what a session decides.
@Suite struct CatalogueTests {
  @Test func everyMutantIsNamedAndExplained() {
    var names: Set<String> = []
    for mutant in Mutant.all {
      #expect(names.insert(mutant.name).inserted, "two mutants are named \(mutant.name)")
      #expect(mutant.name.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" }, "\(mutant.name)")
      #expect(mutant.rule.count == 3 && mutant.rule.hasPrefix("V"), "\(mutant.name)")
      #expect(mutant.about.hasSuffix(".") && mutant.about.count <= 100, "\(mutant.name)")
    }
    #expect(Mutant.all.count >= 50)
    #expect(Mutant.all.map(\.rule) == Mutant.all.map(\.rule).sorted())
  }

  @Test func mostAlterDecisionsTimersOrInputs() {
    let outputs = Mutant.all.count { $0.kind == .output }
    #expect(outputs * 2 <= Mutant.all.count)
  }

  /// Each rule that a trace can show has a mutant.
  @Test func everyMonitoredRuleHasOne() {
    let tested = [20, 41, 42, 43, 45, 47, 48, 49]
    for number in 1...50 where !tested.contains(number) {
      let rule = number < 10 ? "V0\(number)" : "V\(number)"
      #expect(Mutant.all.contains { $0.rule == rule }, "\(rule) has no mutant")
    }
  }
}
