import Diagnostics
import Quantization

/// How weights are to be stored: the rows of the table of quantization schemes, as options.
enum SchemeOptions {
  static let keep = ValueOption(
    "keep", .names("NAME,…"), repeatable: true,
    "Tensors to keep bit for bit, by name; 'first' and 'last' stand for the first and last convolution.")

  /// The set of which one option may be given.
  static let exclusiveSet = "scheme"

  /// The section for the tables of commands.
  static var section: OptionSection {
    OptionSection("QUANTIZATION OPTIONS", QuantizationScheme.all.map(option) + [keep.spec])
  }

  /// The options that a command line asks for.
  /// - Throws: `.usage` when they do not go together.
  static func options(_ arguments: ParsedArguments) throws(StyleModelError) -> QuantizationOptions {
    var options = QuantizationOptions()
    for scheme in QuantizationScheme.all where arguments.has(scheme.name) {
      try options.apply(scheme, argument: arguments.values[scheme.name]?.last.flatMap { Int($0) })
    }
    options.keep = arguments.all(keep).flatMap { $0 }
    try options.validate()
    return options
  }

  /// Of the schemes one may be given; the modifiers go with any scheme of integers.
  private static func option(_ scheme: QuantizationScheme) -> OptionSpec {
    let value = scheme.argument.map { range in
      ValueReader.integer("\(range.lowerBound)…\(range.upperBound)", in: range).spec
    }
    return OptionSpec(
      scheme.name, value: value, inUsage: !scheme.isModifier,
      exclusiveSet: scheme.isModifier ? nil : exclusiveSet,
      scheme.summary)
  }
}
