/// What the session has been told of its host; without a word, all is well.
struct HostState: Sendable {
  private var isActivated = true
  private var licenceFault: String?
  private var isPermitted = true
  private var deviceFault: String?
  private var isCameraBusy = false
  private(set) var isInForeground = true

  mutating func learn(_ fact: HostFact) {
    switch fact {
    case .activation(let isDone): isActivated = isDone
    case .licence(let fault): licenceFault = fault
    case .permission(let isGranted): isPermitted = isGranted
    case .device(let fault): deviceFault = fault
    case .camera(let isBusy): isCameraBusy = isBusy
    case .app(let isInForeground): self.isInForeground = isInForeground
    }
  }

  /// Checks the licence (V42). One that fails takes an earlier activation back.
  mutating func activate() -> CallOutcome {
    isActivated = licenceFault == nil
    return licenceFault.map { .threw(.licenseInvalid(reason: $0)) } ?? .returned
  }

  /// Why a session cannot be created (V42, V43).
  var creationError: ReadingError? {
    guard isActivated else { return .notActivated }
    return deviceFault.map { .unsupportedDevice(reason: $0) }
  }

  /// Why a new session cannot be started (V42 to V45).
  func startError(on platform: Platform, isOnMainThread: Bool) -> ReadingError? {
    if platform == .android, !isOnMainThread { return .internalError("start() must be called on the main thread") }
    if let creationError { return creationError }
    guard isPermitted else { return .cameraPermissionDenied }
    // Android opens the camera later and tells then (V44).
    return platform == .ios && isCameraBusy ? .cameraUnavailable : nil
  }
}
