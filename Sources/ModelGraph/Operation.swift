public import Diagnostics
public import Tensors

/// One operation of the graph. Each kind is a type of its own, with its shape inference beside its definition;
/// values that flow are `[1, C, H, W]`.
public enum Operation: Hashable, Sendable {
  case convolution(Convolution)
  case transposedConvolution(TransposedConvolution)
  case pad(Pad)
  case instanceNorm(InstanceNorm)
  case conditionalInstanceNorm(ConditionalInstanceNorm)
  case batchNorm(BatchNorm)
  case activation(Activation)
  case binary(Binary)
  case upsample(Upsample)
  case resize(Resize)
  case crop(Crop)
}

/// What every kind of operation says of itself. `Operation` forwards to it, and the text form, the file format
/// and the verifier are written against it once.
public protocol OperationDefinition: Hashable, Sendable {
  /// The names that the text form and the file use for this kind.
  static var mnemonics: [String] { get }
  /// The operation as a call: what is printed and stored.
  var call: OperationCall { get }
  /// Reads the operation back from a call.
  /// - Throws: `.badInput` when an argument is missing, unknown or out of range.
  init(_ call: inout OperationCallReader) throws(StyleModelError)
  /// Replaces every value that the operation uses.
  mutating func mapOperands(_ replacement: (ValueID) -> ValueID)
  /// The shape of the result for given shapes of the operands.
  /// - Throws: `.badInput` saying what does not fit.
  func resultShape(_ shape: (ValueID) -> Shape) throws(StyleModelError) -> Shape
}

extension Operation: OperationDefinition {
  private static let kinds: [any OperationDefinition.Type] = [
    Convolution.self, TransposedConvolution.self, Pad.self, InstanceNorm.self, ConditionalInstanceNorm.self,
    BatchNorm.self, Activation.self, Binary.self, Upsample.self, Resize.self, Crop.self,
  ]

  /// All the names.
  public static var mnemonics: [String] { kinds.flatMap { $0.mnemonics } }

  private var definition: any OperationDefinition {
    switch self {
    case .convolution(let it): it
    case .transposedConvolution(let it): it
    case .pad(let it): it
    case .instanceNorm(let it): it
    case .conditionalInstanceNorm(let it): it
    case .batchNorm(let it): it
    case .activation(let it): it
    case .binary(let it): it
    case .upsample(let it): it
    case .resize(let it): it
    case .crop(let it): it
    }
  }

  private static func wrapping(_ definition: any OperationDefinition) -> Operation {
    switch definition {
    case let it as Convolution: .convolution(it)
    case let it as TransposedConvolution: .transposedConvolution(it)
    case let it as Pad: .pad(it)
    case let it as InstanceNorm: .instanceNorm(it)
    case let it as ConditionalInstanceNorm: .conditionalInstanceNorm(it)
    case let it as BatchNorm: .batchNorm(it)
    case let it as Activation: .activation(it)
    case let it as Binary: .binary(it)
    case let it as Upsample: .upsample(it)
    case let it as Resize: .resize(it)
    case let it as Crop: .crop(it)
    default: preconditionFailure("every kind of operation has a case")
    }
  }

  /// The operation as a call.
  public var call: OperationCall { definition.call }

  /// Reads an operation back from a call, whole: arguments left over are an error.
  public init(_ call: inout OperationCallReader) throws(StyleModelError) {
    let mnemonic = call.mnemonic
    guard let kind = Self.kinds.first(where: { $0.mnemonics.contains(mnemonic) }) else {
      throw StyleModelError(
        .badInput, "operation '\(mnemonic)' is not known",
        remedy: "the operations are \(Self.mnemonics.joined(separator: ", "))")
    }
    self = Self.wrapping(try kind.init(&call))
    try call.finish()
  }

  /// Replaces every value that the operation uses.
  public mutating func mapOperands(_ replacement: (ValueID) -> ValueID) {
    var copy = definition
    copy.mapOperands(replacement)
    self = Self.wrapping(copy)
  }

  /// The shape of the result.
  public func resultShape(_ shape: (ValueID) -> Shape) throws(StyleModelError) -> Shape {
    try definition.resultShape(shape)
  }

  /// The values that the operation uses, in the order that the text form writes them.
  public var operands: [ValueID] { call.operands.map(\.value) }

  /// The name that the text form uses.
  public var mnemonic: String { call.mnemonic }
}
