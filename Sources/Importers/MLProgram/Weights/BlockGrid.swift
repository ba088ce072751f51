import Diagnostics
import Tensors

/// Which block of a tensor each of its numbers belongs to: along each axis there are so many blocks of one size.
struct BlockGrid {
  private let data: Shape
  private let blocks: Shape

  /// - Throws: `.badInput` when blocks do not divide the tensor.
  init(data: Shape, blocks: Shape) throws(StyleModelError) {
    guard data.rank == blocks.rank,
      zip(data.dimensions, blocks.dimensions).allSatisfy({ $1 > 0 && $0 % $1 == 0 })
    else {
      throw StyleModelError(.badInput, "divides weights of shape \(data) into blocks of shape \(blocks)")
    }
    self.data = data
    self.blocks = blocks
  }

  /// The number of blocks.
  var count: Int { blocks.count }

  /// The one axis that blocks run along, each one slice thick; `.some(nil)` where there is one block only, and nil for
  /// any other division.
  var axis: Int?? {
    let divided = blocks.dimensions.indices.filter { blocks[$0] > 1 }
    guard let axis = divided.first else { return .some(nil) }
    return divided.count == 1 && blocks[axis] == data[axis] ? .some(axis) : nil
  }

  /// Walks over the numbers in C order.
  func walk() -> Walk { Walk(self) }

  /// The block of each number in turn.
  struct Walk {
    private let extents: [Int]
    private let sizes: [Int]
    private let strides: [Int]
    private var position: [Int]

    fileprivate init(_ grid: BlockGrid) {
      extents = grid.data.dimensions
      sizes = zip(extents, grid.blocks.dimensions).map { max(1, $0 / $1) }
      var strides = [Int](repeating: 1, count: extents.count)
      for axis in extents.indices.reversed().dropFirst() {
        strides[axis] = strides[axis + 1] * grid.blocks[axis + 1]
      }
      self.strides = strides
      position = [Int](repeating: 0, count: extents.count)
    }

    /// The block of the next number.
    mutating func next() -> Int {
      var block = 0
      for axis in position.indices { block += position[axis] / sizes[axis] * strides[axis] }
      for axis in position.indices.reversed() {
        position[axis] += 1
        if position[axis] < extents[axis] { break }
        position[axis] = 0
      }
      return block
    }
  }
}
