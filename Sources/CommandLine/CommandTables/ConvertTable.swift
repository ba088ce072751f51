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
  static let size = ValueOption(
    "size", .sizes, exclusiveSet: "sizes",
    "The picture sizes that the result allows, in place of those of INPUT: one, or several apart by commas.")
  static let sizeRange = ValueOption(
    "size-range", .sizeRange, exclusiveSet: "sizes",
    "The same as a range, from the least to the greatest size; without a greatest one as in 64x64:.")
  static let freezeNorm = ValueOption(
    "freeze-norm", .folder("DIR"),
    """
    Freeze the statistics that live norms take from each picture to those over the pictures of DIR, and fold them into \
    the convolutions. Faster and steadier from frame to frame, but it changes the pictures: says by how much.
    """)
  static let calibrate = ValueOption(
    "calibrate", .optionalFolder("DIR"), inUsage: true,
    """
    Show the network pictures to learn which errors in its weights matter, and round integers so that errors make up for one \
    another: those of DIR, or a built-in set that shares none with the one for evaluation. Searches do so by themselves.
    """)
  static let minPSNR = ValueOption(
    "min-psnr",
    .decibels(in: 1...SearchGoal.greatestPSNR, wish: "a number of decibels from 1 to 100, such as 40"),
    inUsage: true, exclusiveSet: SchemeOptions.exclusiveSet,
    "Find the smallest file whose PSNR is at least this on the worst calibration picture.")
  static let maxBytes = ValueOption(
    "max-bytes", .integer("N", in: 1 ... .max), inUsage: true, exclusiveSet: SchemeOptions.exclusiveSet,
    "Find the file of at most N bytes whose pictures are nearest to the float network's.")
  static let photosOnly = OptionSpec(
    "photos-only",
    "Let photographs and textures decide, and no smooth ramps: about a fifth smaller, at the cost of skies and shades."
  )
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
      "OPTIONS",
      [
        ConvertOptions.output.spec, ConvertOptions.calibrate.spec, StyleArguments.style.spec,
        StyleArguments.blend.spec, ConvertOptions.size.spec, ConvertOptions.sizeRange.spec,
        ConvertOptions.freezeNorm.spec,
      ]),
    SchemeOptions.section,
    OptionSection(
      "SEARCH OPTIONS",
      [ConvertOptions.minPSNR.spec, ConvertOptions.maxBytes.spec, ConvertOptions.photosOnly]),
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
      "Round the weights so that errors make up for one another", "convert mosaic_4000.pth --int8 --calibrate"
    ),
    Example(
      "Find the smallest file that keeps 40 dB", "convert mosaic_4000.pth --min-psnr 40"),
    Example(
      "Keep the layers that matter most bit for bit",
      "convert mosaic_4000.pth -o mosaic.stylemodel --keep first,last"),
    Example(
      "Keep one style of a network that has several", "convert turi.stylemodel -o wave.stylemodel --style 2"),
    Example(
      "Convert a network of an architecture of your own", "convert net.pth --arch net.recipe --io unit"),
  ],
  body: runConvert)
