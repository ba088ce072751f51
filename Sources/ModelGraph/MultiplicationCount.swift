public import Diagnostics
import Tensors

extension Graph {
  /// The multiplications of all convolutions for a picture of a size, taken tap by tap: a measure of the work that
  /// depends on the network alone, not on how a machine does it.
  /// - Throws: `.badInput` when the network cannot take the size.
  public func multiplicationCount(for size: PictureSize) throws(StyleModelError) -> Int {
    let shapes = try shapes(for: size)
    var total = 0
    for node in nodes {
      // A kernel's extents are [C_out, C_in / groups, kH, kW], of a transposed one [C_in, C_out / groups, kH, kW]: each
      // pixel of the map that the first extent counts the channels of takes all the rest.
      switch node.operation {
      case .convolution(let it): total += work(shapes[node.result], kernel: shapes[it.weight])
      case .transposedConvolution(let it): total += work(shapes[it.input], kernel: shapes[it.weight])
      case .upsample, .resize, .pad, .crop, .instanceNorm, .conditionalInstanceNorm, .batchNorm, .activation,
        .binary:
        break
      }
    }
    return total
  }

  private func work(_ map: Shape?, kernel: Shape?) -> Int {
    guard let map, let kernel, kernel[0] > 0 else { return 0 }
    let (product, overflow) = map.count.multipliedReportingOverflow(by: kernel.count / kernel[0])
    return overflow ? .max / 1024 : min(product, .max / 1024)
  }
}
