import Diagnostics
import ModelGraph

/// Removes operations that hand on what they are given.
///
/// Given:
///
///     %a = pad(%x, amounts: [0, 0, 0, 0], mode: reflect)
///     %b = crop(%a, amounts: [0, 0, 0, 0])
///     %c = upsample(%b, factor: [1, 1], mode: nearest)
///     %d = linear(%c, scale: 1.0, bias: 0.0)
///     %e = leaky_relu(%d, slope: 1.0)
///     %f = relu(%e)
///
/// Result:
///
///     %f = relu(%x)
struct RemoveIdentities: GraphPass {
  static let name = "remove-identities"

  func apply(_ graph: inout Graph) throws(StyleModelError) -> [PassNote] {
    var notes: [PassNote] = []
    var replacements = Replacements()
    for node in graph.nodes {
      guard let input = identityInput(node.operation) else { continue }
      replacements.replace(node.result, with: input)
      notes.append(.removed(graph.label(of: node)))
    }
    replacements.apply(to: &graph)
    return notes
  }

  private func identityInput(_ operation: Operation) -> ValueID? {
    switch operation {
    case .pad(let pad): pad.amounts == .zero ? pad.input : nil
    case .crop(let crop): crop.amounts == .zero ? crop.input : nil
    case .upsample(let upsample): upsample.factor == .one ? upsample.input : nil
    case .activation(let activation):
      switch activation.function {
      case .linear(scale: 1, bias: 0), .leakyReLU(slope: 1): activation.input
      default: nil
      }
    case .resize, .convolution, .transposedConvolution, .instanceNorm, .conditionalInstanceNorm, .batchNorm,
      .binary:
      nil
    }
  }
}

extension PassNote {
  fileprivate static func removed(_ subject: String) -> PassNote {
    PassNote(pass: RemoveIdentities.name, .done, subject: subject, "removed: it changes nothing")
  }
}
