import Diagnostics
import ModelGraph
import Tensors

extension ProgramConversion {
  /// Functions of each number on its own.
  mutating func convertActivation() throws(StyleModelError) -> ProgramTerm {
    let input = try picture()
    let value = try computed(input.term)
    func single(_ function: Activation.Function, _ value: ValueID) -> ModelGraph.Operation {
      .activation(Activation(input: value, function: function))
    }
    switch operation.type {
    case "relu": return try emitted(single(.relu, value), like: input)
    case "relu6": return try emitted(single(.clamp(lower: 0, upper: 6), value), like: input)
    case "sigmoid": return try emitted(single(.sigmoid, value), like: input)
    case "tanh": return try emitted(single(.tanh, value), like: input)
    case "leaky_relu":
      return try emitted(
        single(.leakyReLU(slope: try number("alpha", default: 0.01)), value), like: input)
    case "clip":
      return try clamped(
        input, lower: try number("alpha", default: -.greatestFiniteMagnitude),
        upper: try number("beta", default: .greatestFiniteMagnitude))
    case "threshold": return try clamped(input, lower: try number("alpha", default: 1), upper: nil)
    case "linear_activation":
      let line = Activation.Function.linear(
        scale: try number("alpha", default: 1), bias: try number("beta", default: 0))
      return try emitted(single(line, value), like: input)
    case "scaled_tanh":
      let inner = try probes.emit(single(.linear(scale: try number("beta", default: 1), bias: 0), value))
      let curve = try probes.emit(single(.tanh, inner))
      return try emitted(
        single(.linear(scale: try number("alpha", default: 1), bias: 0), curve), like: input)
    case "sigmoid_hard":
      let line = Activation.Function.linear(
        scale: try number("alpha", default: 0.2), bias: try number("beta", default: 0.5))
      return try emitted(
        single(.clamp(lower: 0, upper: 1), try probes.emit(single(line, value))), like: input)
    case "silu":
      let gate = try probes.emit(single(.sigmoid, value))
      return try emitted(.binary(Binary(.multiply, value, gate)), like: input)
    case "clamped_relu":
      // min(x, beta) where x is positive, and min(alpha * x, beta) elsewhere.
      let upper = try number("beta", default: 1)
      let slope = try number("alpha", default: 1)
      let bent = try probes.emit(single(.leakyReLU(slope: slope), value))
      return try clamped(FlowingPicture(term: .value(bent), axes: input.axes), lower: nil, upper: upper)
    case "prelu": return try convertParametricReLU(input, value)
    default: throw StyleModelError(.badInput, "is an activation that is not understood")
    }
  }

  /// A picture between two bounds, either of which may be missing.
  mutating func clamped(
    _ picture: FlowingPicture, lower: Float?, upper: Float?
  ) throws(StyleModelError) -> ProgramTerm {
    let value = try computed(picture.term)
    let greatest = Float.greatestFiniteMagnitude
    let low = max(lower ?? -greatest, -greatest)
    let high = min(upper ?? greatest, greatest)
    if low == -greatest, high == greatest { return .picture(picture) }
    let function: Activation.Function =
      low == 0 && high == greatest ? .relu : .clamp(lower: low, upper: high)
    return try emitted(.activation(Activation(input: value, function: function)), like: picture)
  }

  /// `max(x, 0) + alpha * min(x, 0)`, with a slope a channel.
  private mutating func convertParametricReLU(
    _ input: FlowingPicture, _ value: ValueID
  ) throws(StyleModelError) -> ProgramTerm {
    guard let slopes = try knownValue("alpha")?.stored().floats() else {
      throw StyleModelError(.badInput, "lacks its slopes")
    }
    let channels = try channels(input)
    guard let first = slopes.first, slopes.count == channels else {
      throw StyleModelError(.badInput, "has \(slopes.count) slopes for \(channels) channels")
    }
    if slopes.allSatisfy({ $0 == first }) {
      return try emitted(
        .activation(Activation(input: value, function: .leakyReLU(slope: first))), like: input)
    }
    let positive = try probes.emit(.activation(Activation(input: value, function: .relu)))
    let negative = FlowingPicture(
      term: .value(try probes.emit(.binary(Binary(.subtract, value, positive)))), axes: input.axes)
    guard case .picture(let sloped) = try scaled(negative, factors: slopes, summands: [0]) else {
      throw StyleModelError(.internalFault, "a scaled picture is none")
    }
    return try emitted(.binary(Binary(.add, positive, try computed(sloped.term))), like: input)
  }
}
