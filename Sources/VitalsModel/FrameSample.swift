/// What a session is fed with: one stamped set of numbers, with a name for each.
public protocol SessionSample: Sendable {
  /// The channels in the order of `values`, as a recording names them.
  static var channels: [String] { get }
  /// When the sample was captured; it may reach the session later.
  var captured: Instant { get }
  /// One number for each channel.
  var values: [Double] { get }
  /// A sample from its stored form. `values` holds one number for each channel.
  init(captured: Instant, values: [Double])
}

/// One camera frame as the analysis sees it: the mean of each colour over the picture.
public struct FrameSample: SessionSample, Hashable {
  /// When the frame was captured.
  public let captured: Instant
  /// Mean red, 0...255; fractional, since it is a mean over many pixels.
  public let red: Double
  /// Mean green, 0...255.
  public let green: Double
  /// Mean blue, 0...255.
  public let blue: Double

  /// A frame's colour means, each 0...255.
  public init(captured: Instant, red: Double, green: Double, blue: Double) {
    self.captured = captured
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Red, green and blue.
  public static let channels = ["red", "green", "blue"]

  /// Red, green and blue, each 0...255.
  public var values: [Double] { [red, green, blue] }

  /// A frame from red, green and blue, in this order.
  public init(captured: Instant, values: [Double]) {
    precondition(values.count == 3, "a frame has three colours")
    self.init(captured: captured, red: values[0], green: values[1], blue: values[2])
  }
}
