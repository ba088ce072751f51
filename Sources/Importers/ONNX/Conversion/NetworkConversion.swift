import Diagnostics
import ModelGraph
import PictureTracing
import Tensors

/// Turns the nodes of a file, one after the other, into operations of our graph.
struct NetworkConversion: PictureConversion {
  let operatorSet: Int
  /// What the file says of itself, if it is one of our own.
  let own: OwnDescription?
  var probes: Probes
  private(set) var values: [String: ImportedValue]
  var ledger = ImportLedger()
  /// The node at work.
  private(set) var node: ONNXNode

  /// Starts with the picture that goes in.
  /// - Parameter arrangement: how the file's input shows a picture.
  init(
    operatorSet: Int, own: OwnDescription?, probes: Probes, inputName: String,
    arrangement: (Arrangement.Picture) -> Arrangement
  ) throws(StyleModelError) {
    self.operatorSet = operatorSet
    self.own = own
    self.probes = probes
    let input = probes.graph.input.value
    var arrangements: [Arrangement] = []
    for probe in 0..<probes.count { arrangements.append(arrangement(try probes.extents(input, probe))) }
    values = [inputName: .picture(PictureValue(term: .value(input), arrangements: arrangements))]
    node = ONNXNode(operation: "", domain: "", name: "", inputs: [], outputs: [], attributes: [:])
  }

  /// Adds a tensor of the file.
  mutating func add(_ tensor: ONNXTensor) { values[tensor.name] = .weight(tensor) }

  /// Adds what a node makes.
  /// - Throws: `.badInput` with the node as its place.
  mutating func add(_ node: ONNXNode) throws(StyleModelError) {
    self.node = node
    do throws(StyleModelError) {
      guard node.domain.isEmpty else {
        throw StyleModelError(
          .badInput, "is an operator of '\(node.domain)', not of the ONNX standard",
          remedy: "export with the standard's operators only")
      }
      let results = try convert()
      guard results.count <= node.outputs.count || node.outputs.isEmpty else {
        throw StyleModelError(.badInput, "names \(node.outputs.count) of its \(results.count) results")
      }
      for (name, value) in zip(node.outputs, results) { values[name] = value }
    } catch {
      throw StyleModelError(
        error.kind, file: error.file,
        place: [node.label, error.place].compactMap { $0 }.joined(separator: ", "),
        error.problem, remedy: error.remedy)
    }
  }

  private mutating func convert() throws(StyleModelError) -> [ImportedValue] {
    if let weight = try reshapedWeight() { return [.weight(weight)] }
    if let weight = try weightWithOffsets() { return [.weight(weight)] }
    if let known = try folded() { return known }
    switch node.operation {
    case "QuantizeLinear", "DequantizeLinear": return [try convertQuantization()]
    case "Conv": return [try convertConvolution()]
    case "ConvTranspose": return [try convertTransposedConvolution()]
    case "Pad": return [try convertPadding()]
    case "Upsample", "Resize": return [try convertEnlargement()]
    case "InstanceNormalization", "BatchNormalization", "GroupNormalization": return [try convertNorm()]
    case "Add", "Sub", "Mul", "Div", "Pow", "Max", "Min": return [try convertArithmetic()]
    case "Sqrt", "Reciprocal", "Neg": return [try convertFunction()]
    case "ReduceMean", "GlobalAveragePool": return [try convertMean()]
    case "Relu", "LeakyRelu", "PRelu", "Sigmoid", "Tanh", "HardSigmoid", "HardSwish", "Clip", "Elu":
      return [try convertActivation()]
    case "Reshape", "Flatten", "Transpose", "Unsqueeze", "Squeeze", "Expand", "Tile", "DepthToSpace",
      "Slice", "Identity", "Dropout", "Cast":
      return [try convertLayout()]
    case "Concat": return [try convertConcat()]
    case "Split": return try convertSplit()
    case "Gather": return [try convertGather()]
    case "Sum": return [try convertSum()]
    case "AveragePool": return [try convertAveragePool()]
    case "Abs": return [try convertMagnitude()]
    case "Shape", "Size": return [try convertShape()]
    default: throw unknownOperator()
    }
  }

  private func unknownOperator() -> StyleModelError {
    let holdsGraphs = node.attributes.values.contains { if case .other = $0 { true } else { false } }
    return StyleModelError(
      .badInput,
      holdsGraphs
        ? "chooses or repeats operations while it runs, which no style network needs"
        : "is an operator that is not understood",
      remedy: "export the network without it, or convert its checkpoint (.pth) in place of this file")
  }
}

// MARK: - Inputs

extension NetworkConversion {
  /// Input `index` of the node, or nil where it is left out.
  func input(_ index: Int) throws(StyleModelError) -> ImportedValue? {
    guard index < node.inputs.count, !node.inputs[index].isEmpty else { return nil }
    guard let value = values[node.inputs[index]] else {
      throw StyleModelError(.badInput, "uses '\(node.inputs[index])', which is not computed before it")
    }
    return value
  }

  /// An input that is a picture.
  func picture(_ index: Int = 0) throws(StyleModelError) -> PictureValue {
    switch try input(index) {
    case .picture(let picture)?: return picture
    case .statistic?: throw notUnderstoodNorm()
    default: throw StyleModelError(.badInput, "wants a picture as input \(index + 1)")
    }
  }

  /// An input that is a picture in the order that the graph has, `[1, C, H, W]`, computed if it is only a term so far.
  mutating func plain(_ index: Int = 0) throws(StyleModelError) -> ValueID {
    try plain(try picture(index))
  }

  var label: String { node.name.isEmpty ? node.outputs.first ?? node.operation : node.name }

  var normRemedy: String? {
    "export with InstanceNormalization as one operator (PyTorch does with the network in eval mode)"
  }

  /// Numbers that are known at each probed size, or nil where the input is left out.
  func known(_ index: Int) throws(StyleModelError) -> [Numbers]? {
    switch try input(index) {
    case nil: return nil
    case .numbers(let numbers)?:
      return numbers.count == 1 ? Array(repeating: numbers[0], count: probes.count) : numbers
    case .weight(let weight)?:
      guard weight.tensor.shape.count <= 1 << 16 else {
        throw StyleModelError(
          .badInput, "wants a few numbers as input \(index + 1), not \(weight.tensor.shape)")
      }
      return Array(repeating: try Numbers(weight.tensor), count: probes.count)
    default:
      throw StyleModelError(
        .badInput, "wants input \(index + 1) to be known beforehand, but it is computed from pixels")
    }
  }

  /// Numbers that are known and do not depend on the size of the picture, or nil where the input is left out.
  func fixed(_ index: Int) throws(StyleModelError) -> Numbers? {
    guard let numbers = try known(index) else { return nil }
    return try agreed("input \(index + 1)", probes.alive.map { numbers[$0] })
  }

  /// A list of integers that is an attribute in old files and an input in newer ones.
  func list(_ name: String, _ index: Int) throws(StyleModelError) -> [[Int]]? {
    if let list = try node.integers(name) { return Array(repeating: list, count: probes.count) }
    return try known(index)?.map { $0.integers ?? $0.floats.map { Int(exactly: $0) ?? -1 } }
  }

  /// A weight in the encoding that the file has, under its name; nil where the input is left out.
  mutating func weight(_ index: Int) throws(StyleModelError) -> (value: ValueID, shape: Shape)? {
    switch try input(index) {
    case nil: return nil
    case .weight(let weight)?:
      guard weight.tensor.encoding.isOfFloats else {
        throw StyleModelError(.badInput, "has integers as weights, without a scale")
      }
      let name = own?.weights[weight.name]?.name ?? (weight.name.isEmpty ? "weight" : weight.name)
      return (probes.constant(name, weight.tensor), weight.tensor.shape)
    default:
      guard let tensor = try fixed(index)?.tensor else {
        throw StyleModelError(.badInput, "wants floats as input \(index + 1)")
      }
      return (probes.constant(node.inputs[index], tensor), tensor.shape)
    }
  }

  /// The operation that makes `value`, if our own exporter split it off the node at work.
  func part(_ suffix: String, of value: ValueID) -> Operation? {
    guard own != nil, node.inputs.first == node.name + suffix else { return nil }
    return probes.definition(of: value)
  }

  /// A new picture in the order that the graph has.
  mutating func emitted(_ operation: Operation) throws(StyleModelError) -> ImportedValue {
    .picture(try emitPicture(operation))
  }

  /// A new picture that is shown as another one of its shape was.
  mutating func emitted(_ operation: Operation, like picture: PictureValue) throws(StyleModelError)
    -> ImportedValue
  {
    .picture(try emitPicture(operation, like: picture))
  }
}

extension Encoding {
  /// Whether the tensor stands for floats as it is.
  fileprivate var isOfFloats: Bool {
    switch self {
    case .plain(let type): type.isFloatingPoint
    case .affine, .palette: true
    }
  }
}

// MARK: - What is known beforehand

extension NetworkConversion {
  /// A tensor of the file that only changes its shape or its name keeps its encoding.
  private func reshapedWeight() throws(StyleModelError) -> ONNXTensor? {
    guard case .weight(let weight)? = try input(0), case .plain(let type) = weight.tensor.encoding else {
      return nil
    }
    var shape = weight.tensor.shape.dimensions
    switch node.operation {
    case "Identity", "Dropout": break
    case "Cast":
      guard type.isFloatingPoint, [1, 10, 11, 16].contains(try node.integer("to", default: 1)) else {
        return nil
      }
    case "Reshape":
      guard let target = try list("shape", 1) else { return nil }
      shape = try reshapeTarget(
        shape, try agreed("a shape", probes.alive.map { target[$0] }),
        allowsZero: try node.integer("allowzero", default: 0) != 0)
    case "Unsqueeze": shape = try unsqueezed(shape, try list("axes", 1)?[0] ?? [])
    case "Squeeze": shape = try squeezed(shape, try list("axes", 1)?[0])
    default: return nil
    }
    guard let sound = Shape(checking: shape) else { return nil }
    return ONNXTensor(
      name: weight.name,
      tensor: try StoredTensor(shape: sound, encoding: weight.tensor.encoding, bytes: weight.tensor.bytes),
      integerBits: weight.integerBits)
  }

  /// What the node computes from known numbers alone; nil where it needs a picture, or is not computed beforehand.
  private mutating func folded() throws(StyleModelError) -> [ImportedValue]? {
    guard !["QuantizeLinear", "DequantizeLinear"].contains(node.operation) else { return nil }
    if case .tensor(let tensor)? = node.attributes["value"], node.operation == "Constant" {
      return [
        .weight(
          ONNXTensor(name: node.outputs.first ?? "", tensor: tensor.tensor, integerBits: tensor.integerBits))
      ]
    }
    var inputs: [[Numbers]?] = []
    var varies = false
    for index in node.inputs.indices {
      switch try input(index) {
      case nil: inputs.append(nil)
      case .weight(let weight)?:
        try spend(weight.tensor.shape.count)
        inputs.append([try Numbers(weight.tensor)])
      case .numbers(let numbers)?:
        try spend(numbers.reduce(0) { $0 + $1.count })
        if numbers.count > 1 { varies = true }
        inputs.append(numbers)
      default: return nil
      }
    }
    var results: [[Numbers]] = []
    for probe in varies ? Array(0..<probes.count) : [0] {
      // What a size that dropped out gives is not looked at.
      let place = varies && !probes.alive.contains(probe) ? probes.alive[0] : probe
      guard
        let found = try fold(
          node, inputs.map { $0.map { $0[$0.count > 1 ? place : 0] } }, operatorSet: operatorSet)
      else {
        return nil
      }
      try spend(found.reduce(0) { $0 + $1.count })
      results.append(found)
    }
    return results[0].indices.map { output in .numbers(results.map { $0[output] }) }
  }

  /// `Shape` and `Size` of a picture: numbers a probed size.
  private func convertShape() throws(StyleModelError) -> ImportedValue {
    switch try input(0) {
    case .picture(let picture)?, .quantized(let picture)?:
      var numbers: [Numbers] = []
      for arrangement in picture.arrangements { numbers.append(try shapeNumbers(node, arrangement.shape)) }
      return .numbers(numbers)
    case .statistic(let statistic)?: return .numbers([try shapeNumbers(node, statistic.shape)])
    default: throw StyleModelError(.badInput, "lacks its input")
    }
  }
}
