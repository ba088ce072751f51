import CSchemas
import Diagnostics
import ModelGraph
import PictureTracing
import ProtobufSupport

/// How a layer changes the order of axes and extents, for numbers and for pictures alike.
enum LayoutChange {
  case none
  case reshaped([Int])
  case transposed([Int])
  /// Several, one after the other.
  indirect case chain([LayoutChange])
}

extension LayerConversion {
  /// Layers that move numbers and change none.
  mutating func convertLayout() throws(StyleModelError) -> LayerValue {
    switch try input() {
    case .statistic(let statistic): return .statistic(try moved(statistic))
    case .pixelSum(let mean, let pixels): return .pixelSum(mean: try moved(mean), pixels: pixels)
    case .part(let part):
      guard case COREML__LAYER__LAYER_COPY = layer.layer_case else {
        throw StyleModelError(.badInput, "reshapes some channels of a picture alone")
      }
      return .part(part)
    default:
      let conversion = self
      return .picture(
        try rearranged(try picture()) { old, probe throws(StyleModelError) in
          try conversion.layoutChange(old.shape, probe: probe).applied(to: old)
        })
    }
  }

  private func moved(_ statistic: StatisticValue) throws(StyleModelError) -> StatisticValue {
    var result = statistic
    let marks = Numbers(shape: statistic.shape, .integers(Array(0..<statistic.channels)))
    let moved = try layoutChange(statistic.shape, probe: probes.alive[0]).applied(to: marks)
    guard moved.integers == marks.integers, moved.shape.filter({ $0 != 1 }).count <= 1 else {
      throw notUnderstoodNorm()
    }
    result.shape = moved.shape
    return result
  }

  /// What the layer at work does to the layout of a value of this shape.
  func layoutChange(_ shape: [Int], probe: Int) throws(StyleModelError) -> LayoutChange {
    switch layer.layer_case {
    case COREML__LAYER__LAYER_COPY: return .none
    case COREML__LAYER__LAYER_TRANSPOSE:
      let params = layer.transpose.pointee
      return .transposed(numbers(params.axes, params.n_axes).prefix(17).map { Int(clamping: $0) })
    case COREML__LAYER__LAYER_PERMUTE:
      let params = layer.permute.pointee
      let axes = numbers(params.axis, params.n_axis).map { Int(clamping: $0) }
      guard axes.isEmpty || axes.sorted() == [0, 1, 2, 3] else {
        throw StyleModelError(.badInput, "permutes axes by \(axes.prefix(8))")
      }
      if axes.isEmpty { return .none }
      // The axes are those of [sequence, channel, height, width]; the batch stays the second.
      guard shape.count == 5 else {
        return shape.count == 4 ? .transposed(axes) : try unfit(shape)
      }
      let places = axes.map { $0 == 0 ? 0 : $0 + 1 }
      return .transposed([places[0], 1] + places[1...])
    case COREML__LAYER__LAYER_RESHAPE: return try legacyReshape(shape)
    case COREML__LAYER__LAYER_RESHAPE_STATIC:
      let params = layer.reshape_static.pointee
      return .reshaped(
        try reshapeTarget(shape, try extents(params.target_shape, params.n_target_shape), allowsZero: false))
    case COREML__LAYER__LAYER_RANK_PRESERVING_RESHAPE:
      let params = layer.rank_preserving_reshape.pointee
      return .reshaped(
        try reshapeTarget(shape, try extents(params.target_shape, params.n_target_shape), allowsZero: false))
    case COREML__LAYER__LAYER_RESHAPE_DYNAMIC:
      return .reshaped(try reshapeTarget(shape, try integers(1)[probe], allowsZero: false))
    case COREML__LAYER__LAYER_SQUEEZE:
      let params = layer.squeeze.pointee
      let axes = numbers(params.axes, params.n_axes).map(Int.init)
      let result = try squeezed(shape, params.squeeze_all != 0 ? nil : axes)
      return .reshaped(result.isEmpty ? [1] : result)
    case COREML__LAYER__LAYER_EXPAND_DIMS:
      let params = layer.expand_dims.pointee
      return .reshaped(try unsqueezed(shape, numbers(params.axes, params.n_axes).prefix(17).map(Int.init)))
    case COREML__LAYER__LAYER_FLATTEN:
      guard shape.count >= 3, layer.flatten.pointee.mode == 0 else { return try unfit(shape) }
      return .reshaped(Array(shape.dropLast(3)) + [shape.suffix(3).reduce(1, *), 1, 1])
    default: throw StyleModelError(.internalFault, "changes no layout")
    }
  }

  private func unfit(_ shape: [Int]) throws(StyleModelError) -> LayoutChange {
    throw StyleModelError(.badInput, "changes a value of shape \(shape) in a way that is not understood")
  }

  private func extents(
    _ start: UnsafeMutablePointer<Int64>?, _ count: Int
  ) throws(StyleModelError) -> [Int] {
    guard count <= 16 else { throw StyleModelError(.badInput, "reshapes to \(count) axes") }
    return numbers(start, count).map(Int.init)
  }

  /// The reshape of the rank-5 mapping: to [channel, height, width], or with a sequence before.
  private func legacyReshape(_ shape: [Int]) throws(StyleModelError) -> LayoutChange {
    let params = layer.reshape.pointee
    let target = try extents(params.target_shape, params.n_target_shape)
    guard shape.count >= 3, target.count == 3 || target.count == 4 && shape.count == 5,
      target.allSatisfy({ (1...1 << 24).contains($0) })
    else { return try unfit(shape) }
    let lead = target.count == 4 ? [target[0], 1] : Array(shape.dropLast(3))
    let picture = Array(target.suffix(3))
    guard params.mode == 1 else {
      return .reshaped(try reshapeTarget(shape, lead + picture, allowsZero: false))
    }
    // As if the channel were last: there, and back.
    let rank = shape.count
    let front = Array(0..<rank - 3)
    let toLast = front + [rank - 2, rank - 1, rank - 3]
    let toFirst = Array(0..<lead.count) + [lead.count + 2, lead.count, lead.count + 1]
    return .chain([
      .transposed(toLast), .reshaped(lead + [picture[1], picture[2], picture[0]]), .transposed(toFirst),
    ])
  }
}

extension LayoutChange {
  func applied(to arrangement: Arrangement) -> Arrangement? {
    switch self {
    case .none: return arrangement
    case .reshaped(let shape): return arrangement.reshaped(shape)
    case .transposed(let order): return arrangement.transposed(order)
    case .chain(let changes):
      return changes.reduce(Optional(arrangement)) { result, change in
        result.flatMap { change.applied(to: $0) }
      }
    }
  }

  func applied(to numbers: Numbers) throws(StyleModelError) -> Numbers {
    switch self {
    case .none: return numbers
    case .reshaped(let shape):
      guard try Numbers.count(shape) == numbers.count else {
        throw StyleModelError(.badInput, "reshapes \(numbers.shape) to \(shape)")
      }
      return numbers.reshaped(shape)
    case .transposed(let order): return try numbers.transposed(order)
    case .chain(let changes):
      var result = numbers
      for change in changes { result = try change.applied(to: result) }
      return result
    }
  }
}
