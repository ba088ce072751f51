/// How weights are to be stored.
enum SchemeOptions {
  static let bits = ValueOption(
    "bits", .integer("2…8", in: 2...8), inUsage: true, exclusiveSet: schemeSet,
    "Whole numbers of so many bits, otherwise as --int8.")
  static let keep = ValueOption(
    "keep", .names("NAME,…"), repeatable: true,
    "Tensors to keep bit for bit, by name; 'first' and 'last' stand for the first and last convolution.")

  /// The section for the tables of commands.
  static var section: OptionSection { OptionSection("QUANTIZATION OPTIONS", schemeOptions() + [keep.spec]) }
}

/// The rows that the table of quantization schemes gives to the command line: of the schemes one may be given, the
/// modifiers go with any scheme of whole numbers.
func schemeOptions() -> [OptionSpec] {
  func scheme(_ name: String, _ help: String) -> OptionSpec {
    OptionSpec(name, inUsage: true, exclusiveSet: schemeSet, help)
  }
  return [
    scheme("fp32", "Floats as they are."),
    scheme("fp16", "Half precision; a tensor that would overflow stays fp32."),
    scheme("int8", "Whole numbers of 8 bits with one scale an output channel (default)."),
    SchemeOptions.bits.spec,
    OptionSpec("affine", "Whole numbers with a zero point of their own, for weights that lean to one side."),
    OptionSpec("per-tensor", "One scale a tensor in place of one a channel."),
  ]
}

/// Only one scheme can hold.
private let schemeSet = "scheme"
