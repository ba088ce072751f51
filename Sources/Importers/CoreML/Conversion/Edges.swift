import CSchemas
import Diagnostics
import ModelGraph
import PictureTracing
import ProtobufSupport

extension LayerConversion {
  /// Layers that put rows and columns around a picture, or cut some off.
  mutating func convertEdges() throws(StyleModelError) -> PictureValue {
    let (input, rank) = try plainPicture()
    switch layer.layer_case {
    case COREML__LAYER__LAYER_PADDING:
      let value = try padded(input, layer.padding.pointee)
      return try shown(value, rank: rank)
    case COREML__LAYER__LAYER_CONSTANT_PAD:
      let params = layer.constant_pad.pointee
      let amounts = numbers(params.pad_amounts, params.n_pad_amounts)
      guard params.pad_to_given_output_size_mode == 0, inputNames.count == 1, amounts.count == 2 * rank,
        amounts.allSatisfy({ $0 <= 4096 }), amounts.dropLast(4).allSatisfy({ $0 == 0 })
      else { throw StyleModelError(.badInput, "pads by \(amounts.prefix(16)), which is not understood") }
      let edges = amounts.suffix(4).map { Int($0) }
      let insets = Insets(top: edges[0], left: edges[2], bottom: edges[1], right: edges[3])
      let value = try padded(input, insets, filling: try finite(params.value))
      return try shown(value, rank: rank)
    default:
      var found: [Insets] = []
      for probe in probes.alive { found.append(try cut(try probes.extents(input, probe), probe, rank)) }
      // At a network's end rows and columns that strides have added may be cut off, however many they are.
      if Set(found).count > 1, found.allSatisfy({ $0.top == 0 && $0.left == 0 }) {
        var left: [(height: Int, width: Int)] = []
        for (probe, cut) in zip(probes.alive, found) {
          let whole = try probes.extents(input, probe)
          left.append((whole.height - cut.bottom, whole.width - cut.right))
        }
        if try probes.trim(input, to: left) { return try shown(input, rank: rank) }
      }
      let amounts = try agreed("what it cuts off", found)
      guard amounts != .zero else { return try shown(input, rank: rank) }
      return try emitPicture(.crop(Crop(input: input, amounts: amounts)), rank: rank)
    }
  }

  private mutating func padded(
    _ input: ValueID, _ params: Coreml__Padding
  ) throws(StyleModelError) -> ValueID {
    let amounts = try insets(params.padding_amounts?.pointee)
    guard amounts != .zero else { return input }
    switch params.padding_type_case {
    case COREML__PADDING__PADDING_TYPE_CONSTANT:
      return try padded(input, amounts, filling: try finite(params.constant.pointee.value))
    case COREML__PADDING__PADDING_TYPE_REFLECTION:
      return try probes.emit(.pad(Pad(input: input, amounts: amounts, mode: .reflect)))
    case COREML__PADDING__PADDING_TYPE_REPLICATION:
      return try probes.emit(.pad(Pad(input: input, amounts: amounts, mode: .replicate)))
    default:
      throw StyleModelError(
        .badInput, "pads by an unknown mode", remedy: "constant, reflection and replication are known")
    }
  }

  /// What a crop or a slice cuts off a picture of some extents.
  private func cut(
    _ extents: Arrangement.Picture, _ probe: Int, _ rank: Int
  ) throws(StyleModelError) -> Insets {
    switch layer.layer_case {
    case COREML__LAYER__LAYER_CROP:
      let params = layer.crop.pointee
      guard inputNames.count == 2 else { return try insets(params.crop_amounts?.pointee) }
      // To the size of another picture, from an offset.
      let shape = try picture(1).arrangements[probe].shape.suffix(2)
      let offset = numbers(params.offset, params.n_offset).map { Int(clamping: $0) }
      guard shape.count == 2, [0, 2].contains(offset.count), offset.allSatisfy({ (0...4096).contains($0) })
      else { throw StyleModelError(.badInput, "crops from an offset \(offset.prefix(8))") }
      let top = offset.first ?? 0
      let left = offset.last ?? 0
      return try sound(
        top, extents.height - top - (shape.first ?? 0), left, extents.width - left - (shape.last ?? 0))
    case COREML__LAYER__LAYER_SLICE:
      let params = layer.slice.pointee
      guard (1...2).contains(params.axis), params.stride <= 1 else {
        throw StyleModelError(
          .badInput, "takes some of the channels, or not every pixel, which is not understood")
      }
      let isRows = params.axis == 1
      guard
        let slice = AxisSlice(
          axis: 0, extent: isRows ? extents.height : extents.width, start: Int(params.start_index),
          end: Int(params.end_index), step: 1)
      else { throw StyleModelError(.badInput, "slices in a way that is not understood") }
      let rest = (isRows ? extents.height : extents.width) - slice.start - slice.count
      return isRows ? try sound(slice.start, rest, 0, 0) : try sound(0, 0, slice.start, rest)
    default:
      let lead = [Int](repeating: 1, count: max(0, rank - 3))
      let shape = lead + [extents.channels, extents.height, extents.width]
      var edges = Array(repeating: (start: 0, rest: 0), count: rank)
      for slice in try staticSlices(shape).slices {
        guard slice.step == 1 else {
          throw StyleModelError(.badInput, "takes every pixel number \(slice.step) only")
        }
        edges[slice.axis] = (slice.start, shape[slice.axis] - slice.start - slice.count)
      }
      guard try staticSlices(shape).squeezed.isEmpty,
        edges.dropLast(2).allSatisfy({ $0.start == 0 && $0.rest == 0 })
      else { throw StyleModelError(.badInput, "takes some of the channels only, which is not understood") }
      return try sound(
        edges[rank - 2].start, edges[rank - 2].rest, edges[rank - 1].start, edges[rank - 1].rest)
    }
  }

  private func sound(_ top: Int, _ bottom: Int, _ left: Int, _ right: Int) throws(StyleModelError) -> Insets {
    guard [top, bottom, left, right].allSatisfy({ (0...4096).contains($0) }) else {
      throw StyleModelError(.badInput, "crops beyond the picture")
    }
    return Insets(top: top, left: left, bottom: bottom, right: right)
  }

  /// What `sliceStatic` keeps of a value of this shape, and which axes it drops.
  func staticSlices(_ shape: [Int]) throws(StyleModelError) -> (slices: [AxisSlice], squeezed: [Int]) {
    let params = layer.slice_static.pointee
    func whole<Value: Equatable>(_ list: [Value], _ standard: Value) throws(StyleModelError) -> [Value] {
      guard list.isEmpty || list.count == shape.count else {
        throw StyleModelError(.badInput, "slices \(list.count) axes of a value of shape \(shape)")
      }
      return list.isEmpty ? Array(repeating: standard, count: shape.count) : list
    }
    let begins = try whole(numbers(params.begin_ids, params.n_begin_ids), 0)
    let ends = try whole(numbers(params.end_ids, params.n_end_ids), Int64.max)
    let steps = try whole(numbers(params.strides, params.n_strides), 1)
    let beginMasks = try whole(numbers(params.begin_masks, params.n_begin_masks), 0)
    let endMasks = try whole(numbers(params.end_masks, params.n_end_masks), 0)
    let squeezes = try whole(numbers(params.squeeze_masks, params.n_squeeze_masks), 0)
    var slices: [AxisSlice] = []
    for axis in shape.indices {
      let isBackward = steps[axis] < 0
      let isOne = squeezes[axis] != 0
      let start = beginMasks[axis] != 0 ? (isBackward ? Int.max : 0) : Int(begins[axis])
      let end =
        isOne
        ? (start == -1 ? Int.max : start &+ 1)
        : endMasks[axis] != 0 ? (isBackward ? Int.min : Int.max) : Int(ends[axis])
      guard
        let slice = AxisSlice(
          axis: axis, extent: shape[axis], start: start, end: end, step: isOne ? 1 : Int(steps[axis])),
        slice.count > 0
      else { throw StyleModelError(.badInput, "slices axis \(axis) of shape \(shape) to nothing") }
      slices.append(slice)
    }
    return (slices, shape.indices.filter { squeezes[$0] != 0 })
  }
}
