import Diagnostics
import ModelGraph
import Tensors

extension KerasTranslator {
  /// What stands in the place of a normalisation, or nil for other classes.
  mutating func normalization(_ layer: KerasLayer, _ input: ValueID) throws(StyleModelError) -> ValueID? {
    switch layer.className {
    case "BatchNormalization", "BatchNormalizationV1", "SyncBatchNormalization":
      return try batchNorm(layer, input)
    case "InstanceNormalization", "InstanceNorm", "InstanceNormalization2D":
      return try instanceNorm(layer, input)
    case "GroupNormalization":
      let groups = try layer.number("groups") ?? 32
      guard groups == -1 || groups == Double(channels(input)) else {
        throw layer.refusal("groups", "one channel a group is read, which is an instance norm")
      }
      return try instanceNorm(layer, input)
    default: return nil
    }
  }

  private mutating func batchNorm(_ layer: KerasLayer, _ input: ValueID) throws(StyleModelError) -> ValueID {
    // Keras 1: normalisation by what the batch at hand gives.
    try layer.require("mode", isOneOf: [0])
    try requireChannelAxis(layer)
    let (found, gamma, beta) = try affine(layer, ["moving_mean", "moving_variance"])
    guard let mean = found["moving_mean"], let variance = found["moving_variance"] else {
      throw layer.problem("has no stored statistics")
    }
    return try append(
      .batchNorm(
        BatchNorm(
          input: input, mean: constant(mean.name, mean.tensor),
          variance: constant(variance.name, variance.tensor),
          gamma: gamma, beta: beta, epsilon: try epsilon(layer))))
  }

  private mutating func instanceNorm(_ layer: KerasLayer, _ input: ValueID) throws(StyleModelError) -> ValueID
  {
    try requireChannelAxis(layer)
    let (_, gamma, beta) = try affine(layer, [])
    let epsilon = try epsilon(layer)
    guard epsilon > 0 else { throw layer.refusal("epsilon", "a number above zero is read") }
    return try append(.instanceNorm(InstanceNorm(input: input, gamma: gamma, beta: beta, epsilon: epsilon)))
  }

  /// Gamma and beta, as far as the layer has them, and what follows them.
  private mutating func affine(
    _ layer: KerasLayer, _ others: [String]
  ) throws(StyleModelError) -> (found: [String: KerasWeights.Variable], gamma: ValueID?, beta: ValueID?) {
    let roles =
      try (layer.flag("scale", default: true) ? ["gamma"] : [])
      + (layer.flag("center", default: true) ? ["beta"] : [])
    let found = try variables(of: layer, (roles + others).map { ($0, 1) })
    let values = roles.map { role in found[role].map { constant($0.name, $0.tensor) } }
    return (
      found, roles.first == "gamma" ? values[0] : nil, roles.last == "beta" ? values[values.count - 1] : nil
    )
  }

  private func epsilon(_ layer: KerasLayer) throws(StyleModelError) -> Float {
    Float(try layer.number("epsilon") ?? 1e-3)
  }

  /// Statistics a channel; along anything else the layer is another one.
  private func requireChannelAxis(_ layer: KerasLayer) throws(StyleModelError) {
    let axis = layer.config["axis"]?.items.map { $0.count == 1 ? $0[0] : .null } ?? layer.config["axis"]
    // Without a word on it, the last one is meant.
    let value = axis == nil ? (channelsFirst ? 1 : -1) : axis?.integer
    guard (channelsFirst ? [1, -3] : [-1, 3]).contains(value) else {
      throw layer.refusal(
        "axis", "the channels are along \(channelsFirst ? "1" : "-1"), and only that is read")
    }
  }
}
