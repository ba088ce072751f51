import Diagnostics
import ModelGraph
import ONNXImporter

extension NetworkTranslation {
  /// `InstanceNormalization`.
  mutating func addInstanceNorm(_ it: InstanceNorm, _ output: String) throws(StyleModelError) {
    draft.add(
      "InstanceNormalization",
      [
        try name(it.input), try vector(it.gamma, or: 1, over: it.input),
        try vector(it.beta, or: 0, over: it.input),
      ], output: output, [("epsilon", .number(it.epsilon))])
  }

  /// `BatchNormalization`.
  mutating func addBatchNorm(_ it: BatchNorm, _ output: String) throws(StyleModelError) {
    draft.add(
      "BatchNormalization",
      [
        try name(it.input), try vector(it.gamma, or: 1, over: it.input),
        try vector(it.beta, or: 0, over: it.input), try name(it.mean), try name(it.variance),
      ], output: output, [("epsilon", .number(it.epsilon))])
  }

  /// `Relu`, `LeakyRelu`, `Clip`, `Sigmoid`, `Tanh`; `Mul` and `Add` of a number each.
  mutating func addActivation(_ it: Activation, _ output: String) throws(StyleModelError) {
    let input = try name(it.input)
    switch it.function {
    case .relu: draft.add("Relu", [input], output: output)
    case .leakyReLU(let slope):
      draft.add("LeakyRelu", [input], output: output, [("alpha", .number(slope))])
    case .clamp(let lower, let upper):
      let bounds = [
        draft.floats(output + ".lower", [], [lower]), draft.floats(output + ".upper", [], [upper]),
      ]
      draft.add("Clip", [input] + bounds, output: output)
    case .sigmoid: draft.add("Sigmoid", [input], output: output)
    case .tanh: draft.add("Tanh", [input], output: output)
    case .linear(let scale, let bias):
      var product = input
      if scale != 1 || bias == 0 {
        let factor = draft.floats(output + ".scale", [], [scale])
        product = bias == 0 ? output : draft.freeName(output + ONNXFormat.Part.product)
        draft.add("Mul", [input, factor], output: product)
      }
      if bias != 0 {
        draft.add("Add", [product, draft.floats(output + ".bias", [], [bias])], output: output)
      }
    }
  }

  /// Steps between pixels and the network's numbers.
  /// - Returns: the name of what the last gives.
  mutating func add(_ stages: [PixelStage], to input: String, _ base: String) -> String {
    var value = input
    for stage in stages {
      switch stage {
      case .reversedChannels:
        let order = draft.integers(base + ".channels", [2, 1, 0])
        value = draft.add(
          "Gather", [value, order], output: draft.freeName(base + ".reordered"), [("axis", .integer(1))])
      case .scaled(let factors):
        let scale = draft.floats(base + ".scale", [1, 3, 1, 1], factors)
        value = draft.add("Mul", [value, scale], output: draft.freeName(base + ".scaled"))
      case .shifted(let summands):
        let bias = draft.floats(base + ".bias", [1, 3, 1, 1], summands)
        value = draft.add("Add", [value, bias], output: draft.freeName(base + ".shifted"))
      }
    }
    return value
  }
}
