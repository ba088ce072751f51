/// The keys to the arguments of `stylemodel sensitivity`.
enum SensitivityOptions {
  static let model = Operand("MODEL", "The network: whatever 'convert' takes.")
  static let widths = ValueOption(
    "widths", .integers("N,…", in: 2...8), inUsage: true,
    "The widths of the integers, in bits (default: \(defaultWidths.map(String.init).joined(separator: ",")))."
  )
  static let calibrate = ValueOption(
    "calibrate", .folder("DIR"), inUsage: true,
    "Measure with the pictures of DIR, and not with the built-in calibration set.")

  /// What `--widths` is when it is not given.
  static let defaultWidths = [4, 6, 8]
}

/// `stylemodel sensitivity`.
let sensitivityCommand = CommandSpec(
  "sensitivity",
  overview: """
    Say which layers matter: each alone is rounded to integers, as 'convert --bits N --calibrate' rounds them, and the change \
    of the pictures is measured beside the one that calibration expects.
    """,
  operands: [SensitivityOptions.model],
  sections: [
    OptionSection(
      "OPTIONS",
      [
        SensitivityOptions.widths.spec, SensitivityOptions.calibrate.spec, StyleArguments.style.spec,
        StyleArguments.blend.spec,
      ]),
    ImportArguments.section,
    GeneralOptions.section(GeneralOptions.threads.spec, GeneralOptions.json),
  ],
  examples: [
    Example("See what each layer costs at 4, 6 and 8 bits", "sensitivity mosaic_4000.pth"),
    Example("Look at 5 bits, for a script", "sensitivity mosaic_4000.pth --widths 5 --json"),
  ],
  body: runSensitivity)
