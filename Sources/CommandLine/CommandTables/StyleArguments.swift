import ModelGraph

/// Which style is wanted of a network that has several; shared by the commands that run or convert networks.
enum StyleArguments {
  static let style = ValueOption(
    "style", .text("K"), inUsage: true, exclusiveSet: "style",
    "The style wanted of a network that has several: its number from 0, or its name. 'inspect' lists them.")
  static let blend = ValueOption(
    "blend", .blend, exclusiveSet: "style",
    "A mixture of styles: each with its weight, as in 0:0.5,2:0.5. The weights are taken as they are.")
  static let all = OptionSpec(
    "all-styles", exclusiveSet: "style", "Every style of the network in turn.")

  /// The choice that a command line makes.
  static func choice(_ arguments: ParsedArguments) -> StyleBlend? {
    arguments[blend] ?? arguments[style].map { StyleBlend(style: $0) }
  }
}
