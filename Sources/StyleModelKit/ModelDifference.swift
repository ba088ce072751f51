import Files
import Glibc
import StyleModelFile

/// What differs between two models, A and B; everything that is the same is left out.
public struct ModelDifference: Hashable, Sendable {
  /// A property that differs, with both values in words.
  public struct Change: Hashable, Sendable {
    /// The property: `channel order`.
    public var property: String
    /// The value in A.
    public var a: String
    /// The value in B.
    public var b: String
  }

  /// An operation that only one of the two has. It stands for itself alone: `%` is any value.
  public struct OperationChange: Hashable, Sendable {
    /// Whether it is B that has it.
    public var isInB: Bool
    /// The operation as the text form writes it, without the numbers of values.
    public var operation: String
  }

  /// A tensor as one of the models stores it.
  public struct StoredForm: Hashable, Sendable {
    /// The extents.
    public var shape: Shape
    /// How the numbers are stored: `float32`, `int8 per channel (axis 0)`.
    public var encoding: String
    /// The bytes of numbers, scales and offsets, uncompressed.
    public var byteCount: Int
  }

  /// A tensor that differs.
  public struct TensorChange: Hashable, Sendable {
    /// The name.
    public var name: String
    /// How A has it; nil where it does not.
    public var a: StoredForm?
    /// How B has it; nil where it does not.
    public var b: StoredForm?
    /// How far the numbers are apart, where both have the tensor in one shape.
    public var distance: TensorDistance?
  }

  /// The files: container, bytes, SHA-256, storage.
  public var file: [Change]
  /// Where they come from: recipe, source, options, program.
  public var origin: [Change]
  /// The pixel contract.
  public var contract: [Change]
  /// The operations.
  public var operations: [OperationChange]
  /// Whether the operations are the same and in the same order, but work on other values.
  public var isRewired: Bool
  /// The tensors, those of A first, in the order in which the operations use them.
  public var tensors: [TensorChange]

  /// Whether the files are the same byte for byte.
  public let sameFile: Bool
  /// Whether both are one network: the same contract, graph and stored numbers, whatever the files are like.
  public var sameNetwork: Bool { contract.isEmpty && operations.isEmpty && !isRewired && tensors.isEmpty }

  /// Compares two models as their files have them, before any pass.
  public init(_ a: Model, _ b: Model) {
    sameFile = a.sha256 == b.sha256 && a.byteCount == b.byteCount
    file = changes([
      ("container", a.container, b.container), ("bytes", grouped(a.byteCount), grouped(b.byteCount)),
      ("SHA-256", hexadecimal(a.sha256), hexadecimal(b.sha256)), ("storage", a.storage, b.storage),
    ])
    origin = changes([
      ("recipe", a.recipeName ?? "none", b.recipeName ?? "none"),
      ("source", a.provenance?.sourceName ?? "none", b.provenance?.sourceName ?? "none"),
      ("source's SHA-256", a.sourceDigest, b.sourceDigest),
      ("options", a.conversionOptions, b.conversionOptions),
      ("made by", a.provenance?.tool ?? "none", b.provenance?.tool ?? "none"),
    ])
    contract = contractChanges(a.graph.contract, b.graph.contract)
    (operations, isRewired) = operationChanges(a.graph, b.graph)
    tensors = tensorChanges(a.graph, b.graph)
  }
}

/// How far the numbers of two tensors of one shape are apart.
public struct TensorDistance: Hashable, Sendable {
  /// The greatest absolute difference; infinite or not-a-number where numbers are.
  public var greatest: Double
  /// The power of A's numbers over the power of the differences, in dB; infinite where no number differs.
  public var signalToNoise: Double

  /// Measures two tensors of one shape.
  init(_ a: StoredTensor, _ b: StoredTensor) {
    var signal = 0.0
    var noise = 0.0
    greatest = 0
    for (first, second) in zip(a.floats(), b.floats()) {
      let difference = Double(first) - Double(second)
      signal += Double(first) * Double(first)
      noise += difference * difference
      greatest = difference.isNaN || greatest.isNaN ? .nan : max(greatest, abs(difference))
    }
    signalToNoise = noise == 0 ? .infinity : 10 * log10(signal / noise)
  }
}

private func changes(_ properties: [(property: String, a: String, b: String)]) -> [ModelDifference.Change] {
  properties.filter { $0.a != $0.b }.map { ModelDifference.Change(property: $0.property, a: $0.a, b: $0.b) }
}

private func contractChanges(_ a: PixelContract, _ b: PixelContract) -> [ModelDifference.Change] {
  changes([
    ("channel order", a.channelOrder.rawValue, b.channelOrder.rawValue),
    ("input scale", "\(a.inputScale)", "\(b.inputScale)"), ("input bias", "\(a.inputBias)", "\(b.inputBias)"),
    ("output scale", "\(a.outputScale)", "\(b.outputScale)"),
    ("output bias", "\(a.outputBias)", "\(b.outputBias)"),
    ("rounding", a.rounding.rawValue, b.rounding.rawValue), ("sizes", "\(a.sizes)", "\(b.sizes)"),
  ])
}

/// What two graphs' operations have that the other has not, in order, and whether they differ in their values alone.
private func operationChanges(_ a: Graph, _ b: Graph) -> ([ModelDifference.OperationChange], isRewired: Bool)
{
  let first = a.nodes.map { withoutNumbers(a.line(for: $0)) }
  let second = b.nodes.map { withoutNumbers(b.line(for: $0)) }
  guard first != second else { return ([], a.wiring != b.wiring) }
  guard first.count + second.count <= 4000 else { return (countedChanges(first, second), false) }
  var result: [ModelDifference.OperationChange] = []
  for change in second.difference(from: first) {
    switch change {
    case .remove(_, let line, _): result.append(.init(isInB: false, operation: line))
    case .insert(_, let line, _): result.append(.init(isInB: true, operation: line))
    }
  }
  // A difference lists removals from the end: as they stand is easier to read.
  return (result.filter { !$0.isInB }.reversed() + result.filter(\.isInB), false)
}

/// The same without regard to order, for graphs so large that the shortest difference would take too long.
private func countedChanges(_ first: [String], _ second: [String]) -> [ModelDifference.OperationChange] {
  var surplus: [String: Int] = [:]
  for line in first { surplus[line, default: 0] += 1 }
  for line in second { surplus[line, default: 0] -= 1 }
  return surplus.sorted { $0.key < $1.key }.flatMap { line, count in
    (0..<abs(count)).map { _ in ModelDifference.OperationChange(isInB: count < 0, operation: line) }
  }
}

extension Graph {
  /// For each operation, the places of the operations that it works on; -1 is the picture. The output's comes last.
  fileprivate var wiring: [[Int]] {
    var places = [input.value: -1]
    for (index, node) in nodes.enumerated() { places[node.result] = index }
    return nodes.map { node in node.operation.operands.compactMap { places[$0] } } + [[places[output] ?? -1]]
  }
}

/// A line of the text form without its result and without the numbers of values: `relu(%)`.
private func withoutNumbers(_ line: String) -> String {
  var result = ""
  var isQuoted = false
  var isEscaped = false
  var isNumber = false
  for character in line {
    if isNumber, character.isNumber { continue }
    isNumber = !isQuoted && character == "%"
    if character == "\"", !isEscaped { isQuoted.toggle() }
    isEscaped = character == "\\" && !isEscaped
    result.append(character)
  }
  // The result's own value stands first: `% = `.
  return String(result.dropFirst(4))
}

private func tensorChanges(_ a: Graph, _ b: Graph) -> [ModelDifference.TensorChange] {
  let first = a.constantsInOrder.map(\.constant)
  let second = b.constantsInOrder.map(\.constant)
  let inB = Dictionary(second.map { ($0.name, $0.tensor) }) { one, _ in one }
  let inA = Set(first.map(\.name))
  var result: [ModelDifference.TensorChange] = []
  for constant in first {
    let other = inB[constant.name]
    guard other != constant.tensor else { continue }
    let distance = other.flatMap {
      $0.shape == constant.tensor.shape ? TensorDistance(constant.tensor, $0) : nil
    }
    result.append(
      .init(name: constant.name, a: .init(constant.tensor), b: other.map { .init($0) }, distance: distance))
  }
  for constant in second where !inA.contains(constant.name) {
    result.append(.init(name: constant.name, a: nil, b: .init(constant.tensor), distance: nil))
  }
  return result
}

extension ModelDifference.StoredForm {
  fileprivate init(_ tensor: StoredTensor) {
    self.init(
      shape: tensor.shape, encoding: tensor.encoding.description, byteCount: tensor.storedByteCount)
  }
}

extension Model {
  fileprivate var sourceDigest: String {
    provenance.map { hexadecimal($0.sourceSHA256) } ?? "none"
  }

  fileprivate var conversionOptions: String {
    guard let options = provenance?.options else { return "none" }
    return options.isEmpty ? "default" : options.joined(separator: " ")
  }
}
