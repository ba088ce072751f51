import Diagnostics
import ModelGraph
import PictureTracing
import Tensors

extension NetworkConversion {
  /// Operators that move numbers and change none.
  mutating func convertLayout() throws(StyleModelError) -> ImportedValue {
    if case .statistic(let statistic)? = try input(0) { return .statistic(try reshaped(statistic)) }
    if case .quantized(let picture)? = try input(0), node.operation != "Slice",
      node.operation != "DepthToSpace",
      case .picture(let moved) = try arranged(picture)
    {
      return .quantized(moved)
    }
    switch node.operation {
    case "Cast":
      guard [1, 10, 11, 16].contains(try node.integer("to", default: 1)) else {
        throw StyleModelError(
          .badInput, "casts the picture to integers", remedy: "export the network with a float output")
      }
      return .picture(try picture())
    case "DepthToSpace":
      let block = try node.integer("blocksize", default: 0)
      let isInner = try node.word("mode", default: "DCR") == "CRD"
      return .picture(try emitPicture(depthToSpace: try plain(), block: block, blockIsInner: isInner))
    case "Slice": return try convertSlice()
    default: return try arranged(try picture())
    }
  }

  private mutating func arranged(_ picture: PictureValue) throws(StyleModelError) -> ImportedValue {
    let conversion = self
    return .picture(
      try rearranged(picture) { old, probe throws(StyleModelError) in try conversion.arrangement(old, probe) }
    )
  }

  private func arrangement(_ old: Arrangement, _ probe: Int) throws(StyleModelError) -> Arrangement? {
    let shape = old.shape
    switch node.operation {
    case "Identity", "Dropout", "Cast": return old
    case "Reshape":
      guard let target = try list("shape", 1) else { throw StyleModelError(.badInput, "lacks its shape") }
      return old.reshaped(
        try reshapeTarget(shape, target[probe], allowsZero: try node.integer("allowzero", default: 0) != 0))
    case "Flatten": return old.reshaped(try flattened(shape, try node.integer("axis", default: 1)))
    case "Unsqueeze": return old.reshaped(try unsqueezed(shape, try list("axes", 1)?[probe] ?? []))
    case "Squeeze": return old.reshaped(try squeezed(shape, try list("axes", 1)?[probe]))
    case "Transpose":
      guard let order = try node.integers("perm") else { return old.transposed(shape.indices.reversed()) }
      return old.transposed(order)
    case "Expand":
      guard let target = try list("shape", 1)?[probe], target.allSatisfy({ (1...1 << 24).contains($0) })
      else { return nil }
      return old.expanded(to: target)
    case "Tile":
      guard let times = try list("repeats", 1)?[probe], times.count == shape.count,
        times.allSatisfy({ (1...4096).contains($0) })
      else { return nil }
      return times.enumerated().reduce(old) {
        $1.element == 1 ? $0 : $0.repeated($1.element, axis: $1.offset)
      }
    case "Concat":
      // A picture beside itself.
      guard node.inputs.count <= 4096,
        let axis = soundAxis(try node.integer("axis", default: 1), rank: shape.count)
      else { return nil }
      return old.repeated(node.inputs.count, axis: axis)
    default: return nil
    }
  }

  /// `Slice` of rows and columns, a crop, and of channels.
  private mutating func convertSlice() throws(StyleModelError) -> ImportedValue {
    var value = try plain()
    let starts = try list("starts", 1)
    let ends = try list("ends", 2)
    let axes = try list("axes", 3)
    let steps = try list("steps", 4)
    var found: [Insets] = []
    var left: [(height: Int, width: Int)] = []
    var cutsAtEnd = true
    var channels: [Int]?
    for probe in probes.alive {
      let extents = try probes.extents(value, probe)
      let shape = [1, extents.channels, extents.height, extents.width]
      var amounts = Insets.zero
      for slice in try slices(
        shape, starts: starts?[probe], ends: ends?[probe], axes: axes?[probe], steps: steps?[probe])
      {
        let rest = shape[slice.axis] - slice.start - slice.count
        switch slice.axis {
        case 1: channels = (0..<slice.count).map { slice.start + $0 * slice.step }
        case _ where slice.step != 1:
          throw StyleModelError(.badInput, "takes every pixel number \(slice.step) only")
        case 2:
          amounts.top = slice.start
          amounts.bottom = rest
        case 3:
          amounts.left = slice.start
          amounts.right = rest
        default:
          guard slice.start == 0, rest == 0 else {
            throw StyleModelError(.badInput, "takes none of the pictures")
          }
        }
      }
      found.append(amounts)
      left.append((extents.height - amounts.vertical, extents.width - amounts.horizontal))
      cutsAtEnd = cutsAtEnd && amounts.top == 0 && amounts.left == 0
    }
    // Written at the end of networks whose strides round odd sizes up.
    if cutsAtEnd, channels == nil, Set(found).count > 1 {
      try spend(8 * probes.graph.nodes.count)
      if try probes.trim(value, to: left) { return .picture(try shown(value)) }
    }
    let amounts = try agreed("what it cuts off", found)
    if let channels { value = try selected(value, channels) }
    if channels != nil, amounts == .zero { return .picture(try shown(value)) }
    return try emitted(.crop(Crop(input: value, amounts: amounts)))
  }

  /// A statistic in another shape: its channels still lie along one axis.
  private func reshaped(_ statistic: StatisticValue) throws(StyleModelError) -> StatisticValue {
    var result = statistic
    switch node.operation {
    case "Identity", "Cast", "Dropout": break
    case "Reshape":
      guard let target = try list("shape", 1) else { throw StyleModelError(.badInput, "lacks its shape") }
      result.shape = try reshapeTarget(
        statistic.shape, try agreed("a shape", probes.alive.map { target[$0] }), allowsZero: false)
    case "Unsqueeze": result.shape = try unsqueezed(statistic.shape, try list("axes", 1)?[0] ?? [])
    case "Squeeze": result.shape = try squeezed(statistic.shape, try list("axes", 1)?[0])
    default: throw notUnderstoodNorm()
    }
    guard result.shape.filter({ $0 != 1 }) == [statistic.channels].filter({ $0 != 1 }) else {
      throw notUnderstoodNorm()
    }
    return result
  }
}
