/// Which time stamps of a file cannot be those of its frames, as a clock that failed for a few frames leaves them.
///
/// One stamp far ahead would make every frame behind it come late, up to the moment it names. Stamps that keep their
/// order are the longest rising sequence of them (patience sorting, Fredman 1975); those that lie ahead of it by more than
/// a second are strays, as long as fewer of them are left out than frames are saved. A clock that was set back saves none.
/// A stamp further from its neighbours than any recording is long is a stray wherever it stands.
struct StampOrder {
  /// The strays, in order, by their places from 0.
  private(set) var strays: [Int] = []

  /// - Parameters:
  ///   - times: the stamps in the order of the file
  ///   - second: a second in their unit
  ///   - longest: the longest recording in their unit
  init(_ times: [Double], second: Double, longest: Double) {
    let isFarBack = zip(times, times.dropFirst()).contains { $0 - $1 > second }
    var kept = isFarBack ? Self.longestRise(times) : Array(times.indices)
    if kept.count > 2 {
      if times[kept[1]] - times[kept[0]] > longest { kept.removeFirst() }
      if times[kept[kept.count - 1]] - times[kept[kept.count - 2]] > longest { kept.removeLast() }
    }
    guard kept.count < times.count else { return }
    let (ahead, beyond) = Self.strays(of: times, besides: kept, second: second, longest: longest)
    strays = kept.count - Self.inOrder(times) > ahead.count ? (ahead + beyond).sorted() : beyond
  }

  /// Of the stamps that are not in the rise, those that lie ahead of it, and those that are further from it than any
  /// recording is long.
  private static func strays(
    of times: [Double], besides kept: [Int], second: Double, longest: Double
  ) -> (ahead: [Int], beyond: [Int]) {
    var (ahead, beyond) = ([Int](), [Int]())
    var place = 0
    for index in times.indices {
      if place < kept.count, kept[place] == index {
        place += 1
        continue
      }
      let next = place < kept.count ? times[kept[place]] : .infinity
      let previous = place > 0 ? times[kept[place - 1]] : next
      if (times[index] - previous).magnitude > longest {
        beyond.append(index)
      } else if times[index] - next > second {
        ahead.append(index)
      }
    }
    return (ahead, beyond)
  }

  /// How many frames are later than all before them.
  private static func inOrder(_ times: [Double]) -> Int {
    var (count, latest) = (0, -Double.infinity)
    for time in times where time > latest { (count, latest) = (count + 1, time) }
    return count
  }

  /// The places of the longest sequence that rises with every step.
  private static func longestRise(_ times: [Double]) -> [Int] {
    // For each length, the place of the smallest stamp that ends a rise of it; and for each stamp the one before it.
    var ends: [Int] = []
    var before = [Int](repeating: -1, count: times.count)
    for index in times.indices {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if times[ends[middle]] < times[index] { low = middle + 1 } else { high = middle }
      }
      if low > 0 { before[index] = ends[low - 1] }
      if low < ends.count { ends[low] = index } else { ends.append(index) }
    }
    var places: [Int] = []
    var place = ends.last ?? -1
    while place >= 0 {
      places.append(place)
      place = before[place]
    }
    return places.reversed()
  }
}
