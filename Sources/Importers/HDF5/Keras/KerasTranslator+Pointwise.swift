import Diagnostics
import ModelGraph
import Tensors

extension KerasTranslator {
  /// What stands in the place of a layer that works on each number by itself, or nil for other classes.
  mutating func pointwise(_ layer: KerasLayer, _ input: ValueID) throws(StyleModelError) -> ValueID? {
    switch layer.className {
    case "Activation": return try activated(layer, input)
    case "ReLU": return try rectified(layer, input)
    case "LeakyReLU":
      let (slope3, slope2) = (try layer.number("negative_slope"), try layer.number("alpha"))
      let slope = slope3 ?? slope2 ?? 0.3
      return try append(.activation(Activation(input: input, function: .leakyReLU(slope: Float(slope)))))
    case "Rescaling": return try rescaled(layer, input)
    // What only training uses.
    case "Dropout", "SpatialDropout2D", "GaussianNoise", "GaussianDropout", "AlphaDropout",
      "ActivityRegularization":
      return input
    default: return try knownCustom(layer, input)
    }
  }

  /// Custom layers without settings, whose names mean one thing wherever they occur.
  private mutating func knownCustom(_ layer: KerasLayer, _ input: ValueID) throws(StyleModelError) -> ValueID?
  {
    let meaning: (scale: Float, bias: Float, text: String)
    switch layer.className {
    case "DeprocessStylizedImage":
      // Networks that end so are fed 0…255 as it is.
      says.input = true
      fallthrough
    case "Denormalize": meaning = (127.5, 127.5, "(x + 1) * 127.5")
    case "InputNormalize": meaning = (1 / 255, 0, "x / 255")
    default: return nil
    }
    notes.append("\(layer.place) is taken as \(meaning.text), which custom layers of this name are")
    return try append(
      .activation(Activation(input: input, function: .linear(scale: meaning.scale, bias: meaning.bias))))
  }

  /// The activation that a layer names, applied to what it has computed.
  mutating func activated(_ layer: KerasLayer, _ input: ValueID) throws(StyleModelError) -> ValueID {
    let function: Activation.Function
    // Keras 3 writes functions as objects.
    let named = layer.config["activation"]
    switch named?.string ?? named?["config"]?.string ?? (named == nil || named == .null ? "linear" : "") {
    case "linear": return input
    case "relu": function = .relu
    case "relu6": function = .clamp(lower: 0, upper: 6)
    case "sigmoid": function = .sigmoid
    case "tanh": function = .tanh
    case "leaky_relu": function = .leakyReLU(slope: 0.2)
    default:
      throw layer.refusal("activation", "linear, relu, relu6, leaky_relu, sigmoid and tanh are read")
    }
    return try append(.activation(Activation(input: input, function: function)))
  }

  private mutating func rectified(_ layer: KerasLayer, _ input: ValueID) throws(StyleModelError) -> ValueID {
    try layer.require("threshold", isOneOf: [0, 0.0])
    let slope = try layer.number("negative_slope") ?? 0
    switch (try layer.number("max_value"), slope) {
    case (nil, 0): return try append(.activation(Activation(input: input, function: .relu)))
    case (nil, _):
      return try append(.activation(Activation(input: input, function: .leakyReLU(slope: Float(slope)))))
    case (let top?, 0) where top >= 0:
      return try append(.activation(Activation(input: input, function: .clamp(lower: 0, upper: Float(top)))))
    default: throw layer.refusal("max_value", "it is read where negative_slope is 0")
    }
  }

  private mutating func rescaled(_ layer: KerasLayer, _ input: ValueID) throws(StyleModelError) -> ValueID {
    if let scale = layer.config["scale"]?.items {
      let offset =
        layer.config["offset"]?.items ?? Array(repeating: layer.config["offset"] ?? 0, count: scale.count)
      let factors = scale.compactMap(\.number)
      let summands = offset.compactMap(\.number)
      guard factors.count == channels(input), summands.count == channels(input) else {
        throw layer.refusal("scale", "one number, or one a channel, is read")
      }
      // A norm by statistics that change nothing is one factor and one summand a channel.
      func vector(_ role: String, _ values: [Double]) -> StoredTensor {
        StoredTensor(shape: Shape([values.count]), floats: values.map { Float($0) })
      }
      return try append(
        .batchNorm(
          BatchNorm(
            input: input,
            mean: constant("\(layer.name)/zero", vector("zero", factors.map { _ in 0 })),
            variance: constant("\(layer.name)/one", vector("one", factors.map { _ in 1 })),
            gamma: constant("\(layer.name)/scale", vector("scale", factors)),
            beta: constant("\(layer.name)/offset", vector("offset", summands)), epsilon: 0)))
    }
    let (scale, bias) = (try layer.number("scale") ?? 1, try layer.number("offset") ?? 0)
    return try append(
      .activation(Activation(input: input, function: .linear(scale: Float(scale), bias: Float(bias)))))
  }

  /// Two values, or more of them one after another.
  mutating func merged(_ layer: KerasLayer, _ operands: [ValueID]) throws(StyleModelError) -> ValueID {
    let function: Binary.Function =
      switch layer.className {
      case "Subtract": .subtract
      case "Multiply": .multiply
      default: .add
      }
    guard operands.count >= 2, function != .subtract || operands.count == 2 else {
      throw layer.problem("takes \(operands.count) values")
    }
    var result = operands[0]
    for operand in operands.dropFirst() { result = try append(.binary(Binary(function, result, operand))) }
    return result
  }
}
