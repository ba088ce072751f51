import ModelGraph

/// How an input is to be read where its own bytes leave something open; shared by every command that reads models.
enum ImportArguments {
  static let arch = ValueOption(
    "arch", .file("FILE"),
    "A recipe of your own that says which network the tensors of a checkpoint belong to.")
  static let stateKey = ValueOption(
    "state-key", .text("KEY"), "Which entry of a checkpoint holds the weights, where there are several.")
  static let keepRunningStats = OptionSpec(
    "keep-running-stats",
    "Take the running statistics of instance norms as meant. Without this they are ignored, as PyTorch does.")
  static let io = ValueOption(
    "io", ValueReader<PixelPreset>.choice("PRESET"),
    "Which pixels the network wants and gives, where the file does not say: "
      + PixelPreset.allCases.map { "\($0.rawValue) (\($0.summary))" }.joined(separator: "; ") + ".")
  static let inputScale = ValueOption(
    "input-scale", .channels, "What 0…255 input pixels are multiplied by; one number, or one a channel.")
  static let inputBias = ValueOption("input-bias", .channels, "What is added to them after that.")
  static let outputScale = ValueOption(
    "output-scale", .channels, "What the network's output is multiplied by to give 0…255 pixels.")
  static let outputBias = ValueOption("output-bias", .channels, "What is added to it after that.")

  /// The section for the tables of commands.
  static let section = OptionSection(
    "IMPORT OPTIONS",
    [
      arch.spec, stateKey.spec, keepRunningStats, io.spec, inputScale.spec, inputBias.spec, outputScale.spec,
      outputBias.spec,
    ])
}
