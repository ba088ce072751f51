/// The keys to the arguments of `stylemodel report`.
enum ReportOptions {
  static let action = Operand(
    "merge", completion: .words(["merge"]), "What to do: put the parts of a catalogue together.")
  static let parts = Operand(
    "PART", count: .oneOrMore, "The part files that shards have written, or folders of them, in any order.")
  static let report = ValueOption(
    "report", .file("FILE"), repeatable: true, inUsage: true,
    "Write the report to a file, as its name ends: .json, .md, .xml, .csv or .html, of a sweep .svg too. May be repeated."
  )
  static let allowVersions = OptionSpec(
    "allow-versions", "Put parts of several versions of stylemodel into one report.")
}

/// `stylemodel report`.
let reportCommand = CommandSpec(
  "report",
  overview: """
    Make one report of the parts that the shards of a catalogue have written. It is what one machine would have \
    reported, to the byte, apart from times; gates and exit status are as for one run. Parts that are missing, doubled, \
    cut off or of another plan are named, and nothing is written then.
    """,
  operands: [ReportOptions.action, ReportOptions.parts],
  sections: [
    OptionSection("OPTIONS", [ReportOptions.report.spec, ReportOptions.allowVersions]),
    GeneralOptions.section(GeneralOptions.json),
  ],
  examples: [
    Example(
      "Make a page and a table of a job array's parts", "report merge parts --report s.html --report s.csv")
  ],
  body: runReport)
