public import Diagnostics
public import Tensors

extension Graph {
  /// The shape of every value, for a picture of this size.
  /// - Throws: `.badInput`, naming the operation (as the text form writes it) that does not fit.
  public func shapes(for size: PictureSize) throws(StyleModelError) -> [ValueID: Shape] {
    guard let picture = Shape(checking: [1, input.channels, size.height, size.width]), picture.count > 0
    else {
      throw StyleModelError(.badInput, "a picture of \(size) is not possible")
    }
    var shapes = constants.mapValues(\.tensor.shape)
    shapes[input.value] = picture
    for node in nodes {
      for operand in node.operation.operands where shapes[operand] == nil {
        throw StyleModelError(
          .badInput, place: line(for: node), "uses \(operand), which is not computed before it")
      }
      do throws(StyleModelError) {
        shapes[node.result] = try node.operation.resultShape { shapes[$0] ?? [] }
      } catch {
        throw StyleModelError(error.kind, place: line(for: node), error.problem, remedy: error.remedy)
      }
    }
    return shapes
  }
}
