public import Tensors

/// What the readers and writers of safetensors agree on: eight bytes that give the header's length, the header in JSON,
/// and the tensors one after another, without holes, to the end of the file.
public enum SafetensorsFormat {
  /// The longest header that is read or written, in bytes; the reference implementation's limit too.
  public static let headerLimit = 100_000_000

  /// The longest text of a graph that is read or written, in bytes: some thousand operations, where real networks have
  /// a hundred.
  public static let graphTextLimit = 256 << 10

  /// The key of the header under which texts about the file stand.
  public static let metadataKey = "__metadata__"

  /// The texts that files of this program carry beside their tensors, those of `Provenance.Key` apart.
  public enum Key {
    /// By common usage, whose layout the tensors have: `pt` for PyTorch's.
    public static let format = "format"
    /// The network in the text form of graphs, pixel contract included.
    public static let graph = "stylemodel.graph"
    /// JSON: which tensors are integers that stand for floats, and which tensors hold their scales and offsets.
    public static let encodings = "stylemodel.encodings"
    /// The pixel contract in words; `graph` is what counts.
    public static let pixels = "stylemodel.pixels"
  }
}

extension ElementType {
  /// The type by the name that safetensors has for it, or nil for a type that a state dict here cannot hold.
  public init?(safetensorsName name: String) {
    guard let type = Self.allCases.first(where: { $0.safetensorsName == name }) else { return nil }
    self = type
  }

  /// The name that safetensors has for the type: `BF16`.
  public var safetensorsName: String {
    switch self {
    case .float64: "F64"
    case .float32: "F32"
    case .float16: "F16"
    case .bfloat16: "BF16"
    case .int64: "I64"
    case .int32: "I32"
    case .int16: "I16"
    case .int8: "I8"
    case .uint8: "U8"
    case .bool: "BOOL"
    }
  }
}
