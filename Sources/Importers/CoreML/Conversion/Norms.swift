import CSchemas
import Diagnostics
import ModelGraph
import PictureTracing
import ProtobufSupport

extension LayerConversion {
  /// A `batchnorm`: its flags say whether statistics are stored or taken from the picture, whatever it is named.
  mutating func convertBatchnorm() throws(StyleModelError) -> PictureValue {
    let params = layer.batchnorm.pointee
    let (input, rank) = try plainPicture()
    let channels = try probes.channels(input)
    guard params.channels == UInt64(channels) else {
      throw StyleModelError(
        .badInput, "normalises \(params.channels) channels of a picture that has \(channels)")
    }
    guard params.epsilon.isFinite, params.epsilon >= 0 else {
      throw StyleModelError(.badInput, "has an epsilon of \(params.epsilon)")
    }
    let epsilon = params.epsilon == 0 ? 1e-5 : params.epsilon
    let gamma = try weight("gamma")
    let beta = try weight("beta")
    switch (params.compute_mean_var != 0, params.instance_normalization != 0) {
    case (false, true):
      throw StyleModelError(
        .badInput, "says that it is an instance norm, but not that its statistics are computed",
        remedy: "the two flags contradict each other; convert the network again")
    case (true, let isInstanceNorm):
      if !isInstanceNorm {
        note("a norm over the whole batch became an instance norm: the batch is one picture")
      }
      return try emitPicture(
        .instanceNorm(InstanceNorm(input: input, gamma: gamma, beta: beta, epsilon: epsilon)), rank: rank)
    case (false, false):
      guard let mean = try weight("mean"), let variance = try weight("variance") else {
        throw StyleModelError(.badInput, "lacks the statistics that it normalises by")
      }
      return try emitPicture(
        .batchNorm(
          BatchNorm(
            input: input, mean: mean, variance: variance, gamma: gamma, beta: beta, epsilon: epsilon)),
        rank: rank)
    }
  }

  /// `reduce`, `reduceMean` and `reduceSum` of a picture: what a norm begins with.
  mutating func convertReduction() throws(StyleModelError) -> LayerValue {
    let input = try picture()
    let rank = input.arrangements[0].axes.count
    let reduction = try reduction(rank: rank)
    guard reduction.mode == .mean || reduction.mode == .sum else {
      throw StyleModelError(.badInput, "reduces a picture in a way that is not understood")
    }
    let mean = try mean(input, axes: reduction.axes, keepsAxes: reduction.keepsAxes)
    guard reduction.mode == .sum else { return .statistic(mean) }
    var pixels: [Int] = []
    for probe in 0..<probes.count {
      let place = probes.alive.contains(probe) ? probe : probes.alive[0]
      let extents = try probes.extents(input.term.source, place)
      pixels.append(extents.height * extents.width)
    }
    return .pixelSum(mean: mean, pixels: pixels)
  }

  /// What is reduced, and how.
  struct Reduction {
    enum Mode { case sum, mean, other }
    let mode: Mode
    let axes: [Int]
    let keepsAxes: Bool
  }

  /// The reduction that the layer at work is, for values of a rank.
  func reduction(rank: Int) throws(StyleModelError) -> Reduction {
    func listed(_ params: Coreml__ReduceAxes, _ mode: Reduction.Mode) throws(StyleModelError) -> Reduction {
      var axes: [Int] = []
      for axis in params.reduce_all != 0 ? Array(0..<Int64(rank)) : numbers(params.axes, params.n_axes) {
        guard let sound = soundAxis(Int(axis), rank: rank), !axes.contains(sound) else {
          throw StyleModelError(.badInput, "reduces axis \(axis) of \(rank)")
        }
        axes.append(sound)
      }
      return Reduction(mode: mode, axes: axes, keepsAxes: params.keep_dims != 0)
    }
    switch layer.layer_case {
    case COREML__LAYER__LAYER_REDUCE_MEAN: return try listed(layer.reduce_mean.pointee, .mean)
    case COREML__LAYER__LAYER_REDUCE_SUM: return try listed(layer.reduce_sum.pointee, .sum)
    case COREML__LAYER__LAYER_REDUCE:
      let params = layer.reduce.pointee
      let lists = [[3, 2, 1], [2, 1], [3], [2], [1]]
      guard (0..<5).contains(params.axis), rank >= 3 else {
        throw StyleModelError(.badInput, "reduces an unknown axis \(params.axis)")
      }
      return Reduction(
        mode: params.mode == 0 ? .sum : params.mode == 1 ? .mean : .other,
        axes: lists[Int(params.axis)].map { rank - $0 }, keepsAxes: true)
    default: throw StyleModelError(.internalFault, "is no reduction")
    }
  }
}
