/// The keys to the arguments of `stylemodel sweep`.
enum SweepOptionTable {
  static let models = Operand(
    "MODEL", count: .zeroOrMore,
    "The networks, patterns allowed: PyTorch checkpoints, or .stylemodel files with float weights.")
  static let schemes = ValueOption(
    "schemes", .schemes, inUsage: true,
    """
    How weights are stored, apart by commas: fp32, fp16, and int2 to int8, the latter with -affine, -per-tensor or \
    both behind it (default: \(defaultSchemes)).
    """)
  static let calibrate = ValueOption(
    "calibrate", .optionalFolder("DIR"), inUsage: true,
    "Round integers and palettes as 'convert --calibrate' does, with the pictures of DIR or a built-in set.")
  static let report = ValueOption(
    "report", .file("FILE"), repeatable: true, inUsage: true,
    """
    Write the result to a file as well, as its name ends: .csv, .svg (size against PSNR), .html (plot and table), \
    .json, .md or .xml (JUnit). May be repeated.
    """)

  /// What `--schemes` is when it is not given.
  static let defaultSchemes = "fp16,int8,int7,int6,int5,int4"
}

/// `stylemodel sweep`.
let sweepCommand: CommandSpec = CommandSpec(
  "sweep",
  overview: """
    Measure bytes against looks over many ways to store the weights. Each is converted in memory and compared with \
    the float network; the sizes are those of the files that 'convert' would write.
    """,
  operands: [SweepOptionTable.models],
  sections: [
    OptionSection(
      "OPTIONS",
      [
        SweepOptionTable.schemes.spec, SweepOptionTable.calibrate.spec, SchemeOptions.keep.spec,
        EvaluationArguments.images.spec,
        EvaluationArguments.fit.spec, StyleArguments.style.spec, StyleArguments.blend.spec,
        EvalOptions.rounded, SweepOptionTable.report.spec,
      ]),
    OptionSection(EvalOptions.gatesTitle, EvalOptions.limits),
    CatalogueArguments.section(),
    ImportArguments.section,
    GeneralOptions.section(GeneralOptions.threads.spec, GeneralOptions.json),
  ],
  examples: [
    Example("See what each width costs, as a plot", "sweep mosaic_4000.pth --report sweep.svg"),
    Example(
      "Compare symmetric with affine integers on pictures of your own",
      "sweep net.pth --schemes int5,int5-affine --images photos"),
    Example(
      "Do the third sixth of a catalogue, as a task of a job array would",
      "sweep styles/*.pth --images photos --shard 3/6"),
  ],
  body: runSweep)
