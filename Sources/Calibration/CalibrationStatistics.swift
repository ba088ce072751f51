public import ModelGraph

/// What calibration pictures say of the convolutions of a network: how much a change of their weights changes the picture.
///
/// For a change ΔW of one layer's weights the mean squared change of the picture's samples is, in expectation,
/// tr(G ΔW H ΔWᵀ) summed over groups.
public struct CalibrationStatistics: Sendable {
  /// One convolution's weights.
  public struct Layer: Sendable {
    /// The weights.
    public let weight: ValueID
    /// Their name in the graph.
    public let name: String
    /// How they are seen as a matrix.
    public let layout: WeightRows
    /// The moments of each group.
    public var groups: [Moments]
  }

  /// The second moments of one group of a convolution.
  public struct Moments: Sendable {
    /// H, `[columns, columns]`: of what the weights are multiplied with, each position weighted by the squared gradient
    /// that arrives there. Where a live norm follows, the mean over the picture, which it removes, is taken off first.
    public var inputs: [Float]
    /// G, `[rows, rows]`: of the gradient of the picture at the results, summed over positions; in squared pixel units
    /// a sample of the picture.
    public var gradients: [Float]
  }

  /// The convolutions, in the order in which the network first uses their weights.
  public var layers: [Layer]
  /// How much each calibration picture counted.
  public var pictureWeights: [Double] = []

  /// What is known of these weights.
  public subscript(weight: ValueID) -> Layer? { layers.first { $0.weight == weight } }
}
