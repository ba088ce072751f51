import StyleModelKit

/// What models are evaluated on; shared by the commands that evaluate.
enum EvaluationArguments {
  static let images = ValueOption(
    "images", .folder("DIR"), inUsage: true,
    "A folder of pictures (.png, .jpg, .npy) to evaluate on (default: a built-in set).")
  static let source = ValueOption(
    "source", .file("PATH"),
    "The model that a .stylemodel was made from, when it is neither beside it nor in the current folder.")
  static let fit = ValueOption(
    "fit", ValueReader<PictureFit>.choice("MODE"),
    "How a picture is brought to a size that the network allows: resize (default), crop or pad.")
}
