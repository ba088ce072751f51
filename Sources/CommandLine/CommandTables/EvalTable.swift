/// The keys to the arguments of `stylemodel eval`.
enum EvalOptions {
  static let models = Operand(
    "MODEL", count: .zeroOrMore, "The models to evaluate (default: every .stylemodel of the current folder).")
  static let against = ValueOption(
    "against", .text("fp32|MODEL|DIR"), inUsage: true,
    """
    What to compare with: the float network that each model was made from (fp32, the default), another model, or a \
    folder of pictures that have the names of the input pictures.
    """)
  static let minPSNR = ValueOption(
    "min-psnr", .number("dB", in: -.infinity ... .infinity, wish: "a number of decibels, such as 45"),
    inUsage: true,
    "Fail with status 1 when the worst picture has a lower PSNR.")
  static let minSSIM = ValueOption(
    "min-ssim", .number("X", in: -1...1, wish: "a number from -1 to 1, such as 0.99"), inUsage: true,
    "Fail with status 1 when the worst picture has a lower SSIM.")
  static let maxBytes = ValueOption(
    "max-bytes", .integer("N", in: 1 ... .max), "Fail with status 1 when a model's file is larger.")
  static let rounded = OptionSpec(
    "rounded", "Compare pictures after rounding to 8 bits, and not the networks' float output.")
  static let report = ValueOption(
    "report", .file("FILE"), repeatable: true, inUsage: true,
    "Write the report to a file as well, as its name ends: .json or .md. May be repeated.")
}

/// `stylemodel eval`.
let evalCommand = CommandSpec(
  "eval",
  overview: """
    Measure how close the pictures of models are to those of a reference. Both see the same pixels at the same size; \
    the definitions of PSNR and SSIM are printed beside the figures.
    """,
  operands: [EvalOptions.models],
  sections: [
    OptionSection(
      "OPTIONS",
      [
        EvalOptions.against.spec, EvaluationArguments.images.spec, EvaluationArguments.source.spec,
        EvaluationArguments.fit.spec, PrecisionOptions.compute.spec, PrecisionOptions.halfStatistics,
        EvalOptions.rounded, EvalOptions.report.spec,
      ]),
    OptionSection("GATES", [EvalOptions.minPSNR.spec, EvalOptions.minSSIM.spec, EvalOptions.maxBytes.spec]),
    ImportArguments.section,
    GeneralOptions.section(GeneralOptions.threads.spec, GeneralOptions.json),
  ],
  examples: [
    Example(
      "Evaluate every model of this folder against the network it was made from", "eval --against fp32"),
    Example(
      "Fail a CI job when the pictures drift, and keep a report",
      "eval mosaic.int8.stylemodel --min-psnr 45 --report eval.md"),
  ],
  body: runEval)
