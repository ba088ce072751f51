import ModelGraph
import Tensors

/// An affine map of each channel, `y = factor * x + summand`, in double precision: what a norm with stored
/// statistics is.
struct ChannelAffine {
  /// One factor a channel.
  let factors: [Double]
  /// One summand a channel.
  let summands: [Double]

  /// The map that a norm is: `factor = gamma / sqrt(variance + epsilon)`, `summand = beta - mean * factor`; nil if
  /// one of its tensors is not a weight of the graph.
  init?(_ norm: BatchNorm, in graph: Graph) {
    guard let mean = graph.tensor(norm.mean)?.floats(),
      let variance = graph.tensor(norm.variance)?.floats(),
      let gamma = graph.channelVector(norm.gamma, count: mean.count, default: 1),
      let beta = graph.channelVector(norm.beta, count: mean.count, default: 0)
    else { return nil }
    let factors = zip(gamma, variance).map { Double($0) / (Double($1) + Double(norm.epsilon)).squareRoot() }
    summands = mean.indices.map { Double(beta[$0]) - Double(mean[$0]) * factors[$0] }
    self.factors = factors
  }

  /// What weights or a gamma become, rounded to float once; nil if that is not finite.
  func applied(toFactors tensor: StoredTensor, _ layout: KernelLayout) -> StoredTensor? {
    let floats = tensor.floats()
    return finiteTensor(tensor.shape) { Double(floats[$0]) * factors[layout.channel(at: $0)] }
  }

  /// What a bias or a beta becomes, rounded to float once; nil if that is not finite.
  func applied(toSummands summands: [Float]) -> StoredTensor? {
    finiteTensor([summands.count]) { Double(summands[$0]) * factors[$0] + self.summands[$0] }
  }

  private func finiteTensor(_ shape: Shape, _ value: (Int) -> Double) -> StoredTensor? {
    let floats = (0..<shape.count).map { Float(value($0)) }
    return floats.allSatisfy(\.isFinite) ? StoredTensor(shape: shape, floats: floats) : nil
  }
}

/// Where the output channels lie in an operation's factors: in a convolution's weights or in a gamma.
struct KernelLayout {
  /// Neighbouring numbers that belong to one output channel.
  private let run: Int
  /// The output channels of one group.
  private let channels: Int
  /// The runs after which the next group begins.
  private let groupRuns: Int

  /// `[C]`: one factor a channel.
  init(gamma shape: Shape) {
    run = 1
    channels = shape[0]
    groupRuns = shape[0]
  }

  /// `[C_out, C_in / groups, kH, kW]`: the output channel is the outermost axis, whatever the groups.
  init(convolution shape: Shape) {
    run = shape[1] * shape[2] * shape[3]
    channels = shape[0]
    groupRuns = shape[0]
  }

  /// `[C_in, C_out / groups, kH, kW]`: each group of input channels has output channels of its own.
  init(transposed shape: Shape, groups: Int) {
    run = shape[2] * shape[3]
    channels = shape[1]
    groupRuns = shape[0] / groups * shape[1]
  }

  /// The output channel that the number at `index`, in C order, belongs to.
  func channel(at index: Int) -> Int {
    let place = index / run
    return place / groupRuns * channels + place % channels
  }
}

extension Graph {
  /// The numbers of a vector that may be absent, `count` times the default then; nil if it is not a weight.
  func channelVector(_ value: ValueID?, count: Int, default standard: Float) -> [Float]? {
    guard let value else { return [Float](repeating: standard, count: count) }
    return tensor(value)?.floats()
  }
}
