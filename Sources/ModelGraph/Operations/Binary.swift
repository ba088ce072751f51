public import Diagnostics
public import Tensors

/// Two pictures of one shape combined number by number.
public struct Binary: OperationDefinition {
  /// How they are combined.
  public enum Function: String, Hashable, Sendable, CaseIterable {
    case add
    case subtract = "sub"
    case multiply = "mul"
  }

  /// The left picture, `[1, C, H, W]`.
  public var left: ValueID
  /// The right picture, of the same shape.
  public var right: ValueID
  /// The function.
  public var function: Function

  /// Creates a combination.
  public init(_ function: Function, _ left: ValueID, _ right: ValueID) {
    self.function = function
    self.left = left
    self.right = right
  }

  /// `add`, `sub`, `mul`.
  public static let mnemonics = Function.allCases.map(\.rawValue)

  /// The operation as a call.
  public var call: OperationCall {
    OperationCall(function.rawValue, operands: [.init(value: left), .init(value: right)])
  }

  /// Reads the operation back.
  public init(_ call: inout OperationCallReader) throws(StyleModelError) {
    left = try call.operand()
    right = try call.operand()
    function = Function(rawValue: call.mnemonic) ?? .add
  }

  /// Replaces every value used.
  public mutating func mapOperands(_ replacement: (ValueID) -> ValueID) {
    left = replacement(left)
    right = replacement(right)
  }

  /// The shape that both have.
  public func resultShape(_ shape: (ValueID) -> Shape) throws(StyleModelError) -> Shape {
    try requirePicture(shape(left), function.rawValue)
    guard shape(left) == shape(right) else {
      throw StyleModelError(
        .badInput,
        "\(function.rawValue) wants two pictures of one shape, not \(shape(left)) and \(shape(right))")
    }
    return shape(left)
  }
}
