import CSchemas
import Diagnostics
import ModelGraph
import PictureTracing

/// A function of each number on its own, as steps that the graph has.
private enum ActivationStep {
  case function(Activation.Function)
  case bounds(lower: Float?, upper: Float?)
  /// The slopes are the layer's weights.
  case leakyByChannel
}

extension LayerConversion {
  /// `activation`, `clip`, `clampedReLU`, `tanh`.
  mutating func convertActivation() throws(StyleModelError) -> LayerValue {
    let steps = try activationSteps()
    switch try input() {
    case .part(var part):
      guard steps.count == 1, case .function(.linear(let scale, let bias)) = steps[0] else {
        throw StyleModelError(.badInput, "works on some channels of a picture alone")
      }
      part.factors = part.factors.map { $0 * scale }
      part.summands = part.summands.map { $0 * scale + bias }
      return .part(part)
    case .statistic(let statistic):
      // Converters write a negation so.
      guard steps.count == 1, case .function(.linear(let scale, 0)) = steps[0] else {
        throw notUnderstoodNorm()
      }
      return LayerValue(
        try combine(.multiply, .statistic(statistic), .numbers(Numbers(shape: [], .floats([scale])))))
    default:
      var result = try picture()
      for step in steps {
        switch step {
        case .function(.linear(let scale, let bias)):
          result = try scaled(result, factors: [scale], summands: [bias])
        case .function(let function):
          let value = try computed(result.term)
          result = try emitPicture(
            .activation(Activation(input: value, function: function)), like: result)
        case .bounds(let lower, let upper): result = try clamped(result, lower: lower, upper: upper)
        case .leakyByChannel: result = try convertParametricReLU(result)
        }
      }
      return .picture(result)
    }
  }

  private func activationSteps() throws(StyleModelError) -> [ActivationStep] {
    switch layer.layer_case {
    case COREML__LAYER__LAYER_TANH: return [.function(.tanh)]
    case COREML__LAYER__LAYER_CLIP:
      let bounds = layer.clip.pointee
      guard bounds.min_val <= bounds.max_val else {
        throw StyleModelError(.badInput, "clips from \(bounds.min_val) to \(bounds.max_val)")
      }
      return [.bounds(lower: bounds.min_val, upper: bounds.max_val)]
    case COREML__LAYER__LAYER_CLAMPED_RELU:
      let params = layer.clamped_relu.pointee
      let leak: [ActivationStep] =
        params.alpha == 1
        ? [] : [.function(params.alpha == 0 ? .relu : .leakyReLU(slope: try finite(params.alpha)))]
      return leak + [.bounds(lower: nil, upper: try finite(params.beta))]
    default: return try ownSteps(layer.activation.pointee)
    }
  }

  private func ownSteps(_ params: Coreml__Activation) throws(StyleModelError) -> [ActivationStep] {
    switch params.nonlinearity_type_case {
    case COREML__ACTIVATION__NONLINEARITY_TYPE_RELU: return [.function(.relu)]
    case COREML__ACTIVATION__NONLINEARITY_TYPE_SIGMOID: return [.function(.sigmoid)]
    case COREML__ACTIVATION__NONLINEARITY_TYPE_TANH: return [.function(.tanh)]
    case COREML__ACTIVATION__NONLINEARITY_TYPE_LINEAR:
      let line = params.linear.pointee
      return [.function(.linear(scale: try finite(line.alpha), bias: try finite(line.beta)))]
    case COREML__ACTIVATION__NONLINEARITY_TYPE_LEAKY_RELU:
      return [.function(.leakyReLU(slope: try finite(params.leaky_relu.pointee.alpha)))]
    case COREML__ACTIVATION__NONLINEARITY_TYPE_PRELU: return [.leakyByChannel]
    case COREML__ACTIVATION__NONLINEARITY_TYPE_SCALED_TANH:
      let line = params.scaled_tanh.pointee
      let inner = try finite(line.beta)
      let outer = try finite(line.alpha)
      return (inner == 1 ? [] : [.function(.linear(scale: inner, bias: 0))]) + [.function(.tanh)]
        + (outer == 1 ? [] : [.function(.linear(scale: outer, bias: 0))])
    case COREML__ACTIVATION__NONLINEARITY_TYPE_SIGMOID_HARD:
      let line = params.sigmoid_hard.pointee
      return [
        .function(.linear(scale: try finite(line.alpha), bias: try finite(line.beta))),
        .bounds(lower: 0, upper: 1),
      ]
    default:
      let names: [UInt32: String] = [
        20: "thresholdedReLU", 50: "ELU", 60: "softsign", 70: "softplus", 71: "parametricSoftplus",
      ]
      throw StyleModelError(
        .badInput,
        "is the activation \(names[params.nonlinearity_type_case.rawValue] ?? "of an unknown kind"), which is not understood",
        remedy: "linear, ReLU, leakyReLU, PReLU, tanh, scaledTanh, sigmoid and sigmoidHard are")
    }
  }

  private mutating func convertParametricReLU(_ input: PictureValue) throws(StyleModelError) -> PictureValue {
    guard let slopes = try weightNumbers("alpha")?.floats else {
      throw StyleModelError(.badInput, "lacks its slopes")
    }
    let channels = try probes.channels(input.term.source)
    guard slopes.count == 1 || slopes.count == channels else {
      throw StyleModelError(.badInput, "has \(slopes.count) slopes for \(channels) channels")
    }
    return try leakyRectified(input, slopes: slopes)
  }
}

/// A number of a file that must be one.
func finite(_ value: Float) throws(StyleModelError) -> Float {
  guard value.isFinite else { throw StyleModelError(.badInput, "has a setting that is not finite") }
  return value
}
