import ReadingSession
import VitalsModel

extension ReadingError: Error {}

/// What an app activates once, and creates its sessions on.
///
/// It has no settings (V49): the same compiled-in ones hold for every session.
public final class VitalsSDK: Sendable {
  let host: any VitalsHost
  let clock: any SessionClock
  let build: SessionDriver.Builder
  private let isActivated = Guarded(false)

  /// The SDK on a host, not activated.
  public convenience init(host: any VitalsHost) {
    self.init(host: host) { buildResult($0) }
  }

  init(host: any VitalsHost, build: @escaping SessionDriver.Builder) {
    self.host = host
    clock = host.clock
    self.build = build
  }

  /// Checks a licence key, for all sessions. A key that is rejected takes an earlier activation back (V42).
  ///
  /// - Throws: `licenseInvalid`, whose reason names the check that failed
  public func activate(key: String) throws(ReadingError) {
    let fault = host.licenceFault(of: key)
    isActivated.withLock { $0 = fault == nil }
    if let fault { throw .licenseInvalid(reason: fault) }
  }

  /// What a session has to know to be created and started.
  func facts() -> [Input] {
    [.host(.activation(isDone: isActivated.withLock(\.self)))] + host.conditions().facts
  }
}
