public import Tensors

/// A network: one picture in, one picture out, and what lies between in an order in which it can be computed.
public struct Graph: Hashable, Sendable {
  /// A value from outside.
  public struct Input: Hashable, Sendable {
    /// The value.
    public var value: ValueID
    /// The name the model's file gives it.
    public var name: String
    /// The number of channels.
    public var channels: Int

    /// Creates an input.
    public init(value: ValueID, name: String, channels: Int) {
      self.value = value
      self.name = name
      self.channels = channels
    }
  }

  /// A named tensor: a weight, in the encoding it is stored in.
  public struct Constant: Hashable, Sendable {
    /// The name, unique in the graph.
    public var name: String
    /// The numbers.
    public var tensor: StoredTensor

    /// Creates a constant.
    public init(name: String, tensor: StoredTensor) {
      self.name = name
      self.tensor = tensor
    }
  }

  /// One operation and the value it computes.
  public struct Node: Hashable, Sendable {
    /// What it computes.
    public let result: ValueID
    /// How.
    public var operation: Operation

    /// Creates a node.
    public init(result: ValueID, operation: Operation) {
      self.result = result
      self.operation = operation
    }
  }

  /// The picture that goes in.
  public var input: Input
  /// The picture that comes out.
  public var output: ValueID
  /// The operations; each uses only values that stand before it.
  public var nodes: [Node]
  /// The weights.
  public private(set) var constants: [ValueID: Constant]
  /// What the pixels on both ends mean.
  public var contract: PixelContract
  /// The styles that the conditional norms choose from; nil for a network of one style.
  public var styles: StyleSet?
  private var nextNumber: Int

  /// Creates a graph that gives back its input.
  public init(inputName: String = "image", channels: Int = 3, contract: PixelContract) {
    input = Input(value: ValueID(0), name: inputName, channels: channels)
    output = ValueID(0)
    nodes = []
    constants = [:]
    self.contract = contract
    nextNumber = 1
  }

  /// Adds an operation at the end and makes its result the output.
  @discardableResult
  public mutating func append(_ operation: Operation) -> ValueID {
    let result = newValue()
    nodes.append(Node(result: result, operation: operation))
    output = result
    return result
  }

  /// Adds a weight.
  /// - Precondition: no constant has this name yet.
  public mutating func addConstant(_ name: String, _ tensor: StoredTensor) -> ValueID {
    precondition(constant(named: name) == nil, "constant \(name) exists")
    let value = newValue()
    constants[value] = Constant(name: name, tensor: tensor)
    return value
  }

  /// Changes the tensor of a weight in place.
  /// - Precondition: `value` is a constant.
  public mutating func setTensor(_ tensor: StoredTensor, of value: ValueID) {
    precondition(constants[value] != nil, "\(value) is no constant")
    constants[value]?.tensor = tensor
  }

  /// The tensor of a weight, or nil if `value` is not one.
  public func tensor(_ value: ValueID) -> StoredTensor? { constants[value]?.tensor }

  /// The weight of this name.
  public func constant(named name: String) -> ValueID? { constants.first { $0.value.name == name }?.key }

  /// The weights in the order in which the operations first use them.
  public var constantsInOrder: [(value: ValueID, constant: Constant)] {
    var seen: Set<ValueID> = []
    var result: [(value: ValueID, constant: Constant)] = []
    for node in nodes {
      for operand in node.operation.operands where seen.insert(operand).inserted {
        if let constant = constants[operand] { result.append((operand, constant)) }
      }
    }
    return result
  }

  /// A name for a value that does not exist yet.
  public mutating func newValue() -> ValueID {
    defer { nextNumber += 1 }
    return ValueID(nextNumber)
  }

  /// The nodes that use each value, as indices into `nodes`.
  public func users() -> [ValueID: [Int]] {
    var users: [ValueID: [Int]] = [:]
    for (index, node) in nodes.enumerated() {
      for operand in Set(node.operation.operands) { users[operand, default: []].append(index) }
    }
    return users
  }

  /// Drops the operations and weights that the output does not depend on.
  public mutating func removeUnused() {
    var needed: Set<ValueID> = [output]
    for node in nodes.reversed() where needed.contains(node.result) {
      needed.formUnion(node.operation.operands)
    }
    nodes.removeAll { !needed.contains($0.result) }
    constants = constants.filter { needed.contains($0.key) }
  }
}
