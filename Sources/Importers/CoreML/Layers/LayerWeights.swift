import CSchemas
import Diagnostics
import ProtobufSupport
import Tensors

/// The weights of a layer and where they stand in it.
struct LayerWeights {
  /// What they are, by the field's name: `weights`, `gamma`.
  let role: String
  /// The numbers, as they are stored.
  let params: Coreml__WeightParams
  /// The shape.
  let shape: [Int]
  /// How many output channels there are, if scales may run along them.
  var channels: Int?
  /// Where they lie in the shape.
  var axis = 0

  /// The numbers.
  /// - Throws: `.badInput` with the role as its place.
  func tensor() throws(StyleModelError) -> StoredTensor {
    do throws(StyleModelError) {
      return try params.tensor(shape, channels: channels, axis: axis)
    } catch {
      throw StyleModelError(error.kind, place: role, error.problem, remedy: error.remedy)
    }
  }
}

/// The largest extent of a weight that is read.
private let greatestExtent: UInt64 = 1 << 24

/// An extent of a weight.
func extent(_ value: UInt64, _ what: String) throws(StyleModelError) -> Int {
  guard (1...greatestExtent).contains(value) else {
    throw StyleModelError(.badInput, "has \(value) \(what)")
  }
  return Int(value)
}

extension Coreml__Layer {
  /// All the weights of the layer that are there.
  /// - Throws: `.badInput` when the layer's counts are impossible.
  func weights() throws(StyleModelError) -> [LayerWeights] {
    var found: [(role: String, params: UnsafeMutablePointer<Coreml__WeightParams>?, shape: [Int])] = []
    var channels: Int?
    var axis = 0
    switch layer_case {
    case COREML__LAYER__LAYER_CONVOLUTION:
      let params = convolution.pointee
      let outputs = try extent(params.output_channels, "output channels")
      found = [("weights", params.weights, try params.kernelShape())]
      if params.has_bias != 0 { found.append(("bias", params.bias, [outputs])) }
      channels = outputs
      axis = params.is_deconvolution != 0 ? 1 : 0
    case COREML__LAYER__LAYER_INNER_PRODUCT:
      let params = inner_product.pointee
      let outputs = try extent(params.output_channels, "output channels")
      found = [("weights", params.weights, [outputs, try extent(params.input_channels, "input channels")])]
      if params.has_bias != 0 { found.append(("bias", params.bias, [outputs])) }
      channels = outputs
    case COREML__LAYER__LAYER_BATCHNORM:
      let params = batchnorm.pointee
      let shape = [try extent(params.channels, "channels")]
      found = [
        ("gamma", params.gamma, shape), ("beta", params.beta, shape), ("mean", params.mean, shape),
        ("variance", params.variance, shape),
      ]
    case COREML__LAYER__LAYER_SCALE:
      let params = scale.pointee
      found = [("scale", params.scale, try shape(params.shape_scale, params.n_shape_scale))]
      if params.has_bias != 0 {
        found.append(("bias", params.bias, try shape(params.shape_bias, params.n_shape_bias)))
      }
    case COREML__LAYER__LAYER_BIAS:
      found = [("bias", bias.pointee.bias, try shape(bias.pointee.shape, bias.pointee.n_shape))]
    case COREML__LAYER__LAYER_LOAD_CONSTANT:
      let params = load_constant.pointee
      found = [("data", params.data, try shape(params.shape, params.n_shape))]
    case COREML__LAYER__LAYER_LOAD_CONSTANT_ND:
      let params = load_constant_nd.pointee
      found = [("data", params.data, try shape(params.shape, params.n_shape))]
    case COREML__LAYER__LAYER_ACTIVATION:
      let params = activation.pointee
      if params.nonlinearity_type_case == COREML__ACTIVATION__NONLINEARITY_TYPE_PRELU,
        let alpha = params.prelu.pointee.alpha
      {
        found = [("alpha", alpha, [try alpha.pointee.plainCount()])]
      }
    default: break
    }
    return found.compactMap { role, params, shape in
      guard let params, !params.pointee.isEmpty else { return nil }
      return LayerWeights(
        role: role, params: params.pointee, shape: shape,
        channels: channels ?? (shape.isEmpty ? nil : shape[0]), axis: role == "weights" ? axis : 0)
    }
  }

  private func shape(
    _ start: UnsafeMutablePointer<UInt64>?, _ count: Int
  ) throws(StyleModelError) -> [Int] {
    guard count <= 16 else { throw StyleModelError(.badInput, "has weights of \(count) axes") }
    var shape: [Int] = []
    for value in numbers(start, count) { shape.append(try extent(value, "weights along an axis")) }
    return shape
  }
}

extension Coreml__WeightParams {
  /// How many numbers there are, where no shape says it.
  fileprivate func plainCount() throws(StyleModelError) -> Int {
    if n_float_value > 0 { return n_float_value }
    if float16_value.len > 0 { return float16_value.len / 2 }
    guard let bits = quantization?.pointee.number_of_bits, (1...8).contains(bits) else {
      throw StyleModelError(.badInput, "has weights without a count")
    }
    return max(1, raw_value.len * 8 / Int(bits))
  }
}

extension Coreml__Convolution {
  /// `[output, kernel channels, height, width]`; transposed `[kernel channels, output over groups, height, width]`.
  func kernelShape() throws(StyleModelError) -> [Int] {
    let outputs = try extent(output_channels, "output channels")
    let inputs = try extent(kernel_channels, "kernel channels")
    let taps = try pair(kernel_size, n_kernel_size, default: 3, "kernel size")
    let groups = try self.groups()
    guard outputs % groups == 0 else {
      throw StyleModelError(.badInput, "has \(outputs) output channels in \(counted(groups, "group"))")
    }
    return is_deconvolution != 0
      ? [inputs, outputs / groups, taps.0, taps.1] : [outputs, inputs, taps.0, taps.1]
  }

  /// The number of groups; absent is one.
  func groups() throws(StyleModelError) -> Int {
    n_groups == 0 ? 1 : try extent(n_groups, "groups")
  }
}

/// A height and a width that are both said or left out.
func pair(
  _ start: UnsafeMutablePointer<UInt64>?, _ count: Int, default standard: Int, _ what: String
) throws(StyleModelError) -> (Int, Int) {
  let values = numbers(start, count)
  if values.isEmpty { return (standard, standard) }
  guard values.count == 2, values.allSatisfy({ (1...4096).contains($0) }) else {
    throw StyleModelError(
      .badInput, "has a \(what) of \(values.prefix(8)); two numbers from 1 to 4096 are wanted")
  }
  return (Int(values[0]), Int(values[1]))
}
