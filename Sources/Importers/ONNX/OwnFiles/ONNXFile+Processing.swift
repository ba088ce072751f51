import Diagnostics
import ModelGraph
import Tensors

extension ONNXFile {
  /// The network between the steps that `contract` describes, or nil where they do not stand in the file as they were
  /// written: another program may have folded them.
  func withoutProcessing(_ contract: PixelContract, input: String, output: String) -> InnerNetwork? {
    let constants = Dictionary(
      initializers.map { ($0.name, $0.tensor) }, uniquingKeysWith: { first, _ in first })
    var peeled: Set<Int> = []
    var first = input
    for stage in contract.stagesBefore {
      guard let index = nodes.firstIndex(where: { isStage(stage, $0, constants) && $0.inputs[0] == first })
      else {
        return nil
      }
      peeled.insert(index)
      first = nodes[index].outputs[0]
    }
    var last = output
    for stage in contract.stagesAfter.reversed() {
      guard let index = nodes.firstIndex(where: { isStage(stage, $0, constants) && $0.outputs == [last] }),
        peeled.insert(index).inserted
      else { return nil }
      last = nodes[index].inputs[0]
    }
    var inner: [ONNXNode] = []
    for (index, node) in nodes.enumerated() where !peeled.contains(index) {
      // The picture has the same extents before the steps and after them.
      guard node.operation == "Shape", node.inputs == [input] else {
        inner.append(node)
        continue
      }
      inner.append(
        ONNXNode(
          operation: node.operation, domain: node.domain, name: node.name, inputs: [first],
          outputs: node.outputs, attributes: node.attributes))
    }
    return InnerNetwork(input: first, output: last, nodes: inner)
  }

  /// Whether a node does just what a step asks for.
  private func isStage(_ stage: PixelStage, _ node: ONNXNode, _ constants: [String: StoredTensor]) -> Bool {
    guard node.domain.isEmpty, node.inputs.count == 2, node.outputs.count == 1,
      let constant = constants[node.inputs[1]]
    else { return false }
    func holds(_ values: [Float]) -> Bool {
      constant.encoding == .plain(.float32) && constant.shape == [1, 3, 1, 1] && constant.floats() == values
    }
    switch stage {
    case .reversedChannels:
      return node.operation == "Gather" && constant.encoding == .plain(.int64)
        && constant.floats() == [2, 1, 0] && (try? node.integer("axis", default: 0)) == 1
    case .scaled(let factors): return node.operation == "Mul" && holds(factors)
    case .shifted(let summands): return node.operation == "Add" && holds(summands)
    }
  }
}

/// The nodes of a file between two of its values.
struct InnerNetwork {
  /// The name of the value that the network is given.
  let input: String
  /// The name of the value that it gives.
  let output: String
  /// The nodes, in the file's order.
  let nodes: [ONNXNode]

  /// The nodes that the output depends on, in the file's order.
  var needed: [ONNXNode] {
    var names: Set<String> = [output]
    var result: [ONNXNode] = []
    for node in nodes.reversed() where node.outputs.contains(where: names.contains) {
      names.formUnion(node.inputs)
      result.append(node)
    }
    return result.reversed()
  }
}
