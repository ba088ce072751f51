import Diagnostics
import MLProgramImporter
import ModelGraph
import Tensors

/// Turns a graph with its pixel contract into a program, operation by operation.
struct ProgramTranslation {
  let graph: Graph
  let interface: PackageInterface
  var draft: ProgramDraft
  /// The name of the picture that goes in.
  let input: String
  /// The name of the picture that comes out.
  let output: String
  private let shapes: [ValueID: Shape]
  private var names: [ValueID: String] = [:]
  private var weights: [ValueID: String] = [:]

  init(_ graph: Graph) throws(StyleModelError) {
    self.graph = graph
    interface = try PackageInterface(graph)
    shapes = try graph.shapes(for: interface.defaultSize)
    draft = ProgramDraft(operatorSet: ProgramDraft.OperatorSet(graph))
    input = draft.freeName(graph.input.name)
    output = draft.freeName("stylizedImage")
    try translate()
  }

  private mutating func translate() throws(StyleModelError) {
    let contract = graph.contract
    names[graph.input.value] = scaled(
      input, contract.inputScale, contract.inputBias, "network_input", of: graph.input.value)
    for node in graph.nodes {
      do throws(StyleModelError) { try translate(node) } catch {
        throw StyleModelError(
          error.kind, place: graph.line(for: node), error.problem, remedy: error.remedy)
      }
    }
    guard let last = names[graph.output] else {
      throw StyleModelError(.internalFault, "the output was not translated")
    }
    let picture = scaled(last, contract.outputScale, contract.outputBias, "pixels", of: graph.output)
    round(picture, contract.rounding)
  }

  /// Clamps a picture to 0…255 and rounds it as its author does, so that what Core ML makes of it are these very bytes.
  private mutating func round(_ picture: String, _ rounding: PixelContract.Rounding) {
    let extents = extents(graph.output)
    var clamped = draft.freeName("clamped_pixels")
    draft.add(
      "clip",
      [("alpha", .value(.number(Float(0)))), ("beta", .value(.number(Float(255)))), ("x", .name(picture))],
      result: clamped, extents: extents)
    if rounding == .halfUp {
      let raised = draft.freeName("raised_pixels")
      draft.add(
        "add", [("x", .name(clamped)), ("y", .value(.number(Float(0.5))))], result: raised, extents: extents)
      clamped = raised
    }
    draft.add(
      rounding == .nearestEven ? "round" : "floor", [("x", .name(clamped))], result: output, extents: extents)
  }

  /// `value * scale + bias`, a factor and a summand a channel; what would change nothing is left out.
  private mutating func scaled(
    _ name: String, _ scale: [Float], _ bias: [Float], _ result: String, of value: ValueID
  ) -> String {
    var last = name
    for (type, numbers, neutral) in [("mul", scale, Float(1)), ("add", bias, Float(0))]
    where numbers.contains(where: { $0 != neutral }) {
      let next = draft.freeName(type == "mul" ? "\(result)_scaled" : "\(result)_biased")
      let isUniform = numbers.allSatisfy { $0 == numbers[0] }
      draft.add(
        type,
        [
          ("x", .name(last)),
          ("y", .value(isUniform ? .number(numbers[0]) : .floats(numbers, shape: [1, 3, 1, 1]))),
        ], result: next, extents: extents(value))
      last = next
    }
    return last
  }

  // MARK: Operations

  /// Adds the last operation of a node, which makes its result.
  mutating func finish(
    _ node: Graph.Node, _ type: String, _ arguments: [(role: String, value: ProgramDraft.Argument)]
  ) {
    let name = draft.freeName("\(node.operation.mnemonic)_\(node.result.number)")
    draft.add(type, arguments, result: name, extents: extents(node.result))
    names[node.result] = name
  }

  /// Adds an operation before the last one of a node.
  mutating func step(
    _ node: Graph.Node, _ type: String, _ arguments: [(role: String, value: ProgramDraft.Argument)],
    channels: Int, height: Int, width: Int
  ) -> ProgramDraft.Argument {
    let name = draft.freeName("\(node.operation.mnemonic)_\(node.result.number)_\(type)")
    let isFixed = interface.fixedSize != nil
    draft.add(
      type, arguments, result: name, extents: [1, channels, isFixed ? height : nil, isFixed ? width : nil])
    return .name(name)
  }

  /// A value that flows.
  func flowing(_ value: ValueID) throws(StyleModelError) -> ProgramDraft.Argument {
    guard let name = names[value] else {
      throw StyleModelError(.badInput, "uses \(value), which is not computed before it")
    }
    return .name(name)
  }

  /// A weight as it is stored.
  mutating func weight(_ value: ValueID) throws(StyleModelError) -> ProgramDraft.Argument {
    if let name = weights[value] { return .name(name) }
    guard let constant = graph.constants[value] else {
      throw StyleModelError(.badInput, "uses \(value), which is no weight")
    }
    let name = draft.weight(constant.name, constant.tensor)
    weights[value] = name
    return .name(name)
  }

  /// The shape of a value at the usual size.
  func shape(_ value: ValueID) throws(StyleModelError) -> Shape {
    guard let shape = shapes[value], shape.rank == 4 || graph.constants[value] != nil else {
      throw StyleModelError(.internalFault, "\(value) has no shape")
    }
    return shape
  }

  /// The extents of the picture that goes in.
  var inputExtents: [Int?] { extents(graph.input.value) }

  /// The extents of a value that flows; height and width vary unless the size is fixed.
  private func extents(_ value: ValueID) -> [Int?] {
    guard let shape = shapes[value], shape.rank == 4 else { return [] }
    guard interface.fixedSize == nil else { return shape.dimensions.map { $0 } }
    return [1, shape[1], nil, nil]
  }
}
