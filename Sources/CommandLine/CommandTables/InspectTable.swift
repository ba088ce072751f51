/// The keys to the arguments of `stylemodel inspect`.
enum InspectOptions {
  static let file = Operand("FILE", "A model file of any kind that can be read.")
  static let tensors = OptionSpec(
    "tensors", inUsage: true, "List every tensor: name, type, shape, encoding, bytes.")
  static let graph = OptionSpec("graph", inUsage: true, "Print the graph in its text form.")
}

/// `stylemodel inspect`.
let inspectCommand = CommandSpec(
  "inspect",
  overview: """
    Look inside a model file. Shows its container, the recipe that fits it, the pixels it wants and gives, and an \
    exact account of its bytes.
    """,
  operands: [InspectOptions.file],
  sections: [
    OptionSection("OPTIONS", [InspectOptions.tensors, InspectOptions.graph]),
    ImportArguments.section,
    GeneralOptions.section(GeneralOptions.json),
  ],
  examples: [
    Example(
      "See what a checkpoint holds, whether or not its network is known", "inspect mosaic_4000.pth --tensors")
  ],
  body: runInspect)
