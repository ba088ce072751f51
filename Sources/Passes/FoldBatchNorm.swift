import Diagnostics
import ModelGraph
import Tensors

/// Folds norms with stored statistics, which are affine maps of each channel, into what stands before them: into
/// the weights and bias of a convolution, or into gamma and beta of another norm, be it live or stored.
///
/// Given:
///
///     %a = conv(%x, weight: @"w", bias: @"b", padding: [1, 1, 1, 1])
///     %b = batch_norm(%a, mean: @"m", variance: @"v", gamma: @"g", beta: @"h", epsilon: 1e-05)
///     %c = instance_norm(%b, epsilon: 1e-05)
///     %d = batch_norm(%c, mean: @"m", variance: @"v", epsilon: 1e-05)
///
/// Result:
///
///     %a = conv(%x, weight: @"w", bias: @"b", padding: [1, 1, 1, 1])
///     %c = instance_norm(%a, gamma: @"m.gamma", beta: @"m.beta", epsilon: 1e-05)
///
/// with `f = g / sqrt(v + epsilon)`: `w * f` along the output channels in the place of `w`, and
/// `(b - m) * f + h` in the place of `b`; computed in double precision and rounded to float once a norm. A tensor that
/// others use too is left to them, and its successor is named `w.folded`. What was quantized becomes float32.
struct FoldBatchNorm: GraphPass {
  static let name = "fold-batch-norm"

  func apply(_ graph: inout Graph) throws(StyleModelError) -> [PassNote] {
    let connections = Connections(graph)
    var notes: [PassNote] = []
    var replacements = Replacements()
    for node in graph.nodes {
      guard case .batchNorm(let norm) = node.operation else { continue }
      let label = graph.label(of: node)
      let source = replacements[norm.input]
      let place = connections.producer(of: source)
      var found = NormCase.stored(
        after: place.map { graph.nodes[$0].operation }, isShared: !connections.isUsedOnce(norm.input))
      var decoded: Encoding?
      if found.outcome.kind == .done, let place {
        if let fold = Fold(norm, into: graph.nodes[place].operation, in: graph) {
          decoded = fold.decoded
          fold.write(to: &graph, place: place, normLabel: label, connections)
          replacements.replace(node.result, with: source)
        } else {
          found = .storedOutOfRange
        }
      }
      notes.append(.outcome(of: found, label, decoded: decoded))
    }
    replacements.apply(to: &graph)
    return notes
  }
}

/// The tensors in which a norm goes on, all computed before one of them is written.
private struct Fold {
  private let parameters: ChannelParameters
  private let factors: StoredTensor
  private let summands: StoredTensor
  /// How the factors were stored before, where that was not float32.
  let decoded: Encoding?

  /// Computes the tensors; nil if that is not possible in finite floats.
  init?(_ norm: BatchNorm, into operation: Operation, in graph: Graph) {
    guard let parameters = ChannelParameters(of: operation, in: graph),
      let affine = ChannelAffine(norm, in: graph)
    else { return nil }
    let count = affine.factors.count
    let old = parameters.factors.flatMap { graph.tensor($0) }
    guard
      let factors = affine.applied(
        toFactors: old ?? StoredTensor(shape: [count], floats: [Float](repeating: 1, count: count)),
        parameters.layout ?? KernelLayout(gamma: [count])),
      let oldSummands = graph.channelVector(parameters.summands, count: count, default: 0),
      let summands = affine.applied(toSummands: oldSummands)
    else { return nil }
    self.parameters = parameters
    self.factors = factors
    self.summands = summands
    decoded = old.flatMap { $0.encoding == .plain(.float32) ? nil : $0.encoding }
  }

  /// Puts the tensors in the place of those that the operation at `place` has.
  func write(to graph: inout Graph, place: Int, normLabel: String, _ connections: Connections) {
    let isNorm = parameters.layout == nil
    let label = isNorm ? normLabel : graph.label(of: graph.nodes[place])
    let newFactors =
      parameters.factors.map { graph.rewrite($0, as: factors, connections) }
      ?? graph.addSibling("gamma", of: label, factors)
    let newSummands =
      parameters.summands.map { graph.rewrite($0, as: summands, connections) }
      ?? graph.addSibling(isNorm ? "beta" : "bias", of: label, summands)
    parameters.write(factors: newFactors, summands: newSummands, to: &graph.nodes[place].operation)
  }
}

/// The tensors that an operation multiplies its channels by and adds to them, weights and bias or gamma and beta:
/// where it can take in an affine map of its result.
private struct ChannelParameters {
  let factors: ValueID?
  let summands: ValueID?
  /// Where the channels lie in a convolution's weights; nil for norms.
  let layout: KernelLayout?

  /// The tensors of an operation; nil if it has none, or has weights that are computed.
  init?(of operation: Operation, in graph: Graph) {
    switch operation {
    case .convolution(let convolution):
      guard let weight = graph.tensor(convolution.weight) else { return nil }
      factors = convolution.weight
      summands = convolution.bias
      layout = KernelLayout(convolution: weight.shape)
    case .transposedConvolution(let convolution):
      guard let weight = graph.tensor(convolution.weight) else { return nil }
      factors = convolution.weight
      summands = convolution.bias
      layout = KernelLayout(transposed: weight.shape, groups: convolution.groups)
    case .instanceNorm(let norm):
      factors = norm.gamma
      summands = norm.beta
      layout = nil
    case .batchNorm(let norm):
      factors = norm.gamma
      summands = norm.beta
      layout = nil
    case .conditionalInstanceNorm, .pad, .activation, .binary, .upsample, .resize, .crop: return nil
    }
  }

  /// Makes an operation use other tensors.
  func write(factors: ValueID, summands: ValueID, to operation: inout Operation) {
    switch operation {
    case .convolution(var convolution):
      convolution.weight = factors
      convolution.bias = summands
      operation = .convolution(convolution)
    case .transposedConvolution(var convolution):
      convolution.weight = factors
      convolution.bias = summands
      operation = .transposedConvolution(convolution)
    case .instanceNorm(var norm):
      norm.gamma = factors
      norm.beta = summands
      operation = .instanceNorm(norm)
    case .batchNorm(var norm):
      norm.gamma = factors
      norm.beta = summands
      operation = .batchNorm(norm)
    case .conditionalInstanceNorm, .pad, .activation, .binary, .upsample, .resize, .crop: break
    }
  }
}

extension PassNote {
  fileprivate static func outcome(of found: NormCase, _ subject: String, decoded: Encoding?) -> PassNote {
    let (kind, text) = found.outcome
    let addition =
      switch decoded {
      case nil: ""
      case .plain(let type): "; its \(type.rawValue) numbers became float32"
      case .affine(let affine): "; its \(affine.bits)-bit numbers were decoded first"
      case .palette(let palette): "; its palette of \(palette.bits) bits was decoded first"
      }
    return PassNote(pass: FoldBatchNorm.name, kind, subject: subject, text + addition)
  }
}
