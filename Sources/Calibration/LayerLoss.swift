public import Diagnostics
public import ModelGraph
import Quantization
import Runtime
import Tensors

/// What the rounding of one layer does to the calibration pictures: as it was expected, and as it is.
public struct LayerLoss: Hashable, Sendable {
  /// The weights.
  public let weight: ValueID
  /// Their name in the graph.
  public let name: String
  /// The mean squared change of a sample of the picture that was expected, in squared pixel units.
  public let expected: Double
  /// The one that was measured with this layer alone rounded: pictures count as in the statistics.
  public let measured: Double
  /// About how many bits the layer's integers take.
  public let bits: Double
}

/// Measures what the rounding of each layer alone does to the calibration pictures.
/// - Parameters:
///   - graph: the network in float.
///   - tensors: its rounded layers.
///   - pictures: those that the statistics were measured with.
///   - progress: is told the share that is done, from 0 to 1.
/// - Throws: `.badInput` when the network cannot take a picture.
public func measuredLosses(
  _ graph: Graph, tensors: [RoundedTensor], pictures: [CalibrationPicture], statistics: CalibrationStatistics,
  threads: Int? = nil, progress: (Double) -> Void = { _ in }
) throws(StyleModelError) -> [LayerLoss] {
  let counted = zip(pictures, statistics.pictureWeights).filter { $0.1 > 0 }
  let total = counted.reduce(0) { $0 + $1.1 }
  let exact = try Engine(graph, threads: threads)
  let outputs = try counted.map { item throws(StyleModelError) in try exact.run(item.0.picture) }
  var losses: [LayerLoss] = []
  for (index, tensor) in tensors.enumerated() {
    var changed = graph
    changed.setTensor(StoredTensor(shape: tensor.shape, floats: tensor.floats), of: tensor.weight)
    let engine = try Engine(changed, threads: threads)
    var sum = 0.0
    for (place, item) in counted.enumerated() {
      sum += item.1 * meanSquaredError(try engine.run(item.0.picture), outputs[place])
    }
    losses.append(
      LayerLoss(
        weight: tensor.weight, name: tensor.name, expected: tensor.expectedLoss,
        measured: total > 0 ? sum / total : 0, bits: tensor.estimatedCodeLength))
    progress(Double(index + 1) / Double(tensors.count))
  }
  return losses
}

extension CompensatedRounding {
  /// Every layer rounded to integers of a width with a scale an output channel, errors made up for.
  public func rounded(bits: Int) throws(StyleModelError) -> [RoundedTensor] {
    try forEachLayer { layer throws(StyleModelError) in
      let form = IntegerForm(bits: bits, isAffine: false, axis: layer.layout.axis)
      guard let tensor = try self.integers(of: layer.weight, form: form) else {
        throw StyleModelError(
          .badInput, place: "tensor \(layer.name)", "spans more than integers with a scale can")
      }
      return tensor
    }
  }
}
