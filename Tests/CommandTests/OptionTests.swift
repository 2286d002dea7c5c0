import Testing

@Suite struct OptionTests {
  /// Arguments, the exit code, and a part of what standard error says; empty: it says nothing.
  private static let rows: [(arguments: String, exitCode: Int32, error: String)] = [
    ("", 2, "no command is given"),
    ("help", 0, ""), ("--help", 0, ""), ("-h", 0, ""), ("help run", 0, ""), ("run --help", 0, ""), ("run a -h", 0, ""),
    ("help help", 0, ""), ("version", 0, ""), ("--version", 0, ""),
    ("help rnu", 2, "unknown command rnu\n  did you mean run?"),
    ("help run check", 2, "unexpected argument check"),
    ("rnu x", 2, "unknown command rnu\n  did you mean run?"),
    ("zzz", 2, "unknown command zzz\n  try: vitals-sim help"),
    ("--quiet run a.yaml", 2, "unknown option --quiet; options follow the command"),
    ("run", 2, "run needs a PATH"), ("run --", 2, "run needs a PATH"), ("check", 2, "check needs a PATH"),
    ("run a.yaml", 0, ""), ("run ./a.yaml", 0, ""), ("run -- a.yaml", 0, ""), ("run -q a.yaml", 0, ""),
    ("run a.yaml --quiet", 0, ""), ("run a.yaml -qj1", 0, ""), ("run a.yaml -qj 1", 0, ""),
    ("run a.yaml -p ios", 0, ""), ("run a.yaml -pios", 0, ""), ("run a.yaml --platform=ios", 0, ""),
    ("run a.yaml --platform ios --platform android", 0, ""),
    ("run -- --quiet", 2, "there is no file or directory --quiet"),
    ("run a.yaml --jsno x", 2, "run has no option --jsno\n  did you mean --json?"),
    ("run a.yaml --Platform x", 2, "did you mean --platform?"),
    ("run a.yaml --wibble", 2, "run has no option --wibble\n  try: vitals-sim help run"),
    ("run a.yaml -x", 2, "run has no option -x"),
    ("run a.yaml -qx", 2, "run has no option -x"),
    ("check a.yaml --json x", 2, "check has no option --json"),
    ("run a.yaml --json", 2, "option --json needs its FILE"),
    ("run a.yaml --json --quiet", 2, "option --json needs its FILE"),
    ("run a.yaml --json -q", 2, "option --json needs its FILE"),
    ("run a.yaml -j", 2, "option -j needs its N"),
    ("run a.yaml --quiet=yes", 2, "option --quiet takes no value"),
    ("run a.yaml --platform=", 2, "unknown platform \"\"\n"),
    ("run a.yaml --platform iso", 2, "unknown platform iso\n  did you mean ios?"),
    ("run a.yaml --platform beos", 2, "known are ios, android"),
    ("run a.yaml --seed 0", 0, ""), ("run a.yaml -s 3..4", 0, ""), ("run a.yaml -s 3..3", 0, ""),
    ("run a.yaml --seed 9223372036854775807", 0, ""),
    ("run a.yaml --seed 9223372036854775808", 2, "is not a seed"),
    ("run a.yaml --seed -1", 2, "-1 is not a seed"), ("run a.yaml --seed +1", 2, "is not a seed"),
    ("run a.yaml --seed=", 2, "\"\" is not a seed"), ("run a.yaml --seed 1.5", 2, "is not a seed"),
    ("run a.yaml --seed 1...5", 2, "is not a seed"), ("run a.yaml --seed 1..", 2, "is not a seed"),
    ("run a.yaml --seed 5..1", 2, "go backwards"),
    ("run a.yaml --seed 0..9223372036854775807", 2, "more than 100000 seeds"),
    ("run a.yaml --jobs 0", 2, "is not a number of jobs"), ("run a.yaml --jobs two", 2, "is not a number of jobs"),
    ("run a.yaml --jobs 99999999999999999999", 2, "is not a number of jobs"), ("run a.yaml --jobs 1024", 0, ""),
    ("run a.yaml --shard 1/1", 0, ""), ("run a.yaml --shard 9/9", 0, ""),
    ("run a.yaml --shard 0/2", 2, "is not a part"), ("run a.yaml --shard 3/2", 2, "is not a part"),
    ("run a.yaml --shard +1/+3", 2, "+1/+3 is not a part"), ("run a.yaml --shard=", 2, "\"\" is not a part"),
    ("run a.yaml --jobs=", 2, "\"\" is not a number of jobs"), ("run a.yaml --tag=", 2, "has the tag \"\"\n"),
    ("run a.yaml --source=", 2, "unknown source \"\"\n"), ("run a.yaml --without=", 2, "cannot run without \"\"\n"),
    ("run a.yaml --shard 1", 2, "is not a part"), ("run a.yaml --shard 1/2/3", 2, "is not a part"),
    ("run a.yaml --tag quick", 0, ""), ("run a.yaml -t quick -t quick", 0, ""),
    ("run a.yaml --tag quik", 2, "no scenario here has the tag quik\n  did you mean quick?"),
    ("run a.yaml --without accuracy", 0, ""), ("run a.yaml --without heartRate --without rmssd", 0, ""),
    ("run a.yaml --without acuracy", 2, "did you mean accuracy?"),
    ("run a.yaml --source synthetic", 0, ""),
    ("run a.yaml --source camera", 2, "unknown source camera\n  write synthetic, recording:FILE, serial:PORT"),
    ("run a.yaml --source recording:", 2, "unknown source recording:"),
    ("run a.yaml --source recording:nowhere.csv", 2, "cannot read nowhere.csv: No such file"),
    ("run a.yaml --source recording:a.yaml", 2, "a.yaml:"),
    ("run a.yaml --columns red=R", 2, "--columns is about a recording"),
    ("run a.yaml --reference r.txt", 2, "--reference is about a recording"),
    ("run a.yaml --source recording:a.yaml --columns bread=R", 2, "--columns: \"bread\" is not a column"),
    ("run a.yaml --record-goldens --seed 4", 2, "the scenario's own seed"),
    ("run a.yaml --json - --junit -", 2, "only one report can go to standard output"),
    ("run a.yaml --json a --junit a", 2, "only one report can go to a"),
    ("check a.yaml", 0, ""), ("check . ", 0, ""),
    ("replay", 2, "replay needs a TRACE"), ("replay a b", 2, "unexpected argument b"),
    ("replay nowhere", 2, "cannot read nowhere: No such file"), ("replay a.yaml", 2, "a.yaml is not a trace: line 1"),
    ("replay .", 2, "it is a directory"),
    ("trace", 2, "show or diff"), ("trace shwo x", 2, "trace has no shwo"), ("trace show", 2, "trace needs a FILE"),
    ("trace diff a.yaml", 2, "trace diff needs two files"), ("trace diff a b c", 2, "unexpected argument c"),
    ("schema", 0, ""), ("schema x", 2, "unexpected argument x"), ("version x", 2, "unexpected argument x"),
    ("mutants a.yaml --only stop-ignored", 0, ""), ("mutants --list", 0, ""),
    ("mutants --list a.yaml", 2, "unexpected"),
    ("mutants", 2, "there is no file or directory scenarios"),
    ("mutants a.yaml --only stop-ignord", 2, "no mutant is named stop-ignord\n  did you mean stop-ignored?"),
    ("mutants a.yaml --only=", 2, "no mutant is named \"\"\n"), ("mutants a.yaml -j 0", 2, "is not a number of jobs"),
    ("rules", 2, "there is no file or directory scenarios"), ("rules a.yaml --tests nowhere", 2, "cannot read nowhere"),
    ("rules a.yaml --tests a.yaml", 2, "no test passed in a.yaml"), ("rules a.yaml -j x", 2, "is not a number of jobs"),
    ("judge", 2, "judge needs a TRACE"), ("judge nowhere", 2, "cannot read nowhere: No such file"),
    ("judge a.yaml", 2, "a.yaml is not a trace: line 1"), ("judge . ", 2, "it is a directory"),
    ("judge a --json x --junit x", 2, "only one report can go to x"),
    ("explain", 2, "explain needs a RULE"), ("explain V10", 0, ""), ("explain v10", 2, "did you mean V10?"),
    ("explain V10 V11", 2, "unexpected argument V11"), ("explain Q", 2, "the rules are V01 to V50"),
  ]

  @Test func readsArguments() throws {
    let program = try Program()
    try program.write("a.yaml", shortScenario("a", tags: "[quick]"))
    for row in Self.rows {
      let outcome = try program.call(row.arguments.split(separator: " ").map(String.init))
      #expect(outcome.exitCode == row.exitCode && !outcome.isCrash, "\(row.arguments): \(outcome.error)")
      if row.error.isEmpty {
        #expect(outcome.error.isEmpty, "\(row.arguments)")
        #expect(!outcome.output.isEmpty, "\(row.arguments)")
      } else {
        #expect(outcome.output.isEmpty, "\(row.arguments)")
        #expect(outcome.error.hasPrefix("vitals-sim: error: "), "\(row.arguments): \(outcome.error)")
        #expect(outcome.error.contains(row.error), "\(row.arguments): \(outcome.error)")
      }
    }
  }

  @Test(arguments: [
    "", "run", "check", "generate", "emulate", "replay", "trace", "explain", "schema", "version", "judge", "mutants",
    "rules",
  ])
  func helpFitsAScreen(_ command: String) throws {
    let outcome = try Program().call(command.isEmpty ? ["help"] : ["help", command])
    let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 25)
    #expect(lines.allSatisfy { $0.count <= 88 })
    #expect(outcome.output.contains("example: vitals-sim "))
  }
}
