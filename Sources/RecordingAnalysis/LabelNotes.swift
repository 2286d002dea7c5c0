import Recordings
import VitalsModel

/// What the colours of a recording say against the names of its columns.
struct LabelNotes {
  private(set) var notes: [String] = []

  init(_ recording: Recording) {
    let colours = recording.colours
    guard let green = colours.green, let blue = colours.blue else {
      let known = [colours.red, colours.green, colours.blue].compactMap(\.self).joined(separator: " and ")
      notes.append("there is no colour but \(known), so any light is taken for that of a finger")
      addScale(recording)
      return
    }
    var sums = (red: 0.0, green: 0.0, blue: 0.0)
    for frame in recording.frames { sums = (sums.red + frame.red, sums.green + frame.green, sums.blue + frame.blue) }
    // Light through blood is mostly red (see `FingerColour`); what mirrors it in another colour has its names mixed up.
    let share = 0.62
    if max(sums.red, sums.green) <= share * sums.blue {
      notes.append(swapped("blue", "red=\(blue),blue=\(colours.red)"))
    } else if max(sums.red, sums.blue) <= share * sums.green, sums.green > 150 * Double(recording.frames.count) {
      notes.append(swapped("green", "red=\(green),green=\(colours.red)"))
    }
    addScale(recording)
  }

  private func swapped(_ colour: String, _ columns: String) -> String {
    "\(colour) is by far the brightest colour, as it never is through a finger; "
      + "are the columns in another order? try --columns \(columns)"
  }

  private mutating func addScale(_ recording: Recording) {
    let highest = recording.frames.reduce(0) { max($0, $1.red, $1.green, $1.blue) }
    if highest > 0, highest <= 1 { notes.append("no colour is above 1; if they are 0 to 1, multiply them by 255") }
  }
}
