public import Diagnostics
public import Tensors

/// Conditional instance normalisation (Dumoulin, Shlens, Kudlur: A Learned Representation for Artistic Style, 2017):
/// an instance norm whose gamma and beta are mixed from tables that hold a row a style.
///
/// For a style vector `w` of the graph's `StyleSet`, gamma is `Σ w[s] * gamma[s, :]` and beta `Σ w[s] * beta[s, :]`.
/// Choosing a style (`Graph.choosing(_:)`) leaves a plain `InstanceNorm`.
public struct ConditionalInstanceNorm: OperationDefinition {
  /// The picture, `[1, C, H, W]`.
  public var input: ValueID
  /// The factors of each style, `[styles, C]`.
  public var gamma: ValueID
  /// The summands of each style, `[styles, C]`.
  public var beta: ValueID
  /// What keeps the root from zero.
  public var epsilon: Float

  /// Creates a normalisation.
  public init(input: ValueID, gamma: ValueID, beta: ValueID, epsilon: Float = 1e-5) {
    self.input = input
    self.gamma = gamma
    self.beta = beta
    self.epsilon = epsilon
  }

  /// `conditional_instance_norm`.
  public static let mnemonics = ["conditional_instance_norm"]

  /// The operation as a call.
  public var call: OperationCall {
    OperationCall(
      "conditional_instance_norm",
      operands: [
        .init(value: input), .init(role: "gamma", value: gamma), .init(role: "beta", value: beta),
      ],
      attributes: [.init("epsilon", .number(epsilon))])
  }

  /// Reads the operation back.
  public init(_ call: inout OperationCallReader) throws(StyleModelError) {
    input = try call.operand()
    gamma = try call.operand("gamma")
    beta = try call.operand("beta")
    epsilon = try call.number("epsilon")
    guard epsilon > 0 else { throw call.problem("wants an epsilon above zero") }
  }

  /// Replaces every value used.
  public mutating func mapOperands(_ replacement: (ValueID) -> ValueID) {
    input = replacement(input)
    gamma = replacement(gamma)
    beta = replacement(beta)
  }

  /// The picture's own shape. That the tables have a row for each style is for `Graph.verify()` to see.
  public func resultShape(_ shape: (ValueID) -> Shape) throws(StyleModelError) -> Shape {
    let picture = shape(input)
    try requirePicture(picture, "conditional_instance_norm")
    for (role, table) in [("gamma", shape(gamma)), ("beta", shape(beta))] {
      guard table.rank == 2, table[0] > 0, table[1] == picture[1] else {
        throw StyleModelError(
          .badInput,
          "conditional_instance_norm over \(picture[1]) channels wants \(role) of shape [styles, \(picture[1])], not "
            + "\(table)")
      }
    }
    return picture
  }
}
