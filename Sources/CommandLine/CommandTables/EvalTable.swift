import Evaluation

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
    "min-psnr", .decibels(in: -.infinity ... .infinity, wish: "a number of decibels, such as 45"),
    inUsage: true,
    "Fail with status 1 when the worst picture has a lower PSNR.")
  static let minSSIM = ValueOption(
    "min-ssim", .number("X", in: -1...1, wish: "a number from -1 to 1, such as 0.99"), inUsage: true,
    "Fail with status 1 when the worst picture has a lower SSIM.")
  static let maxBytes = ValueOption(
    "max-bytes", .integer("N", in: 1 ... .max), "Fail with status 1 when a model's file is larger.")
  static let maxRatio = ValueOption(
    "max-ratio", .share("X"),
    "Fail with status 1 when a model's file is a larger share of the file that it was made from.")
  /// The heading of the options that set limits: of a plan they are the ones that change reports alone.
  static let gatesTitle = "GATES"
  /// The gates that need nothing but the figures.
  static let limits = [minPSNR.spec, minSSIM.spec, maxBytes.spec, maxRatio.spec]
  static let baseline = ValueOption(
    "baseline", .file("REPORT"), inUsage: true,
    """
    An earlier report (.json) of the same models on the same pictures. Fail with status 1 when a picture's PSNR or \
    SSIM drops, or a file grows, beyond rounding. A report that cannot be compared is an error.
    """)
  static let maxDrop = ValueOption(
    "max-drop", .decibels(in: 0 ... .infinity, wish: "a number of decibels from 0, such as 0.5dB"),
    "How much PSNR, and SSIM as -10 log10(1 - SSIM), may drop below the baseline (default: 0dB).")
  static let maxGrowth = ValueOption(
    "max-growth", .share("X"), "How much a file may grow beyond the baseline (default: 0%).")
  static let temporal = OptionSpec(
    "temporal",
    "Measure flicker as well: how much more than the reference a model changes between nearly equal frames.")
  static let ssim = ValueOption(
    "ssim", ValueReader<SSIMDefinition>.choice("WHICH"),
    """
    Which SSIM: standard (Gaussian window on each channel, the default), luma (the same on luma alone), or skimage \
    (scikit-image's own default, a uniform window of 7x7). Figures of one are not those of another.
    """)
  static let rounded = OptionSpec(
    "rounded", "Compare pictures after rounding to 8 bits, and not the networks' float output.")
  static let report = ValueOption(
    "report", .file("FILE"), repeatable: true, inUsage: true,
    "Write the report to a file as well, as its name ends: .json, .md, .xml (JUnit), .csv or .html (a page that shows the pictures). May be repeated."
  )
}

/// `stylemodel eval`.
let evalCommand: CommandSpec = CommandSpec(
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
        EvaluationArguments.fit.spec, StyleArguments.style.spec, StyleArguments.blend.spec,
        StyleArguments.all,
        PrecisionOptions.compute.spec, PrecisionOptions.halfStatistics,
        EvalOptions.rounded, EvalOptions.ssim.spec, EvalOptions.temporal, EvalOptions.report.spec,
      ]),
    OptionSection(
      EvalOptions.gatesTitle,
      EvalOptions.limits + [
        EvalOptions.baseline.spec, EvalOptions.maxDrop.spec, EvalOptions.maxGrowth.spec,
      ]),
    CatalogueArguments.section(CatalogueArguments.withPictures),
    ImportArguments.section,
    GeneralOptions.section(GeneralOptions.threads.spec, GeneralOptions.json),
  ],
  examples: [
    Example(
      "Evaluate every model of this folder against the network it was made from", "eval --against fp32"),
    Example(
      "Fail a CI job when the pictures drift, and keep a report",
      "eval mosaic.int8.stylemodel --min-psnr 45 --report eval.md"),
    Example(
      "Fail it when a picture or the size gets worse than it was",
      "eval mosaic.stylemodel --baseline old.json --max-drop 0.5dB"),
    Example(
      "Make a page to look at the pictures with, and see which layer hurts",
      "eval mosaic.int8.stylemodel --images photos --report eval.html"),
  ],
  body: runEval)
