public import Diagnostics
public import Tensors

/// Normalisation by stored statistics: `(x - mean) / sqrt(variance + epsilon) * gamma + beta`, a fixed affine map
/// a channel, whatever its layer may be named.
public struct BatchNorm: OperationDefinition {
  /// The picture, `[1, C, H, W]`.
  public var input: ValueID
  /// The stored means, `[C]`.
  public var mean: ValueID
  /// The stored variances, `[C]`.
  public var variance: ValueID
  /// The factors, `[C]`; nil is 1.
  public var gamma: ValueID?
  /// The summands, `[C]`; nil is 0.
  public var beta: ValueID?
  /// What keeps the root from zero.
  public var epsilon: Float

  /// Creates a normalisation.
  public init(
    input: ValueID, mean: ValueID, variance: ValueID, gamma: ValueID? = nil, beta: ValueID? = nil,
    epsilon: Float = 1e-5
  ) {
    self.input = input
    self.mean = mean
    self.variance = variance
    self.gamma = gamma
    self.beta = beta
    self.epsilon = epsilon
  }

  /// `batch_norm`.
  public static let mnemonics = ["batch_norm"]

  /// The operation as a call.
  public var call: OperationCall {
    OperationCall(
      "batch_norm",
      operands: [
        .init(value: input), .init(role: "mean", value: mean), .init(role: "variance", value: variance),
      ] + (gamma.map { [.init(role: "gamma", value: $0)] } ?? [])
        + (beta.map { [.init(role: "beta", value: $0)] } ?? []),
      attributes: [.init("epsilon", .number(epsilon))])
  }

  /// Reads the operation back.
  public init(_ call: inout OperationCallReader) throws(StyleModelError) {
    input = try call.operand()
    mean = try call.operand("mean")
    variance = try call.operand("variance")
    gamma = call.optionalOperand("gamma")
    beta = call.optionalOperand("beta")
    epsilon = try call.number("epsilon")
    guard epsilon >= 0 else { throw call.problem("wants an epsilon that is not negative") }
  }

  /// Replaces every value used.
  public mutating func mapOperands(_ replacement: (ValueID) -> ValueID) {
    input = replacement(input)
    mean = replacement(mean)
    variance = replacement(variance)
    gamma = gamma.map(replacement)
    beta = beta.map(replacement)
  }

  /// The picture's own shape.
  public func resultShape(_ shape: (ValueID) -> Shape) throws(StyleModelError) -> Shape {
    let picture = shape(input)
    try requirePicture(picture, "batch_norm")
    let vectors =
      [("a mean", mean), ("a variance", variance)] + (gamma.map { [("gamma", $0)] } ?? [])
      + (beta.map { [("beta", $0)] } ?? [])
    for (role, value) in vectors { try requireVector(shape(value), channels: picture[1], "batch_norm", role) }
    return picture
  }
}
