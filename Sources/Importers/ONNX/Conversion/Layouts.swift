import Diagnostics
import ModelGraph
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
      return try emitted(depthToSpace: try plain(), block: block, blockIsInner: isInner)
    case "Slice": return try convertSlice()
    default: return try arranged(try picture())
    }
  }

  /// The picture shown in another way; an operation is emitted where that is one of ours.
  private mutating func arranged(_ picture: PictureValue) throws(StyleModelError) -> ImportedValue {
    var result = picture
    for probe in 0..<probes.count {
      let place = probes.alive.contains(probe) ? probe : probes.alive[0]
      let old = picture.arrangements[place]
      guard let new = try arrangement(old, place), let count = new.count, count <= 1 << 36 else {
        throw StyleModelError(
          .badInput, "changes a picture of shape \(old.shape) in a way that is not understood")
      }
      result.arrangements[probe] = new
    }
    return try settled(result)
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
      // A picture beside itself is repeated; other pictures are joined by no style network known.
      guard try joinsOneWithItself(), node.inputs.count <= 4096 else {
        throw StyleModelError(.badInput, "joins several pictures, which is not understood")
      }
      guard let axis = soundAxis(try node.integer("axis", default: 1), rank: shape.count) else { return nil }
      return old.repeated(node.inputs.count, axis: axis)
    default: return nil
    }
  }

  /// Whether all inputs are the same picture in the same order.
  private func joinsOneWithItself() throws(StyleModelError) -> Bool {
    let first = try picture(0)
    for index in node.inputs.indices {
      let other = try picture(index)
      guard other.term == first.term, other.arrangements == first.arrangements else { return false }
    }
    return true
  }

  /// Emits what a chain of reshapes has come to: an enlargement or a depth-to-space.
  private mutating func settled(_ picture: PictureValue) throws(StyleModelError) -> ImportedValue {
    guard case .value(let value) = picture.term else { return .picture(picture) }
    var enlargements: [Pair?] = []
    var blocks: [[Int]?] = []
    for probe in probes.alive {
      let extents = try probes.extents(value, probe)
      let arrangement = picture.arrangements[probe]
      enlargements.append(arrangement.enlargement(extents).map { Pair($0.vertical, $0.horizontal) })
      blocks.append(arrangement.depthToSpace(extents).map { [$0.block, $0.blockIsInner ? 1 : 0] })
    }
    if let factor = enlargements[0], factor != .one, enlargements.allSatisfy({ $0 == factor }) {
      return try emitted(.upsample(Upsample(input: value, factor: factor, mode: .nearest)))
    }
    if let block = blocks[0], blocks.allSatisfy({ $0 == block }) {
      return try emitted(depthToSpace: value, block: block[0], blockIsInner: block[1] == 1)
    }
    return .picture(picture)
  }

  /// A depth-to-space, as the transposed convolution that it is: each channel puts its number into one place of a block.
  private mutating func emitted(
    depthToSpace value: ValueID, block: Int, blockIsInner: Bool
  ) throws(StyleModelError) -> ImportedValue {
    let channels = try probes.channels(value)
    guard (1...64).contains(block), channels % (block * block) == 0 else {
      throw StyleModelError(.badInput, "spreads \(channels) channels over blocks of \(block)x\(block)")
    }
    let outputs = channels / (block * block)
    let count = try Numbers.count([channels, outputs, block, block])
    try spend(count)
    var weights = [Float](repeating: 0, count: count)
    for channel in 0..<channels {
      let output = blockIsInner ? channel / (block * block) : channel % outputs
      let place = blockIsInner ? channel % (block * block) : channel / outputs
      weights[(channel * outputs + output) * block * block + place] = 1
    }
    let kernel = probes.constant(
      "depth_to_space.\(channels).\(block)",
      StoredTensor(shape: Shape([channels, outputs, block, block]), floats: weights))
    return try emitted(
      .transposedConvolution(TransposedConvolution(input: value, weight: kernel, stride: Pair(block, block))))
  }

  /// `Slice` of rows and columns: a crop.
  private mutating func convertSlice() throws(StyleModelError) -> ImportedValue {
    let value = try plain()
    let starts = try list("starts", 1)
    let ends = try list("ends", 2)
    let axes = try list("axes", 3)
    let steps = try list("steps", 4)
    var found: [Insets] = []
    var left: [(height: Int, width: Int)] = []
    var cutsAtEnd = true
    for probe in probes.alive {
      let extents = try probes.extents(value, probe)
      let shape = [1, extents.channels, extents.height, extents.width]
      var amounts = Insets.zero
      for slice in try slices(
        shape, starts: starts?[probe], ends: ends?[probe], axes: axes?[probe], steps: steps?[probe])
      {
        let rest = shape[slice.axis] - slice.start - slice.count
        switch slice.axis {
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
            throw StyleModelError(.badInput, "takes some of the channels only, which is not understood")
          }
        }
      }
      found.append(amounts)
      left.append((extents.height - amounts.vertical, extents.width - amounts.horizontal))
      cutsAtEnd = cutsAtEnd && amounts.top == 0 && amounts.left == 0
    }
    // Written at the end of networks whose strides round odd sizes up.
    if cutsAtEnd, Set(found).count > 1, try probes.trim(value, to: left) {
      return .picture(try shown(value))
    }
    let amounts = try agreed("what it cuts off", found)
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
