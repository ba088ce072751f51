import Diagnostics
import ModelGraph
import ProtobufSupport
import Tensors

/// Turns a graph into the layers of a neural network, one operation after the other.
struct NetworkTranslation {
  /// What the picture that comes out is called, as in Create ML's and Turi Create's models.
  static let outputName = "stylizedImage"

  /// The numbers of the kinds of layers.
  enum Kind {
    static let convolution = 100, activation = 130, innerProduct = 140, batchnorm = 160, crop = 190,
      padding = 200
    static let upsample = 210, resizeBilinear = 211, add = 230, multiply = 231, scale = 245, bias = 250,
      clip = 660
  }

  let graph: Graph
  /// The pictures on both ends.
  let pictures: PictureDescription
  /// What is done to pixels before the first layer, as a `NeuralNetworkPreprocessing`; nil for nothing.
  private(set) var preprocessing: [UInt8]?
  var draft: NetworkDraft
  private var blobs: [ValueID: String]

  /// - Throws: `.badInput` when the network cannot take the sizes that its contract allows.
  init(_ graph: Graph) throws(StyleModelError) {
    self.graph = graph
    pictures = try PictureDescription(graph)
    let inputs = [graph.input.name] + (graph.styles.map { [$0.inputName] } ?? [])
    guard Set(inputs + [Self.outputName]).count == inputs.count + 1, !inputs.contains("") else {
      throw StyleModelError(
        .badInput, "names two of its inputs and outputs alike, or not at all",
        remedy: "rename them in the source")
    }
    draft = NetworkDraft(reserving: inputs + [Self.outputName])
    blobs = [graph.input.value: graph.input.name]
  }

  /// Adds every layer.
  mutating func translate() throws(StyleModelError) {
    addInputScaling()
    for node in graph.nodes {
      do throws(StyleModelError) { blobs[node.result] = try translate(node) } catch {
        throw StyleModelError(error.kind, place: graph.line(for: node), error.problem, remedy: error.remedy)
      }
    }
    try finish()
  }

  /// The name of the blob that holds a value.
  func blob(_ value: ValueID) throws(StyleModelError) -> String {
    guard let name = blobs[value] else {
      throw StyleModelError(.badInput, "\(value) is used as a picture, but is none")
    }
    return name
  }

  /// A weight of the graph.
  func tensor(_ value: ValueID) throws(StyleModelError) -> StoredTensor {
    guard let tensor = graph.tensor(value) else {
      throw StyleModelError(.badInput, "\(value) is used as weights, but is no constant")
    }
    return tensor
  }

  private mutating func translate(_ node: Graph.Node) throws(StyleModelError) -> String {
    let name = layerName(node)
    switch node.operation {
    case .convolution(let it): return try add(name, it)
    case .transposedConvolution(let it): return try add(name, it)
    case .pad(let it): return addPadding(name, try blob(it.input), it.amounts, it.mode)
    case .crop(let it): return addCrop(name, try blob(it.input), it.amounts)
    case .instanceNorm(let it): return try add(name, it)
    case .conditionalInstanceNorm(let it): return try add(name, it)
    case .batchNorm(let it): return try add(name, it)
    case .activation(let it): return addActivation(name, try blob(it.input), it.function)
    case .binary(let it):
      var right = try blob(it.right)
      if it.function == .subtract {
        right = addActivation(name + "_negated", right, .linear(scale: -1, bias: 0))
      }
      return draft.add(name, it.function == .multiply ? Kind.multiply : Kind.add, [try blob(it.left), right])
    case .resize(let it): return try add(name, it)
    case .upsample(let it):
      if it.mode == .bilinear { draft.require(.iOS14) }
      return draft.add(name, Kind.upsample, [try blob(it.input)]) { writer in
        writer.numbers(1, [it.factor.vertical, it.factor.horizontal])
        guard it.mode == .bilinear else { return }
        writer.number(5, 1)
        writer.number(6, 2)
      }
    }
  }

  /// The layer's name: its weight's without the last part, or its kind and number.
  private func layerName(_ node: Graph.Node) -> String {
    guard let weight = node.operation.operands.lazy.compactMap({ graph.constants[$0] }).first else {
      return "\(node.operation.mnemonic)_\(node.result.number)"
    }
    var parts = weight.name.split(separator: ".", omittingEmptySubsequences: false)
    if let folded = parts.lastIndex(of: "folded"), folded > 0 { parts.removeSubrange(folded...) }
    return parts.count > 1 ? parts.dropLast().joined(separator: ".") : parts.joined(separator: ".")
  }
}

// MARK: - Pixels

extension NetworkTranslation {
  /// The scaler has one factor for all channels; three that differ are a layer.
  private mutating func addInputScaling() {
    let (scale, bias) = (graph.contract.inputScale, graph.contract.inputBias)
    guard scale != [1, 1, 1] || bias != [0, 0, 0] else { return }
    // A factor of 0 would be read as none.
    if Set(scale).count == 1, scale[0] != 0 {
      // Biases are named by colour, and the contract has them in the network's order.
      let (red, blue) = graph.contract.channelOrder == .rgb ? (bias[0], bias[2]) : (bias[2], bias[0])
      var writer = ProtobufWriter()
      writer.text(1, graph.input.name)
      writer.message(10) { scaler in
        scaler.float(10, scale[0])
        scaler.float(20, blue)
        scaler.float(21, bias[1])
        scaler.float(22, red)
      }
      preprocessing = writer.bytes
    } else {
      blobs[graph.input.value] = addScale("input_scale", graph.input.name, scale, bias)
    }
  }

  /// What makes pixels of the output, and cuts off what strides have added to it.
  private mutating func finish() throws(StyleModelError) {
    var last = try addTrimming(blob(graph.output))
    let (scale, bias) = (graph.contract.outputScale, graph.contract.outputBias)
    if scale == [1, 1, 1], bias == [0, 0, 0] {
      // The last layer may be of use elsewhere too, so that its blob keeps its name.
      last = draft.add("output", Kind.activation, [last], output: Self.outputName) { writer in
        writer.message(5) { $0.float(1, 1) }
      }
    } else if Set(scale).count == 1, Set(bias).count == 1 {
      draft.add("output", Kind.activation, [last], output: Self.outputName) { writer in
        writer.message(5) { linear in
          linear.float(1, scale[0])
          linear.float(2, bias[0])
        }
      }
    } else {
      addScale("output", last, scale, bias, output: Self.outputName)
    }
  }

  /// Strides may leave a few rows and columns more than the picture has: they are cut off at the bottom and the right.
  private mutating func addTrimming(_ blob: String) throws(StyleModelError) -> String {
    var insets: Set<Insets> = []
    let tried: [PictureSize]
    switch pictures.sizes {
    case .listed(let listed): tried = listed
    // Whatever the strides are, one of these is no multiple of them.
    case .range, .any:
      let usual = graph.sampleSize
      tried = (0..<8).map { PictureSize(width: usual.width + $0, height: usual.height + $0) }
    }
    for size in tried {
      let full = try PictureDescription.untrimmed(size, graph)
      let trimmed = graph.trimmedSize(full, for: size)
      insets.insert(
        Insets(top: 0, left: 0, bottom: full.height - trimmed.height, right: full.width - trimmed.width))
    }
    if insets == [.zero] { return blob }
    if let only = insets.first, insets.count == 1 { return addCrop("output_crop", blob, only) }
    // By the size of the picture itself, wherever that leads.
    return draft.add("output_crop", Kind.crop, [blob, graph.input.name]) { $0.numbers(5, [0, 0]) }
  }

  @discardableResult
  private mutating func addScale(
    _ name: String, _ input: String, _ scale: [Float], _ bias: [Float], output: String? = nil
  ) -> String {
    draft.add(name, Kind.scale, [input], output: output) { writer in
      writer.numbers(1, [scale.count])
      writer.message(2) { $0.floats(1, scale) }
      writer.number(3, 1)
      writer.numbers(4, [bias.count])
      writer.message(5) { $0.floats(1, bias) }
    }
  }
}
