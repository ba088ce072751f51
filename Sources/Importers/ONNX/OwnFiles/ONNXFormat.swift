/// What the writer of ONNX files and their reader agree on, beyond the standard.
public enum ONNXFormat {
  /// The texts in a file's metadata, those of `Provenance.Key` apart.
  public enum Key {
    /// The pixel contract of the network in the graph's text form: `pixels(imagenet)`. Any file may carry it.
    public static let contract = "stylemodel.contract"
    /// Where it stands, the graph does the network's processing too: the file's own input and output are pixels of
    /// 0…255 in RGB, and the contract is about the network between.
    public static let processing = "stylemodel.processing"
    /// JSON: what the standard cannot say of a weight, by its name in the file. `bits` is the width of integers that are
    /// stored in wider ones, `name` a name that the file cannot give it.
    public static let weights = "stylemodel.weights"
  }

  /// What is said under `Key.processing`.
  public static let processing =
    "in and out are RGB, 0 to 255; stylemodel.contract is about the network between"

  /// How constants begin that stand in for a norm's factors or summands where the network has none.
  public static let fillerPrefix = "stylemodel.filler."

  /// How the names of nodes end that do a part of the node whose name stands before it.
  public enum Part {
    /// A `Pad` that belongs to a convolution.
    public static let padding = "/padding"
    /// A `Mul` that an `Add` follows: `scale * x + bias`.
    public static let product = "/product"
  }
}
