import Diagnostics
import PictureTracing
import Tensors

/// What a node makes of numbers that are known, or nil where the operator is not one that is computed here.
/// - Throws: `.badInput` when it is, but does not fit its inputs.
func fold(_ node: ONNXNode, _ inputs: [Numbers?], operatorSet: Int) throws(StyleModelError) -> [Numbers]? {
  func input(_ index: Int) throws(StyleModelError) -> Numbers {
    guard index < inputs.count, let numbers = inputs[index] else {
      throw StyleModelError(.badInput, "lacks input \(index + 1)")
    }
    return numbers
  }
  /// A list of integers that is an attribute in old files and an input in newer ones.
  func list(_ name: String, _ index: Int) throws(StyleModelError) -> [Int]? {
    if let list = try node.integers(name) { return list }
    guard index < inputs.count, let numbers = inputs[index] else { return nil }
    guard let list = numbers.integers else {
      throw StyleModelError(.badInput, "wants whole numbers as '\(name)'")
    }
    return list
  }
  switch node.operation {
  case "Constant": return try constant(node).map { [$0] }
  case "Identity", "Dropout": return [try input(0)]
  case "Cast": return [try input(0).cast(to: try node.integer("to", default: 1))]
  case "Shape", "Size":
    let shape = try input(0).shape
    return [try shapeNumbers(node, shape)]
  case "ConstantOfShape":
    guard let shape = try input(0).integers else { return nil }
    let count = try Numbers.count(shape)
    guard case .tensor(let value)? = node.attributes["value"] else {
      return [Numbers(shape: shape, .floats(Array(repeating: 0, count: count)))]
    }
    let filling = try Numbers(value.tensor)
    guard filling.count == 1 else { throw StyleModelError(.badInput, "fills with \(filling.count) numbers") }
    return [filling.gathered([Int](repeating: 0, count: count), shape: shape)]
  case "Reshape":
    let data = try input(0)
    let target = try reshapeTarget(
      data.shape, try list("shape", 1) ?? [], allowsZero: try node.integer("allowzero", default: 0) != 0)
    return [data.reshaped(target)]
  case "Unsqueeze":
    let data = try input(0)
    return [data.reshaped(try unsqueezed(data.shape, try list("axes", 1) ?? []))]
  case "Squeeze":
    let data = try input(0)
    return [data.reshaped(try squeezed(data.shape, try list("axes", 1)))]
  case "Flatten":
    let data = try input(0)
    return [data.reshaped(try flattened(data.shape, try node.integer("axis", default: 1)))]
  case "Transpose":
    let data = try input(0)
    return [try data.transposed(try node.integers("perm") ?? data.shape.indices.reversed())]
  case "Concat":
    var parts: [Numbers] = []
    for index in inputs.indices { parts.append(try input(index)) }
    return [try Numbers.concatenated(parts, axis: try node.integer("axis", default: 1))]
  case "Slice":
    let data = try input(0)
    return [
      data.sliced(
        try slices(
          data.shape, starts: try list("starts", 1), ends: try list("ends", 2), axes: try list("axes", 3),
          steps: try list("steps", 4)))
    ]
  case "Split":
    let data = try input(0)
    let axis = soundAxis(try node.integer("axis", default: 0), rank: data.shape.count) ?? 0
    guard axis < data.shape.count else { return nil }
    return try splits(data.shape[axis], try list("split", 1), parts: node.outputs.count).map {
      data.sliced([$0(axis)].compactMap { $0 })
    }
  case "Gather": return [try input(0).gathered(try input(1), axis: try node.integer("axis", default: 0))]
  case "Expand": return [try input(0).expanded(to: try input(1).integers ?? [])]
  case "Tile":
    var data = try input(0)
    for (axis, times) in (try input(1).integers ?? []).enumerated() where times != 1 {
      guard (1...4096).contains(times), axis < data.shape.count else { return nil }
      data = try Numbers.concatenated(Array(repeating: data, count: times), axis: axis)
    }
    return [data]
  case "Range": return [try Numbers.range(try input(0), try input(1), try input(2))]
  case "Where": return [try Numbers.chosen(try input(0), try input(1), try input(2))]
  case let name where name.hasPrefix("Reduce"):
    let data = try input(0)
    let given = try list("axes", 1)
    var axes: [Int] = []
    for axis in given ?? Array(data.shape.indices) {
      guard let sound = soundAxis(axis, rank: data.shape.count) else { return nil }
      axes.append(sound)
    }
    return try data.reduced(name, axes: axes, keepsAxes: try node.integer("keepdims", default: 1) != 0).map {
      [$0]
    }
  case let name:
    if inputs.count == 2 {
      return try Numbers.combine(name, try input(0), try aligned(node, try input(1), to: try input(0).shape))
        .map { [$0] }
    }
    return inputs.count == 1 ? try input(0).mapped(name).map { [$0] } : nil
  }
}

/// The right operand of arithmetic as NumPy would align it. Before operator set 7 an attribute said where it begins.
func aligned(_ node: ONNXNode, _ right: Numbers, to shape: [Int]) throws(StyleModelError) -> Numbers {
  guard try node.integer("broadcast", default: 0) != 0, let axis = try node.optionalInteger("axis"),
    let sound = soundAxis(axis, rank: shape.count), sound + right.shape.count <= shape.count
  else { return right }
  let trailing = shape.count - sound - right.shape.count
  return right.reshaped(right.shape + [Int](repeating: 1, count: trailing))
}

private func constant(_ node: ONNXNode) throws(StyleModelError) -> Numbers? {
  for attribute in node.attributes.values {
    switch attribute {
    case .tensor(let tensor): return try Numbers(tensor.tensor)
    case .number(let value): return Numbers(shape: [], .floats([value]))
    case .numbers(let values): return Numbers(shape: [values.count], .floats(values))
    case .integer(let value): return Numbers(shape: [], .integers([value]))
    case .integers(let values): return Numbers(values)
    case .text, .texts, .other: continue
    }
  }
  return nil
}

/// What `Shape` or `Size` says of a shape.
func shapeNumbers(_ node: ONNXNode, _ shape: [Int]) throws(StyleModelError) -> Numbers {
  if node.operation == "Size" { return Numbers(shape: [], .integers([shape.reduce(1, *)])) }
  func bound(_ value: Int) -> Int { min(max(value < 0 ? value + shape.count : value, 0), shape.count) }
  let start = bound(try node.integer("start", default: 0))
  let end = bound(try node.integer("end", default: shape.count))
  return Numbers(start < end ? Array(shape[start..<end]) : [])
}

/// A shape with the axes before and from `axis` merged into one each.
func flattened(_ shape: [Int], _ axis: Int) throws(StyleModelError) -> [Int] {
  let place = axis < 0 ? axis + shape.count : axis
  guard (0...shape.count).contains(place) else {
    throw StyleModelError(.badInput, "flattens \(shape) at axis \(axis)")
  }
  return [shape[..<place].reduce(1, *), shape[place...].reduce(1, *)]
}

/// The parts of a shape that `Slice` names.
func slices(
  _ shape: [Int], starts: [Int]?, ends: [Int]?, axes: [Int]?, steps: [Int]?
) throws(StyleModelError) -> [AxisSlice] {
  let starts = starts ?? []
  let axes = axes ?? Array(starts.indices)
  let steps = steps ?? axes.map { _ in 1 }
  guard let ends, starts.count == ends.count, axes.count == starts.count, steps.count == starts.count else {
    throw StyleModelError(.badInput, "slices with starts, ends, axes and steps of different counts")
  }
  var result: [AxisSlice] = []
  for index in axes.indices {
    guard let axis = soundAxis(axes[index], rank: shape.count),
      let slice = AxisSlice(
        axis: axis, extent: shape[axis], start: starts[index], end: ends[index], step: steps[index])
    else { throw StyleModelError(.badInput, "slices axis \(axes[index]) of shape \(shape)") }
    result.append(slice)
  }
  return result
}

/// The parts that `Split` makes of an axis, each as a function of which axis it is.
private func splits(
  _ extent: Int, _ given: [Int]?, parts: Int
) throws(StyleModelError) -> [(Int) -> AxisSlice?] {
  let size = parts > 0 ? (extent + parts - 1) / parts : 0
  let sizes = given ?? (0..<parts).map { min(size, max(0, extent - $0 * size)) }
  guard sizes.allSatisfy({ (0...extent).contains($0) }), sizes.count <= extent + 1,
    sizes.reduce(0, +) == extent
  else {
    throw StyleModelError(.badInput, "splits \(extent) into \(sizes.prefix(16))")
  }
  var start = 0
  return sizes.map { size in
    defer { start += size }
    let first = start
    return { AxisSlice(axis: $0, extent: extent, start: first, end: first + size, step: 1) }
  }
}
