import RecordingAnalysis

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension ChartLibrary {
  /// Where Debian's libjs-dygraphs puts it; the environment may name another folder.
  private static let folder = "/usr/share/javascript/dygraphs"
  private static let variable = "VITALS_SIM_DYGRAPHS"
  private static let mostBytes = 4_000_000

  /// The installed library; nil where there is none.
  static var installed: ChartLibrary? {
    let folder = getenv(variable).map { String(cString: $0) } ?? folder
    guard let script = try? readFile("\(folder)/dygraph.min.js", limit: mostBytes, what: "a script"),
      let style = try? readFile("\(folder)/dygraph.min.css", limit: mostBytes, what: "a style")
    else { return nil }
    return ChartLibrary(
      script: String(decoding: script, as: UTF8.self), style: String(decoding: style, as: UTF8.self))
  }
}
