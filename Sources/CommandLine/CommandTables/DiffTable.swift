/// The keys to the arguments of `stylemodel diff`.
enum DiffOptions {
  static let a = Operand("A", "A model file of any kind that can be read.")
  static let b = Operand("B", "The model to compare it with.")
  static let failIfDifferent = OptionSpec(
    "fail-if-different", inUsage: true,
    """
    End with status 1 when the two are not one network: when pixels, operations or stored numbers differ. Without it \
    the status is 0, whatever differs.
    """)
}

/// `stylemodel diff`.
let diffCommand = CommandSpec(
  "diff",
  overview: """
    Show what differs between two models: files, origin, pixels, operations, and each tensor's encoding and numbers. \
    Models are compared as their files have them; nothing is run.
    """,
  operands: [DiffOptions.a, DiffOptions.b],
  sections: [
    OptionSection("OPTIONS", [DiffOptions.failIfDifferent]),
    ImportArguments.section,
    GeneralOptions.section(GeneralOptions.json),
  ],
  examples: [
    Example("See what a conversion changed", "diff mosaic_4000.pth mosaic_4000.int8.stylemodel"),
    Example(
      "Check in a script that two files hold one network",
      "diff old.stylemodel new.stylemodel --fail-if-different"),
  ],
  body: runDiff)
