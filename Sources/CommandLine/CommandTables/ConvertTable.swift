import StyleModelKit

/// The keys to the arguments of `stylemodel convert`.
enum ConvertOptions {
  static let input = Operand(
    "INPUT",
    """
    The trained network. Its bytes say what it is, never its name: a PyTorch checkpoint, a TorchScript archive, \
    safetensors, a NumPy .npz, a folder of .npy arrays, or a .stylemodel.
    """)
  static let output = ValueOption(
    "output", short: "o", .file("OUTPUT"), inUsage: true,
    "The file to write (default: beside INPUT, as in mosaic.int8.stylemodel). Its name says what kind: "
      + OutputFormat.list + ".")
  static let evaluate = OptionSpec(
    "eval", inUsage: true, "Go on to say how close the result's pictures are to those of the float network.")
}

/// `stylemodel convert`.
let convertCommand = CommandSpec(
  "convert",
  overview: """
    Turn a trained style-transfer network into a small file. Prints what was read, what was done to it, and what \
    came out: the size before and after, and where the bytes are.
    """,
  operands: [ConvertOptions.input],
  sections: [
    OptionSection(
      "OPTIONS", [ConvertOptions.output.spec, StyleArguments.style.spec, StyleArguments.blend.spec]),
    SchemeOptions.section,
    OptionSection(
      "EVALUATION OPTIONS",
      [ConvertOptions.evaluate, EvaluationArguments.images.spec, EvaluationArguments.fit.spec]),
    ImportArguments.section,
    GeneralOptions.section(GeneralOptions.threads.spec, GeneralOptions.json),
  ],
  examples: [
    Example(
      "Store 8 bits a weight, and see how close the pictures stay", "convert mosaic_4000.pth --int8 --eval"),
    Example(
      "Keep the layers that matter most bit for bit",
      "convert mosaic_4000.pth -o mosaic.stylemodel --keep first,last"),
    Example(
      "Keep one style of a network that has several", "convert turi.stylemodel -o wave.stylemodel --style 2"),
    Example(
      "Convert a network of an architecture of your own", "convert net.pth --arch net.recipe --io unit"),
  ],
  body: runConvert)
