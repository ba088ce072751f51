/// The keys to the arguments of `stylemodel stylize`.
enum StylizeOptions {
  static let model = Operand("MODEL", "The network: a .stylemodel or a PyTorch checkpoint.")
  static let images = Operand(
    "IMAGE", count: .oneOrMore,
    "The pictures: .png, .jpg, or .npy (float32 [H, W, 3], RGB, 0…255). One that fails does not stop the others."
  )
  static let output = ValueOption(
    "output", short: "o", .file("OUT"), required: true,
    """
    The file to write, in the format that its name ends in: .png, .jpg, or .npy (unclamped, unrounded). A folder \
    where there are several pictures. With --all-styles a picture for each style, named by it: out.style0.png.
    """)
  static let background = ValueOption(
    "background", .color, "What shows through transparent pixels: white (default), black, or as in #a0b0c0.")
  static let memoryLimit = ValueOption(
    "memory-limit", .byteCount("SIZE"),
    """
    The most memory to use, such as 800MB (default: 1GB or a quarter of this machine's, and more only for pictures that \
    need it). A large picture takes less memory in bands, and a little longer; the result is the same.
    """)
}

/// `stylemodel stylize`.
let stylizeCommand = CommandSpec(
  "stylize",
  overview: "Run a network on pictures.",
  operands: [StylizeOptions.model, StylizeOptions.images],
  sections: [
    OptionSection(
      "OPTIONS",
      [
        StylizeOptions.output.spec, StyleArguments.style.spec, StyleArguments.blend.spec, StyleArguments.all,
        StylizeOptions.background.spec, EvaluationArguments.fit.spec,
        PrecisionOptions.compute.spec, PrecisionOptions.halfStatistics, StylizeOptions.memoryLimit.spec,
      ]),
    ImportArguments.section,
    GeneralOptions.section(GeneralOptions.threads.spec),
  ],
  examples: [
    Example("Stylize one picture", "stylize mosaic.stylemodel photo.jpg -o styled.png"),
    Example(
      "See every style of a network that has several",
      "stylize turi.stylemodel photo.jpg -o out.png --all-styles"),
    Example("Stylize many into a folder", "stylize mosaic.stylemodel a.jpg b.jpg c.png -o styled"),
  ],
  body: runStylize)
