/// A vertical and a horizontal factor.
private struct ScalePair {
  var vertical: Double
  var horizontal: Double
}

extension Graph {
  /// The size of the picture that is shown for one of `size`, where the output itself has `computed`. A few rows and
  /// columns more than the picture has, which strides have brought about, are cut off at the bottom and the right; a
  /// network that enlarges by design keeps its size.
  public func trimmedSize(_ computed: PictureSize, for size: PictureSize) -> PictureSize {
    let (scale, reduction) = scales()
    func extent(_ given: Int, _ computed: Int, _ scale: Double, _ reduction: Double) -> Int {
      let isOnlyRoundedUp = scale == 1 && computed > given && Double(computed - given) < reduction
      return isOnlyRoundedUp ? given : computed
    }
    return PictureSize(
      width: extent(size.width, computed.width, scale.horizontal, reduction.horizontal),
      height: extent(size.height, computed.height, scale.vertical, reduction.vertical))
  }

  /// How the output's size relates to the input's, but for rounding and edges; and how many input pixels one pixel of
  /// the smallest map between them stands for.
  private func scales() -> (scale: ScalePair, reduction: ScalePair) {
    var scales = [input.value: ScalePair(vertical: 1, horizontal: 1)]
    var reduction = ScalePair(vertical: 1, horizontal: 1)
    for node in nodes {
      let operands = node.operation.operands.compactMap { scales[$0] }
      guard var scale = operands.first else { continue }
      switch node.operation {
      case .convolution(let it):
        scale.vertical /= Double(it.stride.vertical)
        scale.horizontal /= Double(it.stride.horizontal)
      case .transposedConvolution(let it):
        scale.vertical *= Double(it.stride.vertical)
        scale.horizontal *= Double(it.stride.horizontal)
      case .upsample(let it):
        scale.vertical *= Double(it.factor.vertical)
        scale.horizontal *= Double(it.factor.horizontal)
      case .resize:
        // One size for every picture is no multiple of any: nothing is cut off.
        scale = ScalePair(vertical: .infinity, horizontal: .infinity)
      case .pad, .crop, .instanceNorm, .conditionalInstanceNorm, .batchNorm, .activation, .binary: break
      }
      scales[node.result] = scale
      reduction.vertical = max(reduction.vertical, 1 / scale.vertical)
      reduction.horizontal = max(reduction.horizontal, 1 / scale.horizontal)
    }
    return (scales[output] ?? ScalePair(vertical: 1, horizontal: 1), reduction)
  }
}
