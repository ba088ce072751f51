import ModelGraph
import Tensors

extension Graph {
  /// What notes call an operation: the name of its most telling weight, or its kind and value where it has none.
  func label(of node: Node) -> String {
    let named: ValueID? =
      switch node.operation {
      case .instanceNorm(let norm): norm.gamma ?? norm.beta
      case .conditionalInstanceNorm(let norm): norm.gamma
      case .batchNorm(let norm): norm.gamma ?? norm.beta ?? norm.mean
      default: node.operation.operands.first { constants[$0] != nil }
      }
    return named.flatMap { constants[$0]?.name } ?? "\(node.operation.mnemonic) \(node.result)"
  }

  /// Writes new numbers for a weight: in its place where nothing else uses it, else as a weight of its own named
  /// after it.
  /// - Returns: the value that holds them.
  mutating func rewrite(_ value: ValueID, as tensor: StoredTensor, _ connections: Connections) -> ValueID {
    if connections.isUsedOnce(value) {
      setTensor(tensor, of: value)
      return value
    }
    return addConstant(freshName((constants[value]?.name ?? "weight") + ".folded"), tensor)
  }

  /// Adds a weight that the model's file does not have, named as its layer's own would be: beside `a.weight` a
  /// bias is `a.bias`, beside `w` it is `w.bias`.
  mutating func addSibling(_ role: String, of label: String, _ tensor: StoredTensor) -> ValueID {
    let layer = label.lastIndex(of: ".").map { label[..<$0] } ?? label[...]
    return addConstant(freshName("\(layer).\(role)"), tensor)
  }

  /// `name`, or that with the first number that makes it unique.
  private func freshName(_ name: String) -> String {
    let taken = Set(constants.values.map(\.name))
    guard taken.contains(name) else { return name }
    var number = 2
    while taken.contains("\(name).\(number)") { number += 1 }
    return "\(name).\(number)"
  }
}
