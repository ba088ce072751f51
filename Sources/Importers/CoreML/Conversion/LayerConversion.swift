import CSchemas
import Diagnostics
import ModelGraph
import PictureTracing
import ProtobufSupport
import Tensors

/// Turns the layers of a network, one after the other, into operations of our graph.
struct LayerConversion: PictureConversion {
  var probes: Probes
  var ledger = ImportLedger()
  /// What each blob is; wiring is by these names alone.
  var values: [String: LayerValue] = [:]
  /// How many styles the network chooses from, once that is known; nil for a network of one style.
  var styleCount: Int?
  /// The name of the input that chooses.
  var styleInput: String?
  /// The layer at work.
  private(set) var layer = Coreml__Layer()
  private(set) var label = ""

  var normRemedy: String? { "convert the network again with its norms as one layer (batchnorm) each" }

  init(probes: Probes) { self.probes = probes }

  /// How many axes a picture may be shown with: `[C, H, W]` to the rank-5 mapping's `[1, 1, C, H, W]`.
  static let ranks = 3...5

  /// Adds what a layer makes.
  /// - Parameter index: the number of the layer in the file, from 0.
  /// - Throws: `.badInput` with the layer as its place.
  mutating func add(_ layer: Coreml__Layer, index: Int) throws(StyleModelError) {
    self.layer = layer
    let outputs = list(layer.output, layer.n_output).map { String(cString: $0) }
    label = string(layer.name)
    if label.isEmpty { label = outputs.first ?? "\(layer.kindName)\(index)" }
    do throws(StyleModelError) {
      let results = try convert()
      // One result may be given several names.
      guard results.count == outputs.count || results.count == 1, !outputs.isEmpty else {
        throw StyleModelError(
          .badInput, "names \(outputs.count) of its \(counted(results.count, "result"))")
      }
      for (place, name) in outputs.enumerated() { values[name] = results[min(place, results.count - 1)] }
    } catch {
      throw StyleModelError(
        error.kind, file: error.file,
        place: [layer.place(index), error.place].compactMap { $0 }.joined(separator: ", "),
        error.problem, remedy: error.remedy)
    }
  }

  private mutating func convert() throws(StyleModelError) -> [LayerValue] {
    try resolveStyleInput()
    if let known = try folded() { return known }
    switch layer.layer_case {
    case COREML__LAYER__LAYER_CONVOLUTION: return [.picture(try convertConvolution())]
    case COREML__LAYER__LAYER_POOLING: return [try convertPooling()]
    case COREML__LAYER__LAYER_BATCHNORM: return [.picture(try convertBatchnorm())]
    case COREML__LAYER__LAYER_ACTIVATION, COREML__LAYER__LAYER_CLIP, COREML__LAYER__LAYER_CLAMPED_RELU,
      COREML__LAYER__LAYER_TANH:
      return [try convertActivation()]
    case COREML__LAYER__LAYER_PADDING, COREML__LAYER__LAYER_CONSTANT_PAD, COREML__LAYER__LAYER_CROP,
      COREML__LAYER__LAYER_SLICE, COREML__LAYER__LAYER_SLICE_STATIC:
      return [.picture(try convertEdges())]
    case COREML__LAYER__LAYER_UPSAMPLE, COREML__LAYER__LAYER_RESIZE_BILINEAR,
      COREML__LAYER__LAYER_REORGANIZE_DATA:
      return [.picture(try convertEnlargement())]
    case COREML__LAYER__LAYER_ADD, COREML__LAYER__LAYER_MULTIPLY, COREML__LAYER__LAYER_MAX,
      COREML__LAYER__LAYER_MIN, COREML__LAYER__LAYER_AVERAGE, COREML__LAYER__LAYER_ADD_BROADCASTABLE,
      COREML__LAYER__LAYER_MULTIPLY_BROADCASTABLE, COREML__LAYER__LAYER_SUBTRACT_BROADCASTABLE,
      COREML__LAYER__LAYER_DIVIDE_BROADCASTABLE, COREML__LAYER__LAYER_MAX_BROADCASTABLE,
      COREML__LAYER__LAYER_MIN_BROADCASTABLE:
      return [try convertArithmetic()]
    case COREML__LAYER__LAYER_SCALE, COREML__LAYER__LAYER_BIAS: return [try convertScale()]
    case COREML__LAYER__LAYER_UNARY: return [try convertUnary()]
    case COREML__LAYER__LAYER_REDUCE, COREML__LAYER__LAYER_REDUCE_MEAN, COREML__LAYER__LAYER_REDUCE_SUM:
      return [try convertReduction()]
    case COREML__LAYER__LAYER_SPLIT, COREML__LAYER__LAYER_SPLIT_ND: return try convertSplit()
    case COREML__LAYER__LAYER_STACK, COREML__LAYER__LAYER_CONCAT, COREML__LAYER__LAYER_CONCAT_ND:
      return [.picture(try convertJoin())]
    case COREML__LAYER__LAYER_GET_SHAPE: return [try convertShape()]
    case COREML__LAYER__LAYER_COPY, COREML__LAYER__LAYER_RESHAPE, COREML__LAYER__LAYER_RESHAPE_STATIC,
      COREML__LAYER__LAYER_RESHAPE_DYNAMIC, COREML__LAYER__LAYER_RANK_PRESERVING_RESHAPE,
      COREML__LAYER__LAYER_PERMUTE, COREML__LAYER__LAYER_TRANSPOSE, COREML__LAYER__LAYER_SQUEEZE,
      COREML__LAYER__LAYER_EXPAND_DIMS, COREML__LAYER__LAYER_FLATTEN:
      return [try convertLayout()]
    case COREML__LAYER__LAYER_CUSTOM:
      throw StyleModelError(
        .badInput, "is a custom layer, '\(printable(string(layer.custom.pointee.class_name), limit: 80))'",
        remedy: "only the app that it was written for can run it; convert the network without it")
    default:
      throw StyleModelError(
        .badInput, "is of a kind that is not understood",
        remedy: "style networks need none such; convert the network's checkpoint in place of this file")
    }
  }
}

extension Coreml__Layer {
  /// For messages: `layer 12 'conv1' (convolution)`.
  func place(_ index: Int) -> String {
    let name = string(self.name)
    return "layer \(index)" + (name.isEmpty ? "" : " '\(printable(name, limit: 80))'") + " (\(kindName))"
  }
}

// MARK: - Inputs

extension LayerConversion {
  /// The names of the blobs that the layer takes.
  var inputNames: [String] { list(layer.input, layer.n_input).map { String(cString: $0) } }

  /// Input `index` of the layer.
  func input(_ index: Int = 0) throws(StyleModelError) -> LayerValue {
    let names = inputNames
    guard index < names.count else { throw StyleModelError(.badInput, "lacks input \(index + 1)") }
    guard let value = values[names[index]] else {
      throw StyleModelError(
        .badInput, "uses '\(printable(names[index], limit: 80))', which is not computed before it")
    }
    return value
  }

  /// An input that is a picture.
  func picture(_ index: Int = 0) throws(StyleModelError) -> PictureValue {
    switch try input(index) {
    case .picture(let picture): return picture
    case .statistic, .pixelSum: throw notUnderstoodNorm()
    case .part: throw StyleModelError(.badInput, "works on some channels of a picture alone")
    case .numbers: throw StyleModelError(.badInput, "wants a picture as input \(index + 1), not constants")
    case .styled, .styleInput:
      throw StyleModelError(.badInput, "uses the input that chooses a style as if it were a picture")
    }
  }

  /// An input that is a picture in the graph's order, and how many axes the file shows it with.
  mutating func plainPicture(_ index: Int = 0) throws(StyleModelError) -> (value: ValueID, rank: Int) {
    let picture = try picture(index)
    return (try plain(picture, ranks: Self.ranks), picture.arrangements[0].axes.count)
  }

  /// The weight of a role, as a constant of the graph.
  mutating func weight(_ role: String) throws(StyleModelError) -> ValueID? {
    guard let weights = try layer.weights().first(where: { $0.role == role }) else { return nil }
    return probes.constant("\(label).\(role)", try weights.tensor())
  }

  /// The weight of a role, as numbers.
  mutating func weightNumbers(_ role: String) throws(StyleModelError) -> Numbers? {
    guard let weights = try layer.weights().first(where: { $0.role == role }) else { return nil }
    let tensor = try weights.tensor()
    try spend(tensor.shape.count)
    return try Numbers(tensor)
  }

  /// Whole numbers of an input, for each probed size.
  func integers(_ index: Int) throws(StyleModelError) -> [[Int]] {
    guard case .numbers(let all) = try input(index) else {
      throw StyleModelError(.badInput, "wants input \(index + 1) to be known beforehand")
    }
    var result: [[Int]] = []
    for numbers in all {
      guard numbers.count <= 16 else {
        throw StyleModelError(.badInput, "wants few numbers as input \(index + 1)")
      }
      if let integers = numbers.integers {
        result.append(integers)
      } else {
        result.append(numbers.floats.map { Int(exactly: $0) ?? .min })
      }
    }
    return result.count == 1 ? Array(repeating: result[0], count: probes.count) : result
  }
}
