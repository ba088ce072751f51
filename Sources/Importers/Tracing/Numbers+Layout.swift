package import Diagnostics
import Tensors

extension Numbers {
  /// The axes in another order.
  package func transposed(_ order: [Int]) throws(StyleModelError) -> Numbers {
    guard order.sorted() == Array(shape.indices) else {
      throw StyleModelError(.badInput, "permutes the axes of \(shape) by \(order)")
    }
    let target = order.map { shape[$0] }
    let source = Places(shape)
    var places: [Int] = []
    places.reserveCapacity(count)
    Places(target).forEach { index in
      places.append(zip(order, index).reduce(0) { $0 + source.strides[$1.0] * $1.1 })
    }
    return gathered(places, shape: target)
  }

  /// Several tensors put together along an axis.
  package static func concatenated(_ parts: [Numbers], axis given: Int) throws(StyleModelError) -> Numbers {
    guard let first = parts.first, let axis = soundAxis(given, rank: first.shape.count),
      parts.allSatisfy({ part in
        part.shape.count == first.shape.count
          && part.shape.indices.allSatisfy { $0 == axis || part.shape[$0] == first.shape[$0] }
      })
    else { throw StyleModelError(.badInput, "joins constants of shapes \(parts.map(\.shape))") }
    var shape = first.shape
    shape[axis] = parts.reduce(0) { $0 + $1.shape[axis] }
    _ = try Numbers.count(shape)
    let outer = shape[..<axis].reduce(1, *)
    func join<Value>(_ lists: [[Value]]) -> [Value] {
      (0..<outer).flatMap { row in
        lists.flatMap { list in
          let run = list.count / max(outer, 1)
          return list[row * run..<(row + 1) * run]
        }
      }
    }
    let integers = parts.compactMap(\.integers)
    if integers.count == parts.count { return Numbers(shape: shape, .integers(join(integers))) }
    return Numbers(shape: shape, .floats(join(parts.map(\.floats))))
  }

  /// A part of a tensor, as `Slice` cuts it.
  package func sliced(_ slices: [AxisSlice]) -> Numbers {
    var target = shape
    var starts = [Int](repeating: 0, count: shape.count)
    var steps = [Int](repeating: 1, count: shape.count)
    for slice in slices {
      target[slice.axis] = slice.count
      starts[slice.axis] = slice.start
      steps[slice.axis] = slice.step
    }
    let source = Places(shape)
    var places: [Int] = []
    Places(target).forEach { index in
      places.append(
        index.indices.reduce(0) { $0 + source.strides[$1] * (starts[$1] + index[$1] * steps[$1]) })
    }
    return gathered(places, shape: target)
  }

  /// The elements of an axis that integers name.
  package func gathered(_ indices: Numbers, axis given: Int) throws(StyleModelError) -> Numbers {
    guard let axis = soundAxis(given, rank: shape.count), let chosen = indices.integers else {
      throw StyleModelError(.badInput, "gathers from a constant of shape \(shape) along axis \(given)")
    }
    let extent = shape[axis]
    guard chosen.allSatisfy({ (-extent..<extent).contains($0) }) else {
      throw StyleModelError(.badInput, "gathers element \(chosen) of \(extent)")
    }
    let target = Array(shape[..<axis]) + indices.shape + Array(shape[(axis + 1)...])
    _ = try Numbers.count(target)
    let inner = shape[(axis + 1)...].reduce(1, *)
    let outer = shape[..<axis].reduce(1, *)
    var places: [Int] = []
    for row in 0..<outer {
      for index in chosen {
        let base = (row * extent + (index < 0 ? index + extent : index)) * inner
        places.append(contentsOf: base..<base + inner)
      }
    }
    return gathered(places, shape: target)
  }

  /// Repeated to a shape, as NumPy broadcasts.
  package func expanded(to wanted: [Int]) throws(StyleModelError) -> Numbers {
    guard let target = broadcastShape(shape, wanted) else {
      throw StyleModelError(.badInput, "expands a constant of shape \(shape) to \(wanted)")
    }
    _ = try Numbers.count(target)
    let source = Places(shape)
    var places: [Int] = []
    Places(target).forEach { places.append(source.broadcast($0)) }
    return gathered(places, shape: target)
  }

  /// The integers from `start` to before `limit`.
  package static func range(_ start: Numbers, _ limit: Numbers, _ step: Numbers) throws(StyleModelError)
    -> Numbers
  {
    guard let first = start.integers?.first, let end = limit.integers?.first, let step = step.integers?.first,
      step != 0, [first, end, step].allSatisfy({ abs($0) <= 1 << 40 })
    else { throw StyleModelError(.badInput, "counts in a range that is not of whole numbers") }
    try require(max(0, (end - first) / step + 1))
    return Numbers(Array(stride(from: first, to: end, by: step)))
  }

  /// Elements of one of two tensors, by the truth values of a third.
  package static func chosen(_ condition: Numbers, _ yes: Numbers, _ no: Numbers) throws(StyleModelError)
    -> Numbers
  {
    guard let both = broadcastShape(yes.shape, no.shape), let shape = broadcastShape(condition.shape, both)
    else {
      throw StyleModelError(.badInput, "chooses between constants of shapes \(yes.shape) and \(no.shape)")
    }
    let pick = try condition.expanded(to: shape).floats
    let a = try yes.expanded(to: shape)
    let b = try no.expanded(to: shape)
    if let x = a.integers, let y = b.integers {
      return Numbers(shape: shape, .integers(pick.indices.map { pick[$0] != 0 ? x[$0] : y[$0] }))
    }
    let x = a.floats
    let y = b.floats
    return Numbers(shape: shape, .floats(pick.indices.map { pick[$0] != 0 ? x[$0] : y[$0] }))
  }
}

/// An axis that may be counted from the end, or nil if there is none such.
package func soundAxis(_ axis: Int, rank: Int) -> Int? {
  guard (-rank..<rank).contains(axis) else { return nil }
  return axis < 0 ? axis + rank : axis
}

/// What `Slice` keeps of one axis.
package struct AxisSlice: Hashable {
  package let axis: Int
  package let start: Int
  package let step: Int
  package let count: Int

  /// The standard's rules: ends are clamped to the extent, negative ones count from its end.
  package init?(axis: Int, extent: Int, start: Int, end: Int, step: Int) {
    guard step != 0, step != .min else { return nil }
    func placed(_ bound: Int, _ range: ClosedRange<Int>) -> Int {
      let place = bound < 0 ? bound.addingReportingOverflow(extent).partialValue : bound
      return min(max(place, range.lowerBound), range.upperBound)
    }
    let range = step > 0 ? 0...extent : -1...max(extent - 1, -1)
    let first = placed(start, range)
    let last = placed(end, range)
    let distance = step > 0 ? last - first : first - last
    self.axis = axis
    self.start = first
    self.step = step
    count = distance <= 0 ? 0 : (distance - 1) / abs(step) + 1
  }
}

/// The shape that `Reshape` asks for: 0 keeps an extent (unless `allowsZero`), -1 is what is left.
package func reshapeTarget(_ shape: [Int], _ wanted: [Int], allowsZero: Bool) throws(StyleModelError) -> [Int]
{
  func problem() -> StyleModelError { StyleModelError(.badInput, "reshapes \(shape) to \(wanted)") }
  guard wanted.count <= 16, wanted.allSatisfy({ $0 >= -1 && $0 <= 1 << 40 }),
    wanted.count(where: { $0 == -1 }) <= 1
  else { throw problem() }
  var target: [Int] = []
  for (axis, extent) in wanted.enumerated() {
    guard extent == 0, !allowsZero else {
      target.append(extent)
      continue
    }
    guard axis < shape.count else { throw problem() }
    target.append(shape[axis])
  }
  guard let total = Shape(checking: shape)?.count,
    let known = Shape(checking: target.filter { $0 != -1 })?.count
  else { throw problem() }
  if let free = target.firstIndex(of: -1) {
    guard known > 0, total % known == 0 else { throw problem() }
    target[free] = total / known
  } else if known != total {
    throw problem()
  }
  return target
}

/// A shape with axes of one put in.
package func unsqueezed(_ shape: [Int], _ axes: [Int]) throws(StyleModelError) -> [Int] {
  let rank = shape.count + axes.count
  let places = Set(axes.compactMap { soundAxis($0, rank: rank) })
  guard places.count == axes.count, rank <= 16 else {
    throw StyleModelError(.badInput, "puts axes \(axes) into shape \(shape)")
  }
  var rest = shape.makeIterator()
  return (0..<rank).map { places.contains($0) ? 1 : rest.next() ?? 1 }
}

/// A shape without axes of one: those given, or all.
package func squeezed(_ shape: [Int], _ axes: [Int]?) throws(StyleModelError) -> [Int] {
  let places = axes.map { Set($0.compactMap { soundAxis($0, rank: shape.count) }) }
  guard places?.allSatisfy({ shape[$0] == 1 }) ?? true else {
    throw StyleModelError(.badInput, "drops axes \(axes ?? []) of shape \(shape)")
  }
  return shape.indices.filter { places?.contains($0) ?? (shape[$0] == 1) ? false : true }.map { shape[$0] }
}
