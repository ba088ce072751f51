package import Diagnostics
package import ModelGraph
import Tensors

extension PictureConversion {
  /// A picture shown in another way; an operation is emitted where that is one of ours.
  /// - Parameter arrangement: how it is shown now, for what was shown at a probed size; nil if that is not understood.
  package mutating func rearranged(
    _ picture: PictureValue,
    _ arrangement: (Arrangement, Int) throws(StyleModelError) -> Arrangement?
  ) throws(StyleModelError) -> PictureValue {
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

  /// Emits what a chain of reshapes has come to: an enlargement or a depth-to-space.
  private mutating func settled(_ picture: PictureValue) throws(StyleModelError) -> PictureValue {
    guard case .value(let value) = picture.term else { return picture }
    var enlargements: [Pair?] = []
    var blocks: [[Int]?] = []
    for probe in probes.alive {
      let extents = try probes.extents(value, probe)
      let arrangement = picture.arrangements[probe]
      enlargements.append(arrangement.enlargement(extents).map { Pair($0.vertical, $0.horizontal) })
      blocks.append(arrangement.depthToSpace(extents).map { [$0.block, $0.blockIsInner ? 1 : 0] })
    }
    if let factor = enlargements[0], factor != .one, enlargements.allSatisfy({ $0 == factor }) {
      return try emitPicture(.upsample(Upsample(input: value, factor: factor, mode: .nearest)))
    }
    if let block = blocks[0], blocks.allSatisfy({ $0 == block }) {
      return try emitPicture(depthToSpace: value, block: block[0], blockIsInner: block[1] == 1)
    }
    return picture
  }

  /// A depth-to-space, as the transposed convolution that it is: each channel puts its number into one place of a block.
  /// - Parameter blockIsInner: whether a block's rows and columns are the inner part of the channels, as PyTorch's pixel
  ///   shuffle has it, or the outer.
  package mutating func emitPicture(
    depthToSpace value: ValueID, block: Int, blockIsInner: Bool, rank: Int = 4
  ) throws(StyleModelError) -> PictureValue {
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
    return try emitPicture(
      .transposedConvolution(TransposedConvolution(input: value, weight: kernel, stride: Pair(block, block))),
      rank: rank)
  }

  /// A padding with a constant. Zeros around what is less by the filling are the filling once it is added again.
  package mutating func padded(
    _ value: ValueID, _ amounts: Insets, filling: Float
  ) throws(StyleModelError) -> ValueID {
    var value = value
    if filling != 0 {
      value = try probes.emit(
        .activation(Activation(input: value, function: .linear(scale: 1, bias: -filling))))
    }
    value = try probes.emit(.pad(Pad(input: value, amounts: amounts, mode: .zero)))
    guard filling != 0 else { return value }
    return try probes.emit(
      .activation(Activation(input: value, function: .linear(scale: 1, bias: filling))))
  }
}
