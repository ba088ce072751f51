import Runtime

/// Measures what each layer's stored weights add to the noise, beside a float network.
///
/// Both networks run as one: after each layer stands its difference to the float network's, and beside it a twin, the
/// stored layer fed with what the float network feeds its own. So nothing but sums is kept from layer to layer.
///
/// Given the float network's `%x -> %a` and the stored one's `%y -> %b`:
///
///     %a = conv(%x, weight: @"float w")
///     %b = conv(%y, weight: @"stored w")
///     %c = conv(%x, weight: @"stored w")
///     %own = sub(%c, %a)
///     %arrived = sub(%b, %a)
struct LayerProbe {
  private(set) var layers: [LayerNoise]
  private let engine: Engine
  private let roles: [ValueID: (layer: Int, sum: WritableKeyPath<LayerNoise, Double>)]

  /// The longest side of a picture that is measured on: of a larger one the middle is.
  static let longestSide = 1024

  /// Joins two networks, each as it is after the passes.
  /// - Returns: nil where they are not of the same layers, or see different pixels.
  init?(float: Graph, stored: Graph, threads: Int?) {
    guard float.contract.channelOrder == stored.contract.channelOrder,
      float.contract.inputScale == stored.contract.inputScale,
      float.contract.inputBias == stored.contract.inputBias
    else { return nil }
    var joined = JoinedGraph(float: float, stored: stored)
    layers = []
    var roles: [ValueID: (layer: Int, sum: WritableKeyPath<LayerNoise, Double>)] = [:]
    for (floatLayer, storedLayer) in Self.pairs(float, stored) {
      guard let weight = stored.tensor(storedLayer.weight),
        let values = joined.append(floatLayer, storedLayer)
      else { continue }
      roles[values.signal] = (layers.count, \.signal)
      roles[values.own] = (layers.count, \.ownNoise)
      roles[values.arrived] = (layers.count, \.arrivedNoise)
      layers.append(
        LayerNoise(
          name: storedLayer.name, shape: weight.shape.description, storage: weight.encoding.description))
    }
    guard !layers.isEmpty, let graph = joined.finished(),
      // Layers of other shapes do not verify.
      let engine = try? Engine(graph, threads: threads)
    else { return nil }
    self.engine = engine
    self.roles = roles
  }

  /// Adds what a picture shows.
  /// - Throws: what `Engine.run` throws.
  mutating func measure(_ picture: Picture) throws(StyleModelError) {
    var layers = layers
    try engine.run(picture.sample(for: engine.graph.contract.sizes), observing: Set(roles.keys)) {
      value, map in
      guard let role = roles[value] else { return }
      layers[role.layer][keyPath: role.sum] += map.sumOfSquares
    }
    self.layers = layers
  }

  /// The layers of both networks that belong together: those whose weights have the same name, and of several of one
  /// name those that come in the same place.
  private static func pairs(_ float: Graph, _ stored: Graph) -> [(WeightedLayer, WeightedLayer)] {
    var waiting = Dictionary(grouping: float.weightedLayers, by: \.name)
    var last = -1
    return stored.weightedLayers.compactMap { layer in
      guard let partner = waiting[layer.name]?.first else { return nil }
      waiting[layer.name]?.removeFirst()
      // Both are followed in their order.
      guard partner.convolution > last, partner.norms.count == layer.norms.count,
        float.nodes[partner.convolution].operation.call.attributes
          == stored.nodes[layer.convolution].operation.call.attributes
      else { return nil }
      last = partner.convolution
      return (partner, layer)
    }
  }
}

/// Two networks in one graph, which share the picture that goes in.
private struct JoinedGraph {
  private var graph: Graph
  private var float: CopiedGraph
  private var stored: CopiedGraph

  init(float: Graph, stored: Graph) {
    graph = Graph(inputName: float.input.name, channels: float.input.channels, contract: float.contract)
    self.float = CopiedGraph(float, prefix: "float ", input: graph.input.value)
    self.stored = CopiedGraph(stored, prefix: "stored ", input: graph.input.value)
  }

  /// Goes on to the end of a layer in both networks, and compares there.
  mutating func append(
    _ floatLayer: WeightedLayer, _ storedLayer: WeightedLayer
  ) -> (signal: ValueID, own: ValueID, arrived: ValueID)? {
    float.copy(through: floatLayer.end, to: &graph)
    stored.copy(through: storedLayer.end, to: &graph)
    guard let signal = float[floatLayer.result], let arrived = stored[storedLayer.result],
      var twin = float[floatLayer.input]
    else { return nil }
    var input = storedLayer.input
    for index in storedLayer.nodes {
      let node = stored.source.nodes[index]
      twin = stored.copy(node.operation, replacing: input, with: twin, to: &graph)
      input = node.result
    }
    let own = graph.append(.binary(Binary(.subtract, twin, signal)))
    return (signal, own, graph.append(.binary(Binary(.subtract, arrived, signal))))
  }

  /// The whole, which gives the float network's picture.
  mutating func finished() -> Graph? {
    float.copy(through: float.source.nodes.count - 1, to: &graph)
    guard let output = float[float.source.output] else { return nil }
    graph.output = output
    return graph
  }
}

/// A graph that is being copied into another, in its own order.
private struct CopiedGraph {
  let source: Graph
  private let prefix: String
  private var values: [ValueID: ValueID]
  private var copiedCount = 0

  init(_ source: Graph, prefix: String, input: ValueID) {
    self.source = source
    self.prefix = prefix
    values = [source.input.value: input]
  }

  /// The copy of a value, once there is one.
  subscript(value: ValueID) -> ValueID? { values[value] }

  /// Copies the nodes up to one of them, that one included.
  mutating func copy(through end: Int, to graph: inout Graph) {
    while copiedCount <= end {
      let node = source.nodes[copiedCount]
      values[node.result] = copy(node.operation, replacing: nil, with: graph.input.value, to: &graph)
      copiedCount += 1
    }
  }

  /// Copies one operation, with another value in the place of one of its operands.
  mutating func copy(
    _ operation: Operation, replacing old: ValueID?, with new: ValueID, to graph: inout Graph
  ) -> ValueID {
    for operand in operation.operands where values[operand] == nil {
      guard let constant = source.constants[operand] else { continue }
      values[operand] = graph.addConstant(prefix + constant.name, constant.tensor)
    }
    var operation = operation
    operation.mapOperands { operand in operand == old ? new : values[operand] ?? operand }
    return graph.append(operation)
  }
}

extension Picture {
  /// The picture, or its middle where it is large, at a size that a model allows.
  func sample(for sizes: PixelContract.Sizes) -> Picture {
    let width = min(width, LayerProbe.longestSide)
    let height = min(height, LayerProbe.longestSide)
    let part =
      width == self.width && height == self.height
      ? self
      : cropped(x: (self.width - width) / 2, y: (self.height - height) / 2, width: width, height: height)
    let own = PictureSize(width: width, height: height)
    let target = sizes.nearest(to: own)
    return target == own ? part : part.resized(width: target.width, height: target.height).clamped()
  }
}
