import Diagnostics
import ModelGraph
import Tensors

extension ProgramConversion {
  /// Operations that move numbers and change none.
  mutating func convertLayout() throws(StyleModelError) -> ProgramTerm {
    if operation.type == "concat" {
      throw StyleModelError(.badInput, "joins several pictures, which is not understood")
    }
    if case .statistic(let statistic)? = try argument("x") { return .statistic(try reshaped(statistic)) }
    switch operation.type {
    case "identity": return .picture(try picture())
    case "cast":
      guard ["fp16", "fp32"].contains(try word("dtype", default: "")) else {
        throw StyleModelError(
          .badInput, "casts the picture to integers", remedy: "convert the network with a float output")
      }
      return .picture(try picture())
    case "transpose":
      var result = try picture()
      guard let order = try integers("perm"), order.count == result.axes.count,
        case let places = order.map({ $0 < 0 ? $0 + order.count : $0 }),
        places.sorted() == Array(result.axes.indices)
      else { throw StyleModelError(.badInput, "has an order of axes that does not fit") }
      result.axes = places.map { result.axes[$0] }
      return .picture(result)
    case "reshape", "expand_dims", "squeeze": return .picture(try reshaped(try picture()))
    case "crop", "slice_by_index", "slice_by_size": return try convertCrop()
    case "pixel_shuffle":
      return try emitted(blocks: try plain(), try integer("upscale_factor", default: 0), blockIsInner: true)
    case "depth_to_space":
      return try emitted(blocks: try plain(), try integer("block_size", default: 0), blockIsInner: false)
    default: throw StyleModelError(.badInput, "is an operation that is not understood")
    }
  }

  /// A picture with axes of one put in or left out.
  private mutating func reshaped(_ picture: FlowingPicture) throws(StyleModelError) -> FlowingPicture {
    var results: [[PictureAxis]] = []
    for size in probes.alive {
      let old = try extents(picture, at: size)
      guard let new = try newExtents(old, size: size), let axes = picture.axes(from: old, to: new) else {
        throw StyleModelError(
          .badInput, "changes a picture of shape \(old) in a way that is not understood")
      }
      results.append(axes)
    }
    return FlowingPicture(term: picture.term, axes: try agreed("a shape", results))
  }

  /// A statistic in another shape: its channels still lie along one axis.
  private mutating func reshaped(_ statistic: FlowingStatistic) throws(StyleModelError) -> FlowingStatistic {
    var result = statistic
    switch operation.type {
    case "identity", "cast": break
    case "transpose":
      guard let order = try integers("perm"), order.sorted() == Array(statistic.axes.indices) else {
        throw notUnderstoodNorm()
      }
      result.axes = order.map { statistic.axes[$0] }
    case "reshape", "expand_dims", "squeeze":
      let old = statistic.axes.map { $0 == .channel ? statistic.channels : 1 }
      guard let new = try newExtents(old, size: probes.alive[0]),
        Shape(checking: new)?.count == statistic.channels,
        let place = new.firstIndex(of: statistic.channels)
      else { throw notUnderstoodNorm() }
      result.axes = new.indices.map { $0 == place ? .channel : .one }
    default: throw notUnderstoodNorm()
    }
    return result
  }

  /// A depth-to-space, as the transposed convolution that it is: each channel puts its number into one place of a block.
  private mutating func emitted(
    blocks value: ValueID, _ block: Int, blockIsInner: Bool
  ) throws(StyleModelError) -> ProgramTerm {
    let channels = try probes.shape(value)[1]
    guard (1...64).contains(block), channels % (block * block) == 0 else {
      throw StyleModelError(.badInput, "spreads \(channels) channels over blocks of \(block)x\(block)")
    }
    let outputs = channels / (block * block)
    guard let shape = Shape(checking: [channels, outputs, block, block]) else {
      throw StyleModelError(.badInput, "has too many channels")
    }
    try known.spend(shape.count)
    var weights = [Float](repeating: 0, count: shape.count)
    for channel in 0..<channels {
      let output = blockIsInner ? channel / (block * block) : channel % outputs
      let place = blockIsInner ? channel % (block * block) : channel / outputs
      weights[(channel * outputs + output) * block * block + place] = 1
    }
    let kernel = probes.constant(
      "depth_to_space.\(channels).\(block)", StoredTensor(shape: shape, floats: weights))
    return try emitted(
      .transposedConvolution(
        TransposedConvolution(input: value, weight: kernel, stride: Pair(block, block))))
  }
}

extension FlowingPicture {
  /// The axes of a shape that differs in axes of one alone, or nil. Where an extent of the picture itself is 1, it counts as
  /// the picture's first.
  fileprivate func axes(from old: [Int], to new: [Int]) -> [PictureAxis]? {
    var rest = zip(axes, old).filter { $0.0 != .one }[...]
    var result: [PictureAxis] = []
    for extent in new {
      if let next = rest.first, next.1 == extent {
        result.append(next.0)
        rest = rest.dropFirst()
      } else if extent == 1 {
        result.append(.one)
      } else {
        return nil
      }
    }
    return rest.isEmpty ? result : nil
  }
}
