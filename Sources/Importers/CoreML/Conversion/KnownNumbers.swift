import CSchemas
import Diagnostics
import ModelGraph
import PictureTracing
import ProtobufSupport

extension LayerConversion {
  /// What the layer makes of known numbers, or of numbers that depend on the style alone; nil where it works on pictures.
  mutating func folded() throws(StyleModelError) -> [LayerValue]? {
    switch layer.layer_case {
    case COREML__LAYER__LAYER_LOAD_CONSTANT, COREML__LAYER__LAYER_LOAD_CONSTANT_ND:
      return [.numbers([try constant()])]
    default: break
    }
    var inputs: [[Numbers]] = []
    var isStyled = false
    var count = 1
    for index in inputNames.indices {
      switch try input(index) {
      case .numbers(let numbers): inputs.append(numbers)
      case .styled(let numbers):
        inputs.append(numbers)
        isStyled = true
      default: return nil
      }
      count = max(count, inputs[index].count)
    }
    guard !inputs.isEmpty else { return nil }
    let styled = try inputNames.indices.map { index throws(StyleModelError) in
      if case .styled = try input(index) { true } else { false }
    }
    if isStyled {
      guard isAffine(styled) else {
        throw StyleModelError(
          .badInput, "computes with the style in a way that blends of styles do not follow")
      }
      for index in inputs.indices where !styled[index] {
        inputs[index] = [try agreed("a constant", inputs[index])]
      }
      count = (styleCount ?? 0) + 1
    }
    var results: [[Numbers]] = []
    for place in 0..<count {
      // What a size that dropped out gives is not looked at.
      let used = isStyled || count == 1 || probes.alive.contains(place) ? place : probes.alive[0]
      let parts = inputs.map { $0[$0.count > 1 ? used : 0] }
      try spend(parts.reduce(0) { $0 + $1.count })
      let found = try computed(parts, probe: isStyled ? probes.alive[0] : used)
      try spend(found.reduce(0) { $0 + $1.count })
      results.append(found)
    }
    return results[0].indices.map { output in
      let all = results.map { $0[output] }
      return isStyled ? .styled(all) : .numbers(all)
    }
  }

  private mutating func constant() throws(StyleModelError) -> Numbers {
    guard let data = try weightNumbers("data") else { throw StyleModelError(.badInput, "has no data") }
    // The older layer's constants are blobs of rank 5.
    return layer.layer_case == COREML__LAYER__LAYER_LOAD_CONSTANT ? data.reshaped([1, 1] + data.shape) : data
  }

  /// Whether the layer's result for a mixture of styles is that mixture of its results.
  private func isAffine(_ styled: [Bool]) -> Bool {
    switch layer.layer_case {
    case COREML__LAYER__LAYER_MULTIPLY, COREML__LAYER__LAYER_MULTIPLY_BROADCASTABLE:
      return styled.count(where: { $0 }) == 1
    case COREML__LAYER__LAYER_DIVIDE_BROADCASTABLE: return styled == [true, false]
    case COREML__LAYER__LAYER_MAX, COREML__LAYER__LAYER_MIN, COREML__LAYER__LAYER_MAX_BROADCASTABLE,
      COREML__LAYER__LAYER_MIN_BROADCASTABLE, COREML__LAYER__LAYER_GET_SHAPE:
      return false
    default: return true
    }
  }

  /// What the layer makes of one set of numbers.
  private mutating func computed(_ inputs: [Numbers], probe: Int) throws(StyleModelError) -> [Numbers] {
    let first = inputs[0]
    if let function = arithmeticFunction {
      var result = first
      var others = Array(inputs.dropFirst())
      if let operand = try ownOperand() { others = [operand] }
      for other in others {
        guard let combined = try Numbers.combine(function.rawValue, result, other) else {
          throw StyleModelError(.badInput, "combines constants in a way that is not understood")
        }
        result = combined
      }
      return [result]
    }
    switch layer.layer_case {
    case COREML__LAYER__LAYER_INNER_PRODUCT: return [try innerProduct(first)]
    case COREML__LAYER__LAYER_REDUCE, COREML__LAYER__LAYER_REDUCE_MEAN, COREML__LAYER__LAYER_REDUCE_SUM:
      let reduction = try reduction(rank: first.shape.count)
      let name = reduction.mode == .sum ? "ReduceSum" : "ReduceMean"
      guard reduction.mode != .other,
        let result = try first.reduced(name, axes: reduction.axes, keepsAxes: reduction.keepsAxes)
      else { break }
      return [result.shape.isEmpty ? result.reshaped([1]) : result]
    case COREML__LAYER__LAYER_SLICE_STATIC:
      let (slices, squeezed) = try staticSlices(first.shape)
      let part = first.sliced(slices)
      let kept = part.shape.indices.filter { !squeezed.contains($0) }.map { part.shape[$0] }
      return [part.reshaped(kept.isEmpty ? [1] : kept)]
    case COREML__LAYER__LAYER_CONCAT_ND where layer.concat_nd.pointee.interleave == 0:
      return [try Numbers.concatenated(inputs, axis: Int(layer.concat_nd.pointee.axis))]
    case COREML__LAYER__LAYER_STACK:
      let axis = Int(layer.stack.pointee.axis)
      var parts: [Numbers] = []
      for part in inputs { parts.append(part.reshaped(try unsqueezed(part.shape, [axis]))) }
      return [try Numbers.concatenated(parts, axis: axis)]
    case COREML__LAYER__LAYER_GET_SHAPE: return [Numbers(first.shape)]
    case COREML__LAYER__LAYER_ACTIVATION:
      let params = layer.activation.pointee
      guard params.nonlinearity_type_case == COREML__ACTIVATION__NONLINEARITY_TYPE_LINEAR else { break }
      let line = params.linear.pointee
      let values = first.floats.map { $0 * line.alpha + line.beta }
      return [Numbers(shape: first.shape, .floats(values))]
    case COREML__LAYER__LAYER_COPY, COREML__LAYER__LAYER_RESHAPE, COREML__LAYER__LAYER_RESHAPE_STATIC,
      COREML__LAYER__LAYER_RESHAPE_DYNAMIC, COREML__LAYER__LAYER_RANK_PRESERVING_RESHAPE,
      COREML__LAYER__LAYER_PERMUTE, COREML__LAYER__LAYER_TRANSPOSE, COREML__LAYER__LAYER_SQUEEZE,
      COREML__LAYER__LAYER_EXPAND_DIMS, COREML__LAYER__LAYER_FLATTEN:
      return [try layoutChange(first.shape, probe: probe).applied(to: first)]
    default: break
    }
    throw StyleModelError(.badInput, "works on constants in a way that is not understood")
  }

  /// A matrix times the channels.
  private mutating func innerProduct(_ input: Numbers) throws(StyleModelError) -> Numbers {
    guard let weights = try weightNumbers("weights"), weights.shape.count == 2 else {
      throw StyleModelError(.badInput, "has no weights")
    }
    let bias = try weightNumbers("bias")?.floats
    let (outputs, inputs) = (weights.shape[0], weights.shape[1])
    guard input.count == inputs else {
      throw StyleModelError(.badInput, "multiplies \(input.count) numbers with weights for \(inputs)")
    }
    let values = input.floats
    let matrix = weights.floats
    let products = (0..<outputs).map { row in
      (0..<inputs).reduce(bias?[row] ?? 0) { $0 + matrix[row * inputs + $1] * values[$1] }
    }
    // Ranks 4 and 5 end in height and width.
    let trailing = input.shape.count > 3 ? 2 : 0
    let leading = max(0, input.shape.count - trailing - 1)
    return Numbers(
      shape: [Int](repeating: 1, count: leading) + [outputs] + [Int](repeating: 1, count: trailing),
      .floats(products))
  }

  /// `getShape` of a picture: numbers a probed size.
  mutating func convertShape() throws(StyleModelError) -> LayerValue {
    switch try input() {
    case .statistic(let statistic), .pixelSum(let statistic, _): return .numbers([Numbers(statistic.shape)])
    default: return .numbers(try picture().arrangements.map { Numbers($0.shape) })
    }
  }
}
