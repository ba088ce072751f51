import ModelGraph
import Tensors

extension KerasTranslator {
  /// Finds out what the network itself says of its pixels: a first step that brings 0…255 to small numbers, a last one
  /// that brings what is bounded to 0…255, or that enlarges what it gets as only pixels are enlarged.
  mutating func noteEnds() {
    let firsts = graph.nodes.filter { $0.operation.operands.contains(graph.input.value) }
    if firsts.count == 1, let scale = Self.factor(firsts[0].operation, graph), (0.002...0.02).contains(scale)
    {
      says.input = true
    }
    guard let last = graph.nodes.first(where: { $0.result == graph.output }) else { return }
    if let range = range(last), abs(range.lowerBound) < 0.01, abs(range.upperBound - 255) < 0.01 {
      says.output = true
    }
    if let scale = Self.factor(last.operation, graph), (30...300).contains(scale) { says.output = true }
  }

  /// The one factor of an operation that scales; of one a channel, the first.
  private static func factor(_ operation: Operation, _ graph: Graph) -> Float? {
    switch operation {
    case .activation(let it):
      if case .linear(let scale, _) = it.function { return scale }
      return nil
    case .batchNorm(let it): return it.gamma.flatMap { graph.tensor($0)?.floats().first }
    default: return nil
    }
  }

  /// What an operation's result lies within, as far as a few steps back tell.
  private func range(_ node: Graph.Node, steps: Int = 6) -> ClosedRange<Float>? {
    guard steps > 0, case .activation(let it) = node.operation else { return nil }
    switch it.function {
    case .tanh: return -1...1
    case .sigmoid: return 0...1
    case .clamp(let lower, let upper): return lower...upper
    case .linear(let scale, let bias):
      guard let before = graph.nodes.first(where: { $0.result == it.input }),
        let range = range(before, steps: steps - 1)
      else { return nil }
      let ends = [range.lowerBound * scale + bias, range.upperBound * scale + bias].sorted()
      return ends[0]...ends[1]
    default: return nil
    }
  }
}
