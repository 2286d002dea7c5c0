import OximeterSynthesis
import Scenarios
import Simulation
import VitalsModel

extension Timetable {
  /// What a scenario does to the oximeter itself, as the faults of a device that plays the scenario.
  ///
  /// - Parameter settings: how the scenario begins
  public func oximeterFaults(beginning settings: Settings) -> [OximeterFault] {
    let first = settings[state: "oximeter"].map { [(Instant.zero, $0)] } ?? []
    let states =
      first
      + entries.compactMap { entry -> (Instant, String)? in
        guard case .world(.state("oximeter", let state)) = entry.action else { return nil }
        return (entry.at, state)
      }
    return states.indices.compactMap { index in
      let (from, state) = states[index]
      let to = index + 1 < states.count ? states[index + 1].0 : nil
      guard to != from else { return nil }
      return VirtualOximeterPhone.fault(state).map { OximeterFault($0, from: from, to: to) }
    }
  }
}
