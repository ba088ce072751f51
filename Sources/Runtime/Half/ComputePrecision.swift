/// What a network's weights and the numbers between its layers are held in while it runs.
public enum ComputePrecision: Hashable, Sendable {
  /// What the sums behind an instance norm are held in.
  public enum Statistics: Hashable, Sendable {
    /// Never less than single precision, as careful kernels do.
    case float32
    /// Half precision, as careless ones do: sums of squares soon pass 65504.
    case float16
  }

  /// Single precision.
  case float32
  /// Half precision, as on a phone's GPU: weights and the result of every operation are rounded to the nearest half,
  /// ties to even; the sums inside a convolution are taken in single precision.
  case float16(statistics: Statistics)

  /// The name that the command line and reports use.
  public var name: String {
    switch self {
    case .float32: "fp32"
    case .float16(.float32): "fp16"
    case .float16(.float16): "fp16 with fp16 statistics"
    }
  }
}
