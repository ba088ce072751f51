import Diagnostics
import ModelGraph
import Tensors

extension Engine {
  /// The shape of every value, with an error that says which size would do.
  func shapes(for size: PictureSize) throws(StyleModelError) -> [ValueID: Shape] {
    do throws(StyleModelError) {
      return try graph.shapes(for: size)
    } catch {
      var explained = error
      explained.problem = "a picture of \(size) is too small for the network: " + error.problem
      guard let smallest = graph.smallestSize(), smallest.width > size.width || smallest.height > size.height
      else {
        throw error
      }
      explained.remedy = "use a picture of at least \(smallest)"
      throw explained
    }
  }
}

/// A vertical and a horizontal factor.
struct ScalePair {
  var vertical: Double
  var horizontal: Double
}

extension Graph {
  /// The smallest width and the smallest height that every operation can take, or nil where none is found.
  func smallestSize() -> PictureSize? {
    let large = 512
    func fits(_ width: Int, _ height: Int) -> Bool {
      (try? shapes(for: PictureSize(width: width, height: height))) != nil
    }
    guard let width = (1...large).first(where: { fits($0, large) }),
      let height = (1...large).first(where: { fits(width, $0) })
    else { return nil }
    return PictureSize(width: width, height: height)
  }

  /// How the output's size relates to the input's, but for rounding and edges; and how many input pixels one pixel of
  /// the smallest map between them stands for.
  func scales() -> (scale: ScalePair, reduction: ScalePair) {
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
      case .pad, .crop, .instanceNorm, .conditionalInstanceNorm, .batchNorm, .activation, .binary: break
      }
      scales[node.result] = scale
      reduction.vertical = max(reduction.vertical, 1 / scale.vertical)
      reduction.horizontal = max(reduction.horizontal, 1 / scale.horizontal)
    }
    return (scales[output] ?? ScalePair(vertical: 1, horizontal: 1), reduction)
  }
}
