import CSchemas
public import Diagnostics
public import ModelGraph
import PictureTracing
import ProtobufSupport
public import StyleModelFile
public import Tensors

/// What a Core ML model holds that is a neural network.
public struct CoreMLModel: Sendable {
  /// A tensor of the file, by its layer and what it is there.
  public struct Tensor: Sendable {
    /// The name: `conv1.weights`.
    public var name: String
    /// The numbers as the file stores them; lookup tables are looked up.
    public var tensor: StoredTensor
  }

  /// The container in a few words: `Core ML neural network, specification 4, 50 layers`.
  public var container: String
  /// What goes in, what comes out, which layers there are and what the author says, as pairs of a name and a text.
  public var details: [(name: String, text: String)]
  /// What the author or their tool says, by name.
  public var metadata: [(name: String, text: String)]
  /// The tensors of the file, in its order.
  public var tensors: [Tensor]
  /// The network, or why it is not understood.
  public var network: Result<CoreMLNetwork, StyleModelError>
}

/// The network of a Core ML model.
public struct CoreMLNetwork: Sendable {
  /// The operations. The sizes that the file allows bind. Where the file says nothing of its pixels, the contract is
  /// `raw255`.
  public var graph: Graph
  /// Whether the file says which pixels go in: it does where a picture does.
  public var saysInput: Bool
  /// Whether it says which come out: a picture does, or numbers that the network's end keeps within 0 and 255.
  public var saysOutput: Bool
  /// Whether it says both.
  public var saysPixels: Bool { saysInput && saysOutput }
  /// Where the network comes from, if the file says so as ours do.
  public var provenance: Provenance?
  /// What the user should know, one sentence each.
  public var notes: [String]
}

/// Whether a Core ML model is an ML Program, whose weights lie in files beside it, and no neural network.
/// - Throws: `.badInput` when the file is damaged.
public func isMLProgram(_ bytes: [UInt8]) throws(StyleModelError) -> Bool {
  try withCoreMLModel(bytes) { if case .program = $0.kind { true } else { false } }
}

/// Reads a Core ML model that is a neural network, of specification 1 to 10.
/// - Throws: `.badInput` when the file is damaged, or one of its tensors cannot be read. A network that is not understood
///   is no error here: its tensors can still be looked at.
public func readCoreML(_ bytes: [UInt8]) throws(StyleModelError) -> CoreMLModel {
  try withCoreMLModel(bytes) { message throws(StyleModelError) in
    guard let description = message.description?.pointee else {
      throw StyleModelError(.badInput, "is a Core ML file without a description")
    }
    let file = CoreMLFile(
      version: Int(message.specification_version), kind: message.kind, phrase: message.phrase,
      description: try CoreMLDescription(description), network: message.networkMessage)
    return try file.model()
  }
}

/// The newest version of the specification that is known.
private let newestVersion = 10

/// A model whose container is out of the way; valid as long as its message.
private struct CoreMLFile {
  let version: Int
  let kind: CoreMLKind
  let phrase: String
  let description: CoreMLDescription
  let network: Coreml__NeuralNetwork?

  func model() throws(StyleModelError) -> CoreMLModel {
    let layers = network.map { list($0.layers, $0.n_layers).map(\.pointee) } ?? []
    guard layers.count <= 20_000 else {
      throw StyleModelError(
        .badInput, "has \(grouped(layers.count)) layers; 20,000 are the most that is read")
    }
    var tensors: [CoreMLModel.Tensor] = []
    for (index, layer) in layers.enumerated() { tensors += try layer.namedTensors(index) }
    let result: Result<CoreMLNetwork, StyleModelError>
    do throws(StyleModelError) {
      result = .success(try understood(layers))
    } catch { result = .failure(error) }
    let count = network == nil ? "" : ", \(counted(layers.count, "layer"))"
    return CoreMLModel(
      container: "Core ML \(phrase), specification \(version)\(count)", details: details(layers),
      metadata: description.metadata, tensors: tensors, network: result)
  }

  private func details(_ layers: [Coreml__Layer]) -> [(name: String, text: String)] {
    var details: [(name: String, text: String)] = [
      ("in", CoreMLDescription.phrase(description.inputs)),
      ("out", CoreMLDescription.phrase(description.outputs)),
    ]
    if !layers.isEmpty {
      let counts = Dictionary(grouping: layers, by: \.kindName).mapValues(\.count)
      let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      details.append(("layers", sorted.prefix(16).map { "\($0.value) \($0.key)" }.joined(separator: ", ")))
    }
    return details + description.metadata.map { ($0.name, printable($0.text, limit: 200)) }
  }

  /// The network that the layers are.
  private func understood(_ layers: [Coreml__Layer]) throws(StyleModelError) -> CoreMLNetwork {
    switch kind {
    case .neuralNetwork: break
    case .classifier:
      throw StyleModelError(
        .badInput,
        "is a classifier: it gives \(CoreMLDescription.phrase(description.outputs)), and no picture",
        remedy: "a style network gives one")
    case .regressor:
      throw StyleModelError(.badInput, "is a regressor: it gives numbers, and no picture")
    case .program:
      throw StyleModelError(.badInput, "is an ML Program", remedy: "give its folder, the .mlpackage")
    case .other(let text):
      throw StyleModelError(
        .badInput, "is a Core ML \(text), and no network that is read",
        remedy: "neural networks, ML Programs and pipelines of one network are")
    }
    guard let network else { throw StyleModelError(.badInput, "has no network") }
    guard version <= newestVersion else {
      throw StyleModelError(
        .badInput, "is of specification \(version); versions up to \(newestVersion) are read")
    }
    let interface = try NetworkInterface(description, network)
    try interface.requirePictureChannels(layers)
    var conversion = LayerConversion(
      probes: Probes(
        Graph(inputName: interface.inputName, channels: 3, contract: interface.contract),
        sizes: interface.probeSizes))
    let input = conversion.probes.graph.input.value
    conversion.values[interface.inputName] = .picture(try interface.shownInput(input, conversion))
    if let style = interface.styleInput { try conversion.addStyleInput(style.name, shape: style.shape) }
    for (index, layer) in try layers.needed(for: interface.output.name) {
      try conversion.add(layer, index: index)
    }
    let value = try interface.result(&conversion)
    var graph = conversion.probes.finished(output: value)
    if let count = conversion.styleCount, let name = conversion.styleInput,
      graph.nodes.contains(where: {
        if case .conditionalInstanceNorm = $0.operation { true } else { false }
      })
    {
      graph.styles = StyleSet(inputName: name, count: count)
    }
    try graph.verify()
    var notes = interface.notes + conversion.ledger.notes
    let saysOutput = interface.saysOutput || graph.outputIsPixels
    if !interface.saysOutput, saysOutput {
      notes.append(
        "its output is an array, not a picture; it keeps within 0 and 255, so these are its pixels")
    }
    let provenance = try provenance()
    if provenance != nil { graph.contract.rounding = rounding ?? graph.contract.rounding }
    return CoreMLNetwork(
      graph: graph, saysInput: interface.saysInput, saysOutput: saysOutput, provenance: provenance,
      notes: notes)
  }

  private func text(_ key: String) -> String? { description.metadata.first { $0.name == key }?.text }

  /// How the author rounds: Core ML has no way to say it, so that our files say it in their metadata.
  private var rounding: PixelContract.Rounding? {
    text(CoreMLFormat.rounding).flatMap(PixelContract.Rounding.init(rawValue:))
  }

  private func provenance() throws(StyleModelError) -> Provenance? {
    guard text(Provenance.Key.tool) != nil else { return nil }
    do throws(StyleModelError) { return try Provenance(metadata: text) } catch {
      throw StyleModelError(error.kind, place: "metadata", error.problem, remedy: error.remedy)
    }
  }
}

extension Coreml__Model {
  /// The network, of whichever kind the model is.
  fileprivate var networkMessage: Coreml__NeuralNetwork? {
    switch kind {
    case .neuralNetwork: neural_network?.pointee
    case .classifier: neural_network_classifier?.pointee
    case .regressor: neural_network_regressor?.pointee
    case .program, .other: nil
    }
  }
}

extension Coreml__Layer {
  /// The tensors of the layer, for an inspection.
  fileprivate func namedTensors(_ index: Int) throws(StyleModelError) -> [CoreMLModel.Tensor] {
    var tensors: [CoreMLModel.Tensor] = []
    do throws(StyleModelError) {
      for weights in try weights() {
        tensors.append(
          CoreMLModel.Tensor(name: "\(string(name)).\(weights.role)", tensor: try weights.tensor()))
      }
    } catch {
      throw StyleModelError(
        error.kind, place: [place(index), error.place].compactMap { $0 }.joined(separator: ", "),
        error.problem, remedy: error.remedy)
    }
    return tensors
  }
}

extension [Coreml__Layer] {
  /// The layers that a blob depends on, in the file's order.
  fileprivate func needed(for output: String) throws(StyleModelError) -> [(index: Int, layer: Coreml__Layer)]
  {
    var needed: Set<String> = [output]
    var result: [(index: Int, layer: Coreml__Layer)] = []
    for (index, layer) in enumerated().reversed() {
      let outputs = list(layer.output, layer.n_output).map { String(cString: $0) }
      guard outputs.contains(where: needed.contains) else { continue }
      // A blob may be computed anew under its own name; what stood before is then another one.
      for name in outputs { needed.remove(name) }
      needed.formUnion(list(layer.input, layer.n_input).map { String(cString: $0) })
      result.append((index, layer))
    }
    guard !result.isEmpty else {
      throw StyleModelError(
        .badInput, "computes its output '\(printable(output, limit: 80))' with no layer")
    }
    return result.reversed()
  }
}

extension Graph {
  /// Whether the end of the network keeps its output within 0 and 255, and reaches both.
  fileprivate var outputIsPixels: Bool {
    guard let range = range(of: output, depth: 8) else { return false }
    return abs(range.lowerBound) < 0.5 && abs(range.upperBound - 255) < 0.5
  }

  private func range(of value: ValueID, depth: Int) -> ClosedRange<Float>? {
    guard depth > 0, let node = nodes.last(where: { $0.result == value }),
      case .activation(let activation) = node.operation
    else { return nil }
    switch activation.function {
    case .sigmoid: return 0...1
    case .tanh: return -1...1
    case .clamp(let lower, let upper): return lower...upper
    case .linear(let scale, let bias):
      guard let inner = range(of: activation.input, depth: depth - 1) else { return nil }
      let ends = [inner.lowerBound * scale + bias, inner.upperBound * scale + bias].sorted()
      return ends.allSatisfy(\.isFinite) ? ends[0]...ends[1] : nil
    case .relu, .leakyReLU: return nil
    }
  }
}
