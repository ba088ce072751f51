import ModelGraph

/// The keys to the arguments of `stylemodel bench`.
enum BenchOptions {
  static let model = Operand("MODEL", "The network: a .stylemodel or a PyTorch checkpoint.")
  static let size = ValueOption(
    "size", .size, inUsage: true,
    "The picture's size (default: \(defaultSize.width)x\(defaultSize.height)).")
  static let runs = ValueOption(
    "runs", .integer("N", in: 1...100_000), inUsage: true,
    "How many passes are timed, after one that is not (default: \(defaultRuns)).")

  static let layers = OptionSpec(
    "layers",
    "Time every layer too, beside what the machine's arithmetic and memory could do at best.")

  /// What `--size` is when it is not given.
  static let defaultSize = PictureSize(width: 640, height: 960)
  /// What `--runs` is when it is not given.
  static let defaultRuns = 5
}

/// `stylemodel bench`.
let benchCommand = CommandSpec(
  "bench",
  overview: """
    Time one forward pass of a network. From a float32 RGB picture in memory to a float32 picture in memory, with \
    weights packed and buffers warm.
    """,
  operands: [BenchOptions.model],
  sections: [
    OptionSection("OPTIONS", [BenchOptions.size.spec, BenchOptions.runs.spec, BenchOptions.layers]),
    ImportArguments.section,
    GeneralOptions.section(GeneralOptions.threads.spec, GeneralOptions.json),
  ],
  examples: [
    Example(
      "Time it on two threads, for a script", "bench mosaic.stylemodel --size 640x960 --threads 2 --json")
  ],
  body: runBench)
