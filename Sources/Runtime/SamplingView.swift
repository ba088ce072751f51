import ModelGraph

/// A picture that exists only as a way of reading another one: which row and column each of its own is taken
/// from. Padding, cropping and nearest-neighbour enlargement are views, and a convolution reads through them.
struct SamplingView: Hashable, Sendable {
  /// The buffer that is read.
  var buffer: BufferID
  /// For each row of the view a row of the buffer, or -1 for zeros.
  var rows: [Int32]
  /// For each column of the view a column of the buffer, or -1 for zeros.
  var columns: [Int32]
  /// How often each pixel was repeated by enlargements, vertically and horizontally.
  var repeats: Pair

  /// The whole buffer as it is.
  init(_ buffer: BufferID, _ layout: MapLayout) {
    self.buffer = buffer
    rows = Array(0..<Int32(layout.height))
    columns = Array(0..<Int32(layout.width))
    repeats = .one
  }

  /// Whether the view shows a buffer of this layout as it is.
  func isWhole(_ layout: MapLayout) -> Bool { self == SamplingView(buffer, layout) }

  /// The view with pixels around it.
  func padded(_ insets: Insets, _ mode: PaddingMode) -> SamplingView {
    var view = self
    view.rows = Self.padded(rows, insets.top, insets.bottom, mode)
    view.columns = Self.padded(columns, insets.left, insets.right, mode)
    return view
  }

  /// The view without some pixels at its edges.
  func cropped(_ insets: Insets) -> SamplingView {
    var view = self
    view.rows = Array(rows.dropFirst(insets.top).dropLast(insets.bottom))
    view.columns = Array(columns.dropFirst(insets.left).dropLast(insets.right))
    return view
  }

  /// The view with each pixel repeated.
  func enlarged(_ factor: Pair) -> SamplingView {
    var view = self
    view.rows = rows.flatMap { repeatElement($0, count: factor.vertical) }
    view.columns = columns.flatMap { repeatElement($0, count: factor.horizontal) }
    view.repeats = Pair(repeats.vertical * factor.vertical, repeats.horizontal * factor.horizontal)
    return view
  }

  private static func padded(_ indices: [Int32], _ before: Int, _ after: Int, _ mode: PaddingMode) -> [Int32]
  {
    let last = indices.count - 1
    return (-before...last + after).map { index in
      if indices.indices.contains(index) { return indices[index] }
      return switch mode {
      case .zero: -1
      case .replicate: indices[index < 0 ? 0 : last]
      case .reflect: indices[index < 0 ? -index : 2 * last - index]
      }
    }
  }
}
