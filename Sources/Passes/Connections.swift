import ModelGraph

/// Who computes and who uses each value, taken once at the start of a pass so that the pass is one sweep.
struct Connections {
  private let producers: [ValueID: Int]
  private let uses: [ValueID: Int]

  init(_ graph: Graph) {
    var producers: [ValueID: Int] = [:]
    var uses = [graph.output: 1]
    for (index, node) in graph.nodes.enumerated() {
      producers[node.result] = index
      for operand in node.operation.operands { uses[operand, default: 0] += 1 }
    }
    self.producers = producers
    self.uses = uses
  }

  /// The index of the node that computes a value; nil for the input and for weights.
  func producer(of value: ValueID) -> Int? { producers[value] }

  /// Whether a value stands in one place only. An operation that takes it twice counts as two, and the graph's
  /// output counts as one. Values made since the sweep began belong to the one operation they were made for.
  func isUsedOnce(_ value: ValueID) -> Bool { uses[value, default: 1] == 1 }
}

/// Values that others have taken the place of; they are replaced all at once when a sweep is over.
struct Replacements {
  private var newer: [ValueID: ValueID] = [:]

  /// What stands for `value` now.
  subscript(value: ValueID) -> ValueID { newer[value] ?? value }

  /// Lets `new` stand for `old`. Sweeps go forwards, so `new` is final once its own replacement is looked up.
  mutating func replace(_ old: ValueID, with new: ValueID) { newer[old] = self[new] }

  /// Replaces the values in `graph` and drops what nothing uses any more.
  func apply(to graph: inout Graph) {
    guard !newer.isEmpty else { return }
    for index in graph.nodes.indices { graph.nodes[index].operation.mapOperands { self[$0] } }
    graph.output = self[graph.output]
    graph.removeUnused()
  }
}
