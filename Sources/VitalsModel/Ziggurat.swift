/// The normal distribution cut into 256 layers of equal area, so that most draws cost one random word, a look-up and a
/// multiplication.
///
/// The method is the ziggurat of Marsaglia and Tsang ("The ziggurat method for generating random variables", 2000),
/// with their edge of the lowest layer and their area. The tables are computed with `Maths`, so they are the same bits
/// on every machine.
struct Ziggurat: Sendable {
  /// Where the tail begins.
  private static let tail = 3.654_152_885_361_008_8
  /// The area of each layer, under exp(-x^2 / 2).
  private static let area = 0.004_928_673_233_99

  static let normal = Ziggurat()

  private struct Layer: Sendable {
    /// The right edge.
    let edge: Double
    /// The share of the layer that lies wholly under the curve.
    let inside: Double
    /// exp(-x^2 / 2) at the edge, and how much higher it is at the next.
    let height: Double
    let rise: Double
  }

  /// Widest first; layer 0 is as wide as its area needs with the tail folded in.
  private let layers: [Layer]

  private init() {
    func curve(_ x: Double) -> Double { Maths.exp(-x * x / 2) }
    var edges = [Self.area / curve(Self.tail), Self.tail]
    for layer in 1..<255 {
      let edge = edges[layer]
      edges.append((-2 * Maths.log(Self.area / edge + curve(edge))).squareRoot())
    }
    edges.append(0)
    layers = zip(edges, edges.dropFirst()).map { edge, next in
      Layer(edge: edge, inside: next / edge, height: curve(edge), rise: curve(next) - curve(edge))
    }
  }

  /// One draw.
  func draw(from generator: inout SeededGenerator) -> Double {
    while true {
      let word = generator.next()
      // The low eight bits choose the layer and the high 53 the place in it, -1 up to 1.
      let number = Int(word & 255)
      let layer = layers[number]
      let place = Double(Int64(bitPattern: word) >> 11) * 0x1p-52
      let x = place * layer.edge
      if place.magnitude < layer.inside { return x }
      if number == 0 { return tail(from: &generator, isNegative: place < 0) }
      let height = layer.height + generator.uniform() * layer.rise
      if height < Maths.exp(-x * x / 2) { return x }
    }
  }

  /// A draw beyond the lowest layer's edge (Marsaglia 1964).
  private func tail(from generator: inout SeededGenerator, isNegative: Bool) -> Double {
    while true {
      // 1 - uniform lies in 0 < u <= 1, whose logarithm is finite.
      let beyond = -Maths.log(1 - generator.uniform()) / Self.tail
      let height = -2 * Maths.log(1 - generator.uniform())
      if height > beyond * beyond { return isNegative ? -(Self.tail + beyond) : Self.tail + beyond }
    }
  }
}
