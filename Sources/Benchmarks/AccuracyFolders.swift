import Foundation

/// A recording and its reference, in one of the two layouts of the public sets, by the paths of their files.
struct FoundRecording {
  enum Layout: String, Codable {
    /// `PPG.csv` with its time stamps, and `RR.txt`: the intervals of a chest strap in ms, which have none.
    case chestStrap
    /// `left.csv` or `right.csv` or both, colours at one rate, and `reference.csv`: oximeters and capnograph, 1 Hz.
    case oximeters
  }

  let layout: Layout
  /// Where it lies, from the folder that was asked for: one or more names.
  let folder: [String]
  /// The files with frames: one, or a hand each.
  let frames: [String]
  let reference: String
}

/// Every recording at any depth under a folder, in the order of the folders' names, and what is there but incomplete.
///
/// A recording is known by the names of its files in one folder, in whichever letters. Links are followed, and a folder
/// is entered once; names that begin with a point are passed over.
func findRecordings(under root: String) throws(AccuracyProblem) -> ([FoundRecording], [AccuracyProblem]) {
  var found: [FoundRecording] = []
  var problems: [AccuracyProblem] = []
  var folders = [(path: root, names: [String]())]
  var entered: Set<String> = []
  while let (path, names) = folders.popLast() {
    guard entered.insert(URL(fileURLWithPath: path).resolvingSymlinksInPath().path).inserted else { continue }
    let content = try list(path)
    folders += content.folders.reversed().map { ("\(path)/\($0)", names + [$0]) }
    func file(_ name: String) -> String? {
      content.files.first { $0.lowercased() == name }.map { "\(path)/\($0)" }
    }
    let place = names.isEmpty ? [lastName(of: root)] : names
    switch (file("ppg.csv"), file("rr.txt")) {
    case (let frames?, let reference?):
      found.append(FoundRecording(layout: .chestStrap, folder: place, frames: [frames], reference: reference))
    case (let frames?, nil): problems.append(AccuracyProblem(file: frames, message: "there is no RR.txt beside it"))
    case (nil, let reference?):
      problems.append(AccuracyProblem(file: reference, message: "there is no PPG.csv beside it"))
    case (nil, nil): break
    }
    let hands = ["left.csv", "right.csv"].compactMap(file)
    switch (hands.first, file("reference.csv")) {
    case (.some, let reference?):
      found.append(FoundRecording(layout: .oximeters, folder: place, frames: hands, reference: reference))
    case (let frames?, nil):
      problems.append(AccuracyProblem(file: frames, message: "there is no reference.csv beside it"))
    case (nil, let reference?):
      problems.append(AccuracyProblem(file: reference, message: "there is neither left.csv nor right.csv beside it"))
    case (nil, nil): break
    }
  }
  if found.isEmpty && problems.isEmpty {
    throw AccuracyProblem(
      file: root,
      message: "there is no recording in it: PPG.csv with RR.txt, or left.csv or right.csv with reference.csv")
  }
  return (found, problems)
}

/// The names in a folder, in order.
private func list(_ path: String) throws(AccuracyProblem) -> (files: [String], folders: [String]) {
  guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
    throw AccuracyProblem(
      file: path,
      message: FileManager.default.fileExists(atPath: path) ? "it is no folder that can be read" : "it is not there")
  }
  var (files, folders) = ([String](), [String]())
  for name in names.sorted() where !name.hasPrefix(".") {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isFolder) else { continue }
    if isFolder.boolValue { folders.append(name) } else { files.append(name) }
  }
  return (files, folders)
}

func lastName(of path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.lastPathComponent }

/// Everything in a file.
func readFile(_ path: String) throws(AccuracyProblem) -> [UInt8] {
  guard let content = FileManager.default.contents(atPath: path) else {
    throw AccuracyProblem(file: path, message: "it cannot be read")
  }
  return [UInt8](content)
}
