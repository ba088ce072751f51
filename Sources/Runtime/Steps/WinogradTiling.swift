/// The squares into which Winograd's algorithm cuts one phase of a convolution, row by row.
struct WinogradTiling {
  /// The rows and columns of output in a tile.
  let size: Int
  let rows: Int
  let columns: Int

  var across: Int { (columns + size - 1) / size }
  var count: Int { (rows + size - 1) / size * across }

  /// Pixels of the output that whole tiles cover.
  struct Area {
    let rows: Range<Int>
    let columns: Range<Int>

    var count: Int { rows.count * columns.count }
  }

  /// What a range of tiles covers: for each row of tiles one area.
  func areas(of tiles: Range<Int>) -> [Area] {
    guard let last = tiles.last else { return [] }
    return (tiles.lowerBound / across...last / across).map { row in
      let first = max(tiles.lowerBound - row * across, 0)
      let end = min(tiles.upperBound - row * across, across)
      return Area(
        rows: row * size..<min((row + 1) * size, rows), columns: first * size..<min(end * size, columns))
    }
  }
}

extension TapTable {
  /// The input indices as one line that a window moves along by one an output; nil where they are none: at other
  /// strides, with dilation, or with the taps in another order.
  var line: [Int32]? {
    let width = taps.count
    guard width > 0, outputs > 0 else { return nil }
    for output in 1..<max(outputs, 1) {
      for tap in 1..<max(width, 1)
      where indices[output * width + tap - 1] != indices[(output - 1) * width + tap] {
        return nil
      }
    }
    return indices[..<width] + (1..<max(outputs, 1)).map { indices[$0 * width + width - 1] }
  }
}
