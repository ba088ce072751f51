import CSchemas
import Diagnostics
import ModelGraph
import PictureTracing

extension LayerValue {
  init(_ value: TracedValue) {
    switch value {
    case .picture(let picture): self = .picture(picture)
    case .statistic(let statistic): self = .statistic(statistic)
    case .numbers(let numbers): self = .numbers([numbers])
    }
  }
}

extension LayerConversion {
  /// The function of a layer that combines its inputs number by number, or nil if it is none.
  var arithmeticFunction: ArithmeticFunction? {
    switch layer.layer_case {
    case COREML__LAYER__LAYER_ADD, COREML__LAYER__LAYER_ADD_BROADCASTABLE: .add
    case COREML__LAYER__LAYER_MULTIPLY, COREML__LAYER__LAYER_MULTIPLY_BROADCASTABLE: .multiply
    case COREML__LAYER__LAYER_SUBTRACT_BROADCASTABLE: .subtract
    case COREML__LAYER__LAYER_DIVIDE_BROADCASTABLE: .divide
    case COREML__LAYER__LAYER_MAX, COREML__LAYER__LAYER_MAX_BROADCASTABLE: .maximum
    case COREML__LAYER__LAYER_MIN, COREML__LAYER__LAYER_MIN_BROADCASTABLE: .minimum
    default: nil
    }
  }

  /// The number that a layer with one input combines it with; nil for one that has several.
  func ownOperand() throws(StyleModelError) -> Numbers? {
    guard inputNames.count == 1 else { return nil }
    switch layer.layer_case {
    case COREML__LAYER__LAYER_ADD: return Numbers(shape: [], .floats([try finite(layer.add.pointee.alpha)]))
    case COREML__LAYER__LAYER_MULTIPLY:
      return Numbers(shape: [], .floats([try finite(layer.multiply.pointee.alpha)]))
    default: throw StyleModelError(.badInput, "has one input where two are wanted")
    }
  }

  /// Layers that combine values number by number, of which one at least is computed from the picture.
  mutating func convertArithmetic() throws(StyleModelError) -> LayerValue {
    guard let function = arithmeticFunction else {
      throw StyleModelError(.badInput, "averages pictures, which is not understood")
    }
    if let operand = try ownOperand() {
      return try combined(function, try input(), .numbers([operand]))
    }
    var result = try input(0)
    for index in 1..<inputNames.count { result = try combined(function, result, try input(index)) }
    return result
  }

  private mutating func combined(
    _ function: ArithmeticFunction, _ left: LayerValue, _ right: LayerValue
  ) throws(StyleModelError) -> LayerValue {
    switch (left, right) {
    case (.pixelSum(let mean, let pixels), .numbers(let numbers)),
      (.numbers(let numbers), .pixelSum(let mean, let pixels)):
      return .statistic(try average(mean, pixels, function, numbers))
    case (.part(var part), .numbers(let numbers)), (.numbers(let numbers), .part(var part)):
      guard let number = numbers.first, numbers.count == 1, number.count == 1,
        let value = number.floats.first, function == .add || function == .multiply
      else { throw StyleModelError(.badInput, "works on some channels of a picture alone") }
      part.factors = part.factors.map { function == .multiply ? $0 * value : $0 }
      part.summands = part.summands.map { function == .multiply ? $0 * value : $0 + value }
      return .part(part)
    case (.styled(let table), let other), (let other, .styled(let table)):
      return try conditioned(
        function, other, table, tableIsLeft: { if case .styled = left { true } else { false } }())
    default: return LayerValue(try combine(function, try traced(left), try traced(right)))
    }
  }

  private func traced(_ value: LayerValue) throws(StyleModelError) -> TracedValue {
    switch value {
    case .picture(let picture): return .picture(picture)
    case .statistic(let statistic): return .statistic(statistic)
    case .numbers(let numbers):
      return .numbers(
        try agreed("a constant", numbers.count == 1 ? numbers : probes.alive.map { numbers[$0] }))
    case .pixelSum: throw notUnderstoodNorm()
    case .styled, .styleInput, .part:
      throw StyleModelError(.badInput, "combines values in a way that is not understood")
    }
  }

  /// The mean that a sum over all pixels comes to when it is multiplied with one over their number.
  private func average(
    _ mean: StatisticValue, _ pixels: [Int], _ function: ArithmeticFunction, _ numbers: [Numbers]
  ) throws(StyleModelError) -> StatisticValue {
    for probe in probes.alive {
      let number = numbers[numbers.count == 1 ? 0 : probe]
      guard number.count == 1, let value = number.floats.first else { throw notUnderstoodNorm() }
      let share = function == .multiply ? value : function == .divide ? 1 / value : 0
      guard abs(Double(share) * Double(pixels[probe]) - 1) < 1e-5 else { throw notUnderstoodNorm() }
    }
    return mean
  }

  /// `scale` and `bias`.
  mutating func convertScale() throws(StyleModelError) -> LayerValue {
    let input = try picture()
    let isScale = layer.layer_case == COREML__LAYER__LAYER_SCALE
    let factors = isScale ? try channelNumbers("scale", input) : [1]
    let wantsBias = isScale ? layer.scale.pointee.has_bias != 0 : true
    let summands = wantsBias ? try channelNumbers("bias", input) : [0]
    return .picture(try scaled(input, factors: factors, summands: summands))
  }

  /// A weight of shape `[1]`, `[C]` or `[C, 1, 1]`.
  private mutating func channelNumbers(
    _ role: String, _ picture: PictureValue
  ) throws(StyleModelError) -> [Float] {
    guard let numbers = try weightNumbers(role) else {
      throw StyleModelError(.badInput, place: role, "has no weights")
    }
    let channels = try probes.channels(picture.term.source)
    let shape = numbers.shape
    guard numbers.count == 1 || numbers.count == channels && (shape.count == 1 || shape == [channels, 1, 1])
    else {
      throw StyleModelError(
        .badInput, place: role,
        "has a number a pixel or a wrong count: shape \(shape) for \(channels) channels",
        remedy: "one number, or one a channel, is understood")
    }
    return numbers.floats
  }

  /// `unary`, of a statistic or as a square.
  mutating func convertUnary() throws(StyleModelError) -> LayerValue {
    let params = layer.unary.pointee
    var value = try traced(try input())
    func number(_ value: Float) throws(StyleModelError) -> TracedValue {
      .numbers(Numbers(shape: [], .floats([try finite(value)])))
    }
    if params.scale != 0, params.scale != 1 {
      value = try combine(.multiply, value, try number(params.scale))
    }
    if params.shift != 0 { value = try combine(.add, value, try number(params.shift)) }
    switch (params.type, value) {
    case (3, _): return LayerValue(try combine(.power, value, try number(params.alpha)))
    case (0, .statistic(let statistic)): return .statistic(try squareRoot(statistic))
    case (1, .statistic):
      // The layer adds an epsilon of its own to what the network has added.
      let epsilon = params.epsilon == 0 ? 1e-6 : params.epsilon
      guard case .statistic(let sum) = try combine(.add, value, try number(epsilon)) else {
        throw notUnderstoodNorm()
      }
      return .statistic(try reciprocal(try squareRoot(sum)))
    default:
      throw StyleModelError(
        .badInput, "works on a picture, which is understood only as part of an instance norm")
    }
  }
}
