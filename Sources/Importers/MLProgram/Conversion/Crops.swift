import Diagnostics
import ModelGraph
import Tensors

extension ProgramConversion {
  /// Rows and columns cut off: `crop`, `slice_by_index`, `slice_by_size`.
  mutating func convertCrop() throws(StyleModelError) -> ProgramTerm {
    let input = try picture()
    let value = try computed(input.term)
    var found: [Insets] = []
    for size in probes.alive {
      let shape = try extents(input, at: size)
      var amounts = Insets.zero
      for (axis, cut) in try cuts(shape, at: size).enumerated() {
        guard cut.before >= 0, cut.after >= 0 else {
          throw StyleModelError(.badInput, "takes pixels that are not there")
        }
        switch input.axes[axis] {
        case .row: (amounts.top, amounts.bottom) = (cut.before, cut.after)
        case .column: (amounts.left, amounts.right) = (cut.before, cut.after)
        case .one, .channel:
          guard cut.before == 0, cut.after == 0 else {
            throw StyleModelError(.badInput, "takes some of the channels only, which is not understood")
          }
        }
      }
      found.append(amounts)
    }
    let amounts = try agreed("what it cuts off", found)
    return amounts == .zero
      ? .picture(input) : try emitted(.crop(Crop(input: value, amounts: amounts)), like: input)
  }

  /// How much is cut off before and after, axis by axis.
  private mutating func cuts(
    _ shape: [Int], at size: Int
  ) throws(StyleModelError) -> [(before: Int, after: Int)] {
    if operation.type == "crop" {
      guard let rows = try integers("crop_height"), let columns = try integers("crop_width"),
        rows.count == 2, columns.count == 2, shape.count >= 2
      else { throw StyleModelError(.badInput, "wants two amounts for each of height and width") }
      return shape.dropLast(2).map { _ in (0, 0) } + [(rows[0], rows[1]), (columns[0], columns[1])]
    }
    guard let begin = try placeList("begin", shape, at: size) else {
      throw StyleModelError(.badInput, "lacks 'begin'")
    }
    let starts = zip(begin, shape).map { $0 < 0 ? $0 + $1 : $0 }
    if operation.type == "slice_by_size" {
      guard let counts = try placeList("size", shape, at: size) else {
        throw StyleModelError(.badInput, "lacks 'size'")
      }
      return shape.indices.map { axis in
        (starts[axis], counts[axis] == -1 ? 0 : shape[axis] - starts[axis] - counts[axis])
      }
    }
    let end = try placeList("end", shape, at: size)
    let beginMask = try placeList("begin_mask", shape, at: size)
    let endMask = try placeList("end_mask", shape, at: size)
    guard try placeList("squeeze_mask", shape, at: size)?.allSatisfy({ $0 == 0 }) ?? true,
      try placeList("stride", shape, at: size)?.allSatisfy({ $0 == 1 }) ?? true
    else { throw StyleModelError(.badInput, "takes single rows, or every pixel number so many, only") }
    return shape.enumerated().map { axis, extent in
      let first = beginMask?[axis] == 1 ? 0 : starts[axis]
      guard endMask?[axis] != 1, let stop = end?[axis] else { return (first, 0) }
      return (first, extent - (stop < 0 ? stop + extent : min(stop, extent)))
    }
  }

  /// A whole number for each axis, or nil where the argument is left out.
  private mutating func placeList(
    _ role: String, _ shape: [Int], at size: Int
  ) throws(StyleModelError) -> [Int]? {
    guard let list = try listsBySize(role)?[size] else { return nil }
    let whole = list.compactMap { Int(exactly: $0) }.filter { abs($0) < 1 << 40 }
    guard whole.count == shape.count, list.count == shape.count else {
      throw StyleModelError(.badInput, "has \(list) as '\(role)' for \(counted(shape.count, "axis", "axes"))")
    }
    return whole
  }
}
