import Diagnostics
import ModelGraph
import Tensors

extension ProgramConversion {
  /// `instance_norm`, `batch_norm`.
  mutating func convertNorm() throws(StyleModelError) -> ProgramTerm {
    let input = try plain()
    let epsilon = try number("epsilon", default: 1e-5)
    let gamma = try weight("gamma")?.value
    let beta = try weight("beta")?.value
    if operation.type == "instance_norm" {
      return try emitted(
        .instanceNorm(InstanceNorm(input: input, gamma: gamma, beta: beta, epsilon: epsilon)))
    }
    guard let mean = try weight("mean"), let variance = try weight("variance") else {
      throw StyleModelError(.badInput, "lacks its statistics")
    }
    return try emitted(
      .batchNorm(
        BatchNorm(
          input: input, mean: mean.value, variance: variance.value, gamma: gamma, beta: beta,
          epsilon: epsilon)))
  }

  /// `reduce_mean` over a picture's pixels.
  mutating func convertMean() throws(StyleModelError) -> ProgramTerm {
    let input = try picture()
    let rank = input.axes.count
    let axes = try integers("axes")?.map { $0 < 0 ? $0 + rank : $0 } ?? Array(0..<rank)
    let keeps = try integer("keep_dims", default: 0) != 0
    guard axes.allSatisfy({ (0..<rank).contains($0) }),
      Set(axes.map { input.axes[$0] }).subtracting([.one]) == [.row, .column]
    else {
      throw StyleModelError(
        .badInput, "averages axes \(axes), not the pixels of each channel",
        remedy: "only what belongs to an instance norm is understood")
    }
    guard let term = DecomposedNorm.mean(input.term) else { throw notUnderstoodNorm() }
    let left: [PictureAxis] = input.axes.indices.compactMap { axis in
      axes.contains(axis) ? (keeps ? .one : nil) : input.axes[axis]
    }
    return .statistic(FlowingStatistic(term: term, axes: left, channels: try channels(input)))
  }
}
