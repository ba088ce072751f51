import Diagnostics
import ModelGraph
import PictureTracing

extension NetworkConversion {
  /// Functions of each number on its own.
  mutating func convertActivation() throws(StyleModelError) -> ImportedValue {
    let input = try picture()
    func single(_ function: Activation.Function, _ value: ValueID) -> Operation {
      .activation(Activation(input: value, function: function))
    }
    let value = try computed(input.term)
    switch node.operation {
    case "Relu": return try emitted(single(.relu, value), like: input)
    case "Sigmoid": return try emitted(single(.sigmoid, value), like: input)
    case "Tanh": return try emitted(single(.tanh, value), like: input)
    case "LeakyRelu":
      return try emitted(
        single(.leakyReLU(slope: try node.number("alpha", default: 0.01)), value), like: input)
    case "HardSigmoid", "HardSwish":
      // HardSwish is the picture times a HardSigmoid of 1/6 and 1/2.
      let isSwish = node.operation == "HardSwish"
      let slope = isSwish ? 1 / 6 : try node.number("alpha", default: 0.2)
      let bias = isSwish ? 0.5 : try node.number("beta", default: 0.5)
      let line = try probes.emit(single(.linear(scale: slope, bias: bias), value))
      let hard = single(.clamp(lower: 0, upper: 1), line)
      guard isSwish else { return try emitted(hard, like: input) }
      return try emitted(.binary(Binary(.multiply, value, try probes.emit(hard))), like: input)
    case "PRelu":
      guard let numbers = try fixed(1) else { throw StyleModelError(.badInput, "lacks its slopes") }
      return .picture(try leakyRectified(input, slopes: try channelNumbers(numbers, input)))
    case "Clip":
      let lower = try bound(1, "min")
      let upper = try bound(2, "max")
      return .picture(try clamped(input, lower: lower, upper: upper))
    default:
      throw StyleModelError(
        .badInput, "is an activation that is not understood",
        remedy: "Relu, LeakyRelu, PRelu, Sigmoid, Tanh, HardSigmoid, HardSwish and Clip are")
    }
  }

  private func bound(_ index: Int, _ name: String) throws(StyleModelError) -> Float? {
    if let numbers = try fixed(index) { return numbers.floats.first }
    return node.attributes[name] == nil ? nil : try node.number(name, default: 0)
  }
}
