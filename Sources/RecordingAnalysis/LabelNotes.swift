import Recordings
import VitalsModel

/// What the colours of a recording say against the names of its columns.
struct LabelNotes {
  private(set) var notes: [String] = []

  /// - Parameter hasFinger: whether a pulse was looked for anywhere, which only a fingertip's light is
  init(_ recording: Recording, hasFinger: Bool) {
    let colours = recording.colours
    // It is whole numbers of no colour.
    guard !colours.arePleth else { return }
    let light = LightSummary(recording.frames)
    if let green = colours.green, let blue = colours.blue {
      addOrder(light, colours.red, green, blue, hasFinger: hasFinger)
    } else {
      let known = [colours.red, colours.green, colours.blue].compactMap(\.self).joined(separator: " and ")
      notes.append("there is no colour but \(known), so any light is taken for that of a finger")
    }
    if light.highest > 0, light.highest <= 1 {
      notes.append("no colour is above 1; if they are 0 to 1, multiply them by 255")
    } else if light.isWhole {
      notes.append("the means are whole numbers: rounding hides a faint pulse; keep some decimals of them")
    }
  }

  /// Blood takes blue the most and red the least (Prahl's tables of haemoglobin). Whatever a camera's colour processing
  /// makes of it, blue does not come out as the brightest; green does in some dim recordings, in which a fingertip is
  /// found nevertheless.
  private mutating func addOrder(_ light: LightSummary, _ red: String, _ green: String, _ blue: String, hasFinger: Bool)
  {
    let mean = light.mean
    // What is clearly more than another: beyond the noise of a mean, and of a camera that shows a grey room.
    let clearly = 1.03
    if mean.blue > clearly * max(mean.red, mean.green) {
      notes.append(swapped("blue", "red=\(blue),blue=\(red)"))
    } else if max(mean.red, mean.blue) <= 0.8 * mean.green, mean.green > 150 || !hasFinger {
      notes.append(swapped("green", "red=\(green),green=\(red)"))
    }
  }

  private func swapped(_ colour: String, _ columns: String) -> String {
    "\(colour) is the brightest colour, as it hardly ever is through a finger; "
      + "are the columns in another order? try --columns \(columns)"
  }
}

/// The light of all frames together.
private struct LightSummary {
  private(set) var mean = (red: 0.0, green: 0.0, blue: 0.0)
  /// The highest of all colours in all frames.
  private(set) var highest = 0.0
  /// Whether a colour changes and no frame has a fraction in any.
  private(set) var isWhole = false

  init(_ frames: [FrameSample]) {
    guard let first = frames.first else { return }
    var (hasFraction, changes) = (false, false)
    for frame in frames {
      mean = (mean.red + frame.red, mean.green + frame.green, mean.blue + frame.blue)
      highest = max(highest, frame.red, frame.green, frame.blue)
      hasFraction = hasFraction || !(Self.isWhole(frame.red) && Self.isWhole(frame.green) && Self.isWhole(frame.blue))
      changes = changes || frame.red != first.red || frame.green != first.green || frame.blue != first.blue
    }
    let count = Double(frames.count)
    mean = (mean.red / count, mean.green / count, mean.blue / count)
    isWhole = changes && !hasFraction
  }

  private static func isWhole(_ value: Double) -> Bool { value == value.rounded() }
}
