import Diagnostics
import ModelGraph
import PictureTracing
import Tensors

extension NetworkConversion {
  /// `InstanceNormalization`, `GroupNormalization` with one channel a group, `BatchNormalization`.
  mutating func convertNorm() throws(StyleModelError) -> ImportedValue {
    let input = try picture()
    let value = try computed(input.term)
    for probe in probes.alive {
      // A picture may come flattened: `[1, C, H * W]` has the same statistics.
      guard let axis = input.arrangements[probe].channelAxis(try probes.extents(value, probe)), axis == 1
      else {
        throw StyleModelError(
          .badInput,
          "normalises a picture reshaped to \(input.arrangements[probe].shape): groups of channels, not single ones"
        )
      }
    }
    let channels = try probes.channels(value)
    let epsilon = try node.number("epsilon", default: 1e-5)
    if node.operation == "GroupNormalization" {
      let groups = try node.integer("num_groups", default: 0)
      guard groups == channels else {
        throw StyleModelError(
          .badInput, "normalises \(channels) channels in \(counted(groups, "group"))",
          remedy: "only one channel a group, which is an instance norm, is understood")
      }
    }
    let gamma = isFiller(1) ? nil : try weight(1)
    let beta = isFiller(2) ? nil : try weight(2)
    let isLive =
      if node.operation == "BatchNormalization" {
        operatorSet >= 14 ? try node.integer("training_mode", default: 0) != 0 : false
      } else { true }
    if isLive {
      if node.operation == "BatchNormalization" {
        note(
          "a batch norm in training mode takes its statistics from the picture: it became an instance norm")
      }
      return try emitted(
        .instanceNorm(InstanceNorm(input: value, gamma: gamma?.value, beta: beta?.value, epsilon: epsilon)),
        like: input)
    }
    guard let mean = try weight(3), let variance = try weight(4) else {
      throw StyleModelError(.badInput, "lacks its statistics")
    }
    return try emitted(
      .batchNorm(
        BatchNorm(
          input: value, mean: mean.value, variance: variance.value, gamma: gamma?.value, beta: beta?.value,
          epsilon: epsilon)), like: input)
  }

  /// Whether an input stands in for something that the network had not, in a file of our own.
  private func isFiller(_ index: Int) -> Bool {
    own != nil && index < node.inputs.count && node.inputs[index].hasPrefix(ONNXFormat.fillerPrefix)
  }

  /// `ReduceMean` over a picture's pixels, `GlobalAveragePool`.
  mutating func convertMean() throws(StyleModelError) -> ImportedValue {
    let input = try picture()
    let rank = input.arrangements[0].shape.count
    var axes = Array(2..<max(rank, 2))
    var keepsAxes = true
    if node.operation == "ReduceMean" {
      let given = try list("axes", 1)
      let list = try agreed("its axes", probes.alive.map { given?[$0] ?? Array(0..<rank) })
      axes = list.compactMap { soundAxis($0, rank: rank) }
      keepsAxes = try node.integer("keepdims", default: 1) != 0
    }
    return .statistic(try mean(input, axes: axes, keepsAxes: keepsAxes))
  }
}
