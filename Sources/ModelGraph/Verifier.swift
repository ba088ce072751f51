public import Diagnostics
import Tensors

extension Graph {
  /// The size that graphs without sizes of their own are checked at: all real networks take it.
  public static let probeSize = PictureSize(width: 256, height: 256)

  /// A size that the contract allows, the usual one where there is a choice.
  public var sampleSize: PictureSize {
    switch contract.sizes {
    case .any: return Graph.probeSize
    case .listed(let sizes): return sizes.first ?? Graph.probeSize
    case .range(let width, let height):
      func nearest(_ range: ClosedSizeRange) -> Int { min(max(256, range.lower), range.upper ?? Int.max) }
      return PictureSize(width: nearest(width), height: nearest(height))
    }
  }

  /// Checks what every graph must satisfy, whoever made it: each value assigned once and before it is used,
  /// constants named apart, shapes that fit, and three channels at the end.
  /// - Throws: `.badInput` saying what does not hold, and where.
  public func verify() throws(StyleModelError) {
    var defined: Set<ValueID> = [input.value]
    var names: Set<String> = []
    for (value, constant) in constants {
      guard defined.insert(value).inserted else { throw problem("\(value) is assigned twice") }
      guard names.insert(constant.name).inserted else {
        throw problem("two tensors are named '\(constant.name)'")
      }
    }
    for node in nodes {
      for operand in node.operation.operands where !defined.contains(operand) {
        throw problem("uses \(operand), which is not computed before it", at: node)
      }
      guard defined.insert(node.result).inserted else {
        throw problem("\(node.result) is assigned twice", at: node)
      }
    }
    guard defined.contains(output), constants[output] == nil else {
      throw problem("the output is not computed")
    }
    guard input.channels == 3 else {
      throw problem("the network takes \(counted(input.channels, "channel")); a picture has 3")
    }
    let factors = contract.inputScale + contract.inputBias + contract.outputScale + contract.outputBias
    guard factors.allSatisfy(\.isFinite) else { throw problem("the pixel contract is not finite") }
    try verifyStyles()
    let shapes = try shapes(for: sampleSize)
    guard let last = shapes[output], last[1] == 3 else {
      throw problem("the output has \(counted(shapes[output]?[1] ?? 0, "channel")); a picture has 3")
    }
  }

  /// Checks that every conditional norm has a row for each style, and that styles are there for something.
  private func verifyStyles() throws(StyleModelError) {
    try styles?.verify()
    var isUsed = false
    for node in nodes {
      guard case .conditionalInstanceNorm(let norm) = node.operation else { continue }
      guard let styles else {
        throw problem("depends on a style, but the network does not say which there are", at: node)
      }
      isUsed = true
      for table in [norm.gamma, norm.beta] {
        guard let shape = tensor(table)?.shape, shape.rank == 2, shape[0] == styles.count else {
          throw problem("wants tables with a row for each of \(counted(styles.count, "style"))", at: node)
        }
      }
    }
    guard styles == nil || isUsed else { throw problem("has styles that nothing depends on") }
  }

  private func problem(_ text: String, at node: Node? = nil) -> StyleModelError {
    StyleModelError(.badInput, place: node.map(line(for:)), text)
  }
}
