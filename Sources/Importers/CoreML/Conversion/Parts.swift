import CSchemas
import Diagnostics
import ModelGraph
import PictureTracing
import ProtobufSupport

/// Pictures taken apart along their channels and put together again: how some converters scale each channel by its own
/// number.
extension LayerConversion {
  /// `split` and `splitND`.
  mutating func convertSplit() throws(StyleModelError) -> [LayerValue] {
    let input = try picture()
    let channels = try probes.channels(input.term.source)
    let rank = input.arrangements[0].axes.count
    let axis = try channelAxis(input)
    var sizes: [Int] = []
    if layer.layer_case == COREML__LAYER__LAYER_SPLIT {
      let count = try extent(layer.split.pointee.n_outputs, "outputs")
      guard axis == rank - 3, channels % count == 0 else {
        throw StyleModelError(.badInput, "splits \(channels) channels into \(count)")
      }
      sizes = Array(repeating: channels / count, count: count)
    } else {
      let params = layer.split_nd.pointee
      guard soundAxis(Int(params.axis), rank: rank) == axis else {
        throw StyleModelError(.badInput, "splits a picture along another axis than its channels")
      }
      sizes = numbers(params.split_sizes, params.n_split_sizes).map { Int(clamping: $0) }
      if sizes.isEmpty {
        let count = try extent(params.num_splits, "outputs")
        guard channels % count == 0 else {
          throw StyleModelError(.badInput, "splits \(channels) channels into \(count)")
        }
        sizes = Array(repeating: channels / count, count: count)
      }
    }
    guard sizes.allSatisfy({ (1...channels).contains($0) }), sizes.count <= channels,
      sizes.reduce(0, +) == channels
    else { throw StyleModelError(.badInput, "splits \(channels) channels into \(sizes.prefix(16))") }
    var start = 0
    return sizes.map { size in
      defer { start += size }
      return .part(
        PicturePart(
          picture: input, channels: start..<start + size, factors: Array(repeating: 1, count: size),
          summands: Array(repeating: 0, count: size)))
    }
  }

  /// `stack`, `concat` and `concatND` of all the parts of one picture, in their order.
  mutating func convertJoin() throws(StyleModelError) -> PictureValue {
    var parts: [PicturePart] = []
    for index in inputNames.indices {
      guard case .part(let part) = try input(index) else {
        throw StyleModelError(
          .badInput, "joins pictures along an axis, which is not understood",
          remedy: "style networks add them; convert the network's checkpoint in place of this file")
      }
      parts.append(part)
    }
    guard let first = parts.first else { throw StyleModelError(.badInput, "joins nothing") }
    let channels = try probes.channels(first.picture.term.source)
    var next = 0
    for part in parts {
      guard part.picture.term == first.picture.term, part.channels.lowerBound == next else {
        throw StyleModelError(.badInput, "joins the channels of a picture in another order than they had")
      }
      next = part.channels.upperBound
    }
    guard next == channels else {
      throw StyleModelError(.badInput, "joins \(next) of a picture's \(channels) channels")
    }
    let rank = first.picture.arrangements[0].axes.count
    let axis = try channelAxis(first.picture)
    var shown = first.picture
    let isStack = layer.layer_case == COREML__LAYER__LAYER_STACK
    if isStack {
      guard parts.allSatisfy({ $0.channels.count == 1 }),
        let place = soundAxis(Int(layer.stack.pointee.axis), rank: rank + 1)
      else { throw StyleModelError(.badInput, "stacks parts of several channels") }
      shown.arrangements = shown.arrangements.map { $0.moved(axis, behindAxisInsertedAt: place) }
    } else {
      let along =
        layer.layer_case == COREML__LAYER__LAYER_CONCAT
        ? (layer.concat.pointee.sequence_concat != 0 ? -1 : rank - 3)
        : soundAxis(Int(layer.concat_nd.pointee.axis), rank: rank) ?? -1
      guard along == axis,
        layer.layer_case == COREML__LAYER__LAYER_CONCAT || layer.concat_nd.pointee.interleave == 0
      else { throw StyleModelError(.badInput, "joins parts along another axis than their channels") }
    }
    let factors = parts.flatMap(\.factors)
    let summands = parts.flatMap(\.summands)
    if factors.allSatisfy({ $0 == 1 }), summands.allSatisfy({ $0 == 0 }) { return shown }
    return try scaled(
      shown, factors: Set(factors).count == 1 ? [factors[0]] : factors,
      summands: Set(summands).count == 1 ? [summands[0]] : summands)
  }

  /// The axis along which a picture's channels are shown.
  private func channelAxis(_ picture: PictureValue) throws(StyleModelError) -> Int {
    var found: [Int] = []
    for probe in probes.alive {
      let arrangement = picture.arrangements[probe]
      let extents = try probes.extents(picture.term.source, probe)
      guard let axis = arrangement.axes.firstIndex(of: [extents.channel]) else {
        throw StyleModelError(.badInput, "splits a picture reshaped to \(arrangement.shape)")
      }
      found.append(axis)
    }
    return try agreed("an axis", found)
  }
}

extension Arrangement {
  /// With a new axis that takes over all that another one walks over.
  fileprivate func moved(_ axis: Int, behindAxisInsertedAt place: Int) -> Arrangement {
    var result = axes
    let channels = result[axis]
    result[axis] = []
    result.insert(channels, at: place)
    return Arrangement(axes: result)
  }
}
