public import Diagnostics
public import Tensors

/// A function of each number on its own.
public struct Activation: OperationDefinition {
  /// Which function.
  public enum Function: Hashable, Sendable {
    /// `max(x, 0)`.
    case relu
    /// `x` where it is positive, `slope * x` elsewhere.
    case leakyReLU(slope: Float)
    /// `min(max(x, lower), upper)`; ReLU6 is 0 and 6.
    case clamp(lower: Float, upper: Float)
    /// `1 / (1 + exp(-x))`.
    case sigmoid
    /// The hyperbolic tangent.
    case tanh
    /// `scale * x + bias`.
    case linear(scale: Float, bias: Float)
  }

  /// The numbers, `[1, C, H, W]`.
  public var input: ValueID
  /// The function.
  public var function: Function

  /// Creates an activation.
  public init(input: ValueID, function: Function) {
    self.input = input
    self.function = function
  }

  /// One name a function.
  public static let mnemonics = ["relu", "leaky_relu", "clamp", "sigmoid", "tanh", "linear"]

  /// The operation as a call.
  public var call: OperationCall {
    let operands = [OperationCall.Operand(value: input)]
    return switch function {
    case .relu: OperationCall("relu", operands: operands)
    case .leakyReLU(let slope):
      OperationCall("leaky_relu", operands: operands, attributes: [.init("slope", .number(slope))])
    case .clamp(let lower, let upper):
      OperationCall(
        "clamp", operands: operands,
        attributes: [.init("lower", .number(lower)), .init("upper", .number(upper))])
    case .sigmoid: OperationCall("sigmoid", operands: operands)
    case .tanh: OperationCall("tanh", operands: operands)
    case .linear(let scale, let bias):
      OperationCall(
        "linear", operands: operands,
        attributes: [.init("scale", .number(scale)), .init("bias", .number(bias))])
    }
  }

  /// Reads the operation back.
  public init(_ call: inout OperationCallReader) throws(StyleModelError) {
    input = try call.operand()
    switch call.mnemonic {
    case "relu": function = .relu
    case "leaky_relu": function = .leakyReLU(slope: try call.number("slope"))
    case "clamp":
      let lower = try call.number("lower")
      let upper = try call.number("upper")
      guard lower <= upper else { throw call.problem("wants a lower bound that is not above the upper one") }
      function = .clamp(lower: lower, upper: upper)
    case "sigmoid": function = .sigmoid
    case "tanh": function = .tanh
    default: function = .linear(scale: try call.number("scale"), bias: try call.number("bias", default: 0))
    }
  }

  /// Replaces the value used.
  public mutating func mapOperands(_ replacement: (ValueID) -> ValueID) { input = replacement(input) }

  /// The picture's own shape.
  public func resultShape(_ shape: (ValueID) -> Shape) throws(StyleModelError) -> Shape {
    try requirePicture(shape(input), call.mnemonic)
    return shape(input)
  }
}
