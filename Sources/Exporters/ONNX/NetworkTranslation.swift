import Diagnostics
import ModelGraph
import ONNXImporter
import Tensors

/// Says the operations of a graph with the operators of the standard, one after the other.
struct NetworkTranslation {
  let graph: Graph
  var draft = ONNXDraft()
  /// The name of the picture that goes in.
  let inputName: String
  /// The name of the picture that comes out.
  private(set) var outputName = ""
  /// The name that a value has in the file; of a weight, that of its floats.
  private var names: [ValueID: String] = [:]
  private var fillers: [String: String] = [:]
  /// The shapes at a size that the network takes.
  private let shapes: [ValueID: Shape]
  /// What the standard cannot say of weights.
  var weightNotes: [JSONValue.Member] = []

  init(_ graph: Graph) throws(StyleModelError) {
    self.graph = graph
    for name in [graph.input.name] + graph.constants.values.map(\.name) where name.utf8.contains(0) {
      throw StyleModelError(
        .badInput, place: "'\(printable(name))'", "has a name that cannot stand in an ONNX file")
    }
    shapes = try graph.shapes(for: graph.sampleSize)
    inputName = draft.freeName(graph.input.name.isEmpty ? "image" : graph.input.name)
  }

  /// Says everything.
  mutating func translate() throws(StyleModelError) {
    // Weights first, so that names of nodes give way to theirs.
    for (value, constant) in graph.constantsInOrder { names[value] = addWeight(constant) }
    names[graph.input.value] = add(graph.contract.stagesBefore, to: inputName, "network_input")
    for node in graph.nodes {
      do throws(StyleModelError) { names[node.result] = try translate(node) } catch {
        throw StyleModelError(
          error.kind, place: error.place ?? graph.line(for: node), error.problem, remedy: error.remedy)
      }
    }
    let trimmed = addTrimming(to: try name(graph.output))
    let styled = add(graph.contract.stagesAfter, to: trimmed, "network_output")
    outputName = draft.freeName("styled")
    if styled == inputName {
      draft.add("Identity", [styled], output: outputName)
    } else {
      draft.rename(styled, to: outputName)
    }
  }

  /// The name of a value that was said already.
  func name(_ value: ValueID) throws(StyleModelError) -> String {
    guard let name = names[value] else {
      throw StyleModelError(.internalFault, "\(value) is used before it is computed")
    }
    return name
  }

  /// The name of a value that may be absent, as the last of a node's inputs.
  func optionalName(_ value: ValueID?) throws(StyleModelError) -> [String] {
    guard let value else { return [] }
    return [try name(value)]
  }

  /// The shape of a value; that of a picture is only so at the sample size.
  func shape(_ value: ValueID) throws(StyleModelError) -> Shape {
    guard let shape = shapes[value] else {
      throw StyleModelError(.internalFault, "\(value) has no shape")
    }
    return shape
  }

  /// A vector with a number a channel of `picture`, or where the network has none, one that changes nothing: the
  /// standard leaves none out.
  mutating func vector(
    _ value: ValueID?, or filling: Float, over picture: ValueID
  ) throws(StyleModelError) -> String {
    if let value { return try name(value) }
    let channels = try shape(picture)[1]
    let wanted = "\(ONNXFormat.fillerPrefix)\(filling == 0 ? "zero" : "one").\(channels)"
    if let known = fillers[wanted] { return known }
    let name = draft.floats(wanted, [channels], [Float](repeating: filling, count: channels))
    fillers[wanted] = name
    return name
  }

  /// The entry of the metadata about weights, if there is anything to say.
  var weightEntry: [(key: String, text: String)] {
    weightNotes.isEmpty
      ? [] : [(ONNXFormat.Key.weights, JSONValue.object(weightNotes).text(indented: false))]
  }

  private mutating func translate(_ node: Graph.Node) throws(StyleModelError) -> String {
    let output = draft.freeName(graph.suggestedName(for: node))
    switch node.operation {
    case .convolution(let it): try addConvolution(it, output)
    case .transposedConvolution(let it): try addTransposedConvolution(it, output)
    case .pad(let it): addPadding(try name(it.input), it.amounts, it.mode, output)
    case .crop(let it): addCrop(try name(it.input), it.amounts, output)
    case .upsample(let it): try addEnlargement(it, output)
    case .resize(let it): try addResampling(it, output)
    case .instanceNorm(let it): try addInstanceNorm(it, output)
    case .conditionalInstanceNorm: try graph.requireOneStyle()
    case .batchNorm(let it): try addBatchNorm(it, output)
    case .activation(let it): try addActivation(it, output)
    case .binary(let it):
      let operators: [Binary.Function: String] = [.add: "Add", .subtract: "Sub", .multiply: "Mul"]
      draft.add(operators[it.function] ?? "Add", [try name(it.left), try name(it.right)], output: output)
    }
    return output
  }
}

extension Graph {
  /// After its weight where it has one, `conv1.weight` giving `conv1`; else by its kind.
  fileprivate func suggestedName(for node: Node) -> String {
    for operand in node.operation.call.operands where ["weight", "gamma", "mean"].contains(operand.role) {
      guard let name = constants[operand.value]?.name else { continue }
      let base = name.split(separator: ".", omittingEmptySubsequences: false).dropLast().joined(
        separator: ".")
      if !base.isEmpty { return base }
    }
    return node.operation.mnemonic
  }
}
