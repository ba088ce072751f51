public import Tensors

/// What a checkpoint holds once its container is out of the way: named tensors, in the file's order, and what
/// else the file says about them. Every importer of weights without a graph ends in one of these.
public struct StateDict: Sendable {
  /// One named tensor.
  public struct Entry: Sendable {
    /// The name, dots and all: `model.0.block.1.weight`.
    public var name: String
    /// The tensor, gathered into C order.
    public var tensor: StoredTensor

    /// Creates an entry.
    public init(name: String, tensor: StoredTensor) {
      self.name = name
      self.tensor = tensor
    }
  }

  /// What a whole pickled module says of one of its layers; nil where it says nothing.
  public struct LayerSettings: Hashable, Sendable {
    /// The class as the pickle names it: `torch.nn.modules.conv.Conv2d`.
    public var className: String
    /// The strides of a convolution, `[vertical, horizontal]`.
    public var stride: [Int]?
    /// The padding of a convolution, `[vertical, horizontal]`, or of a padding layer, `[left, right, top, bottom]`.
    public var padding: [Int]?
    /// `zeros`, `reflect`, `replicate` or `circular`.
    public var paddingMode: String?
    /// The dilations of a convolution, `[vertical, horizontal]`.
    public var dilation: [Int]?
    /// The number of groups of a convolution.
    public var groups: Int?
    /// The output padding of a transposed convolution, `[vertical, horizontal]`.
    public var outputPadding: [Int]?
    /// The epsilon of a normalisation.
    public var epsilon: Double?
    /// Whether a normalisation was trained to use stored statistics.
    public var tracksRunningStatistics: Bool?

    /// Creates settings that say nothing but the class.
    public init(className: String) { self.className = className }
  }

  /// The tensors, in the file's order; no name occurs twice.
  public var entries: [Entry]
  /// Settings by module path (`model.0.block.1`), from whole pickled modules only.
  public var layers: [String: LayerSettings]
  /// What the reader wants the user to know, one sentence each: a prefix that was stripped, doubles that were
  /// rounded.
  public var notes: [String]
  /// The bytes of all storages behind the tensors, each counted once however many tensors share it; nil where
  /// the reader does not know.
  public var storageByteCount: Int?
  /// The container in a few words: `PyTorch zip checkpoint`.
  public var container: String

  /// Creates a state dict.
  public init(
    entries: [Entry], layers: [String: LayerSettings] = [:], notes: [String] = [], container: String
  ) {
    self.entries = entries
    self.layers = layers
    self.notes = notes
    self.container = container
  }
}
