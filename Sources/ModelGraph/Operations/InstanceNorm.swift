public import Diagnostics
public import Tensors

/// Normalisation by live statistics: each channel's own mean and population variance over its pixels,
/// `(x - mean) / sqrt(variance + epsilon) * gamma + beta`.
public struct InstanceNorm: OperationDefinition {
  /// The picture, `[1, C, H, W]`.
  public var input: ValueID
  /// The factors, `[C]`; nil is 1.
  public var gamma: ValueID?
  /// The summands, `[C]`; nil is 0.
  public var beta: ValueID?
  /// What keeps the root from zero.
  public var epsilon: Float

  /// Creates a normalisation.
  public init(input: ValueID, gamma: ValueID? = nil, beta: ValueID? = nil, epsilon: Float = 1e-5) {
    self.input = input
    self.gamma = gamma
    self.beta = beta
    self.epsilon = epsilon
  }

  /// `instance_norm`.
  public static let mnemonics = ["instance_norm"]

  /// The operation as a call.
  public var call: OperationCall {
    OperationCall(
      "instance_norm",
      operands: [.init(value: input)] + (gamma.map { [.init(role: "gamma", value: $0)] } ?? [])
        + (beta.map { [.init(role: "beta", value: $0)] } ?? []),
      attributes: [.init("epsilon", .number(epsilon))])
  }

  /// Reads the operation back.
  public init(_ call: inout OperationCallReader) throws(StyleModelError) {
    input = try call.operand()
    gamma = call.optionalOperand("gamma")
    beta = call.optionalOperand("beta")
    epsilon = try call.number("epsilon")
    guard epsilon > 0 else { throw call.problem("wants an epsilon above zero") }
  }

  /// Replaces every value used.
  public mutating func mapOperands(_ replacement: (ValueID) -> ValueID) {
    input = replacement(input)
    gamma = gamma.map(replacement)
    beta = beta.map(replacement)
  }

  /// The picture's own shape.
  public func resultShape(_ shape: (ValueID) -> Shape) throws(StyleModelError) -> Shape {
    let picture = shape(input)
    try requirePicture(picture, "instance_norm")
    if let gamma { try requireVector(shape(gamma), channels: picture[1], "instance_norm", "gamma") }
    if let beta { try requireVector(shape(beta), channels: picture[1], "instance_norm", "beta") }
    return picture
  }
}
