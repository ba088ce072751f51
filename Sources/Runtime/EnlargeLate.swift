import ModelGraph
import Tensors

extension Graph {
  /// The graph with nearest-neighbour enlargements moved behind whatever gives the same for a pixel and for its
  /// copies: 1×1 convolutions, activations, and norms, whose statistics do not change when every pixel is repeated
  /// equally often. There is less to compute then, and less to keep.
  ///
  /// Given:
  ///     %a = upsample(%x, factor: [2, 2], mode: nearest)
  ///     %b = conv(%a, weight: @"w")          // [128, 64, 1, 1]
  ///     %c = instance_norm(%b)
  ///     %d = conv(%c, weight: @"v", padding: [1, 1, 1, 1])
  /// Result:
  ///     %a = conv(%x, weight: @"w")
  ///     %b = instance_norm(%a)
  ///     %c = upsample(%b, factor: [2, 2], mode: nearest)
  ///     %d = conv(%c, weight: @"v", padding: [1, 1, 1, 1])
  func enlargingLate() -> Graph {
    var graph = self
    let users = graph.users()
    // Forwards, so that an enlargement that has moved is met again at its new place.
    for index in graph.nodes.indices {
      let node = graph.nodes[index]
      guard case .upsample(var upsample) = node.operation, upsample.mode == .nearest, node.result != output,
        let user = users[node.result], user.count == 1, graph.commutes(user[0])
      else { continue }
      var operation = graph.nodes[user[0]].operation
      operation.mapOperands { $0 == node.result ? upsample.input : $0 }
      graph.nodes[index] = Node(result: node.result, operation: operation)
      upsample.input = node.result
      graph.nodes[user[0]] = Node(result: graph.nodes[user[0]].result, operation: .upsample(upsample))
    }
    return graph
  }

  /// Whether a node does the same to a pixel, whether or not it is repeated.
  private func commutes(_ index: Int) -> Bool {
    switch nodes[index].operation {
    case .convolution(let it):
      let taps = tensor(it.weight)?.shape.dimensions.suffix(2)
      return taps == [1, 1] && it.stride == .one && it.padding == .zero
    case .activation, .batchNorm, .instanceNorm, .conditionalInstanceNorm: return true
    case .transposedConvolution, .pad, .binary, .upsample, .resize, .crop: return false
    }
  }
}
