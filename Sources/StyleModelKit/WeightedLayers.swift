/// A convolution, plain or transposed, and the norms that directly follow it: the unit that size and noise are
/// accounted for.
struct WeightedLayer {
  /// The convolution's index among the graph's nodes.
  let convolution: Int
  /// The indices of the norms, in order.
  let norms: [Int]
  /// The value that flows in.
  let input: ValueID
  /// The value that flows out.
  let result: ValueID
  /// The convolution's weight.
  let weight: ValueID
  /// The layer's name: its weight's without the last part.
  let name: String

  /// The last node of the layer.
  var end: Int { norms.last ?? convolution }
  /// All nodes of the layer.
  var nodes: [Int] { [convolution] + norms }
}

extension Graph {
  /// The layers with weights, in the network's order.
  var weightedLayers: [WeightedLayer] {
    let users = users()
    return nodes.indices.compactMap { index in
      guard let (input, weight) = nodes[index].operation.convolved, let constant = constants[weight] else {
        return nil
      }
      var result = nodes[index].result
      var norms: [Int] = []
      while result != output, let next = users[result], next.count == 1,
        nodes[next[0]].operation.normalized == result
      {
        norms.append(next[0])
        result = nodes[next[0]].result
      }
      return WeightedLayer(
        convolution: index, norms: norms, input: input, result: result, weight: weight,
        name: layerName(ofTensor: constant.name))
    }
  }
}

/// The layer that a tensor belongs to by its name: `model.0.block.1` for `model.0.block.1.weight`, and for
/// `model.0.block.1.weight.folded`, which a pass has made of it.
func layerName(ofTensor name: String) -> String {
  var parts = name.split(separator: ".", omittingEmptySubsequences: false)
  if let folded = parts.lastIndex(of: "folded"), folded > 0 { parts.removeSubrange(folded...) }
  return parts.count > 1 ? parts.dropLast().joined(separator: ".") : parts.joined(separator: ".")
}

extension Operation {
  /// The picture and the weight of a convolution; nil for other operations.
  var convolved: (input: ValueID, weight: ValueID)? {
    switch self {
    case .convolution(let it): (it.input, it.weight)
    case .transposedConvolution(let it): (it.input, it.weight)
    default: nil
    }
  }

  /// What a norm normalizes; nil for other operations.
  fileprivate var normalized: ValueID? {
    switch self {
    case .instanceNorm(let it): it.input
    case .conditionalInstanceNorm(let it): it.input
    case .batchNorm(let it): it.input
    default: nil
    }
  }
}
