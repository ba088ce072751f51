public import Diagnostics
public import ModelGraph
import PictureTracing
public import StyleModelFile
public import Tensors

/// What an ONNX file holds.
public struct ONNXModel: Sendable {
  /// A tensor of the file, by its name there.
  public struct Tensor: Sendable {
    /// The name; those without one belong to no node in particular.
    public var name: String
    /// The numbers as the file stores them.
    public var tensor: StoredTensor
  }

  /// The container in a few words: `ONNX model, operator set 17, by pytorch 2.2.0`.
  public var container: String
  /// The tensors of the file, in its order.
  public var tensors: [Tensor]
  /// The network, or why it is not understood. Where the file says nothing of its pixels, the contract is `raw255`.
  public var network: Result<ONNXNetwork, StyleModelError>
}

/// The network of an ONNX file.
public struct ONNXNetwork: Sendable {
  /// The operations. Sizes that the file was traced at do not bind.
  public var graph: Graph
  /// Whether the file itself says what its pixels mean, as files of our own exporter do.
  public var saysPixels: Bool
  /// Where the network comes from, if our own exporter wrote the file.
  public var provenance: Provenance?
  /// What the user should know, one sentence each.
  public var notes: [String]
}

/// Reads an ONNX model.
/// - Parameter readBeside: reads a file beside the model that it keeps tensors in, by a name that goes down only.
/// - Throws: `.badInput` when the file is damaged, or one of its tensors cannot be read. A network that is not understood
///   is no error here: its tensors can still be looked at.
public func readONNX(
  _ bytes: [UInt8], readBeside: @escaping (String) throws(StyleModelError) -> [UInt8]
) throws(StyleModelError) -> ONNXModel {
  let file = try ONNXFile(protobuf: bytes, readBeside)
  let network: Result<ONNXNetwork, StyleModelError>
  do throws(StyleModelError) { network = .success(try file.network()) } catch { network = .failure(error) }
  let version = file.operatorSet == 1 ? "without an operator set" : "operator set \(file.operatorSet)"
  return ONNXModel(
    container: "ONNX model, \(version)" + (file.producer.isEmpty ? "" : ", by \(file.producer)"),
    tensors: file.weights.map { ONNXModel.Tensor(name: $0.name, tensor: $0.tensor) }, network: network)
}

extension ONNXFile {
  /// The tensors that are weights: the initializers, and constants of more than a few numbers.
  fileprivate var weights: [ONNXTensor] {
    initializers
      + nodes.compactMap { node in
        guard node.operation == "Constant", case .tensor(let value)? = node.attributes["value"],
          value.tensor.shape.count > 16
        else { return nil }
        return ONNXTensor(
          name: node.outputs.first ?? "", tensor: value.tensor, integerBits: value.integerBits)
      }
  }

  /// The network that the nodes are.
  fileprivate func network() throws(StyleModelError) -> ONNXNetwork {
    let known = Set(initializers.map(\.name))
    let free = inputs.filter { !known.contains($0.name) }
    guard free.count == 1, let input = free.first else {
      throw StyleModelError(
        .badInput,
        "has \(counted(free.count, "input")) (\(free.prefix(8).map { "'\($0.name)'" }.joined(separator: ", "))); a style network has one, the picture"
      )
    }
    guard let output = outputs.first else { throw StyleModelError(.badInput, "has no output") }
    let layout = try InputLayout(input)
    let own = try OwnDescription(metadata)
    var contract = own?.contract ?? PixelPreset.raw255.contract
    var inner = InnerNetwork(input: input.name, output: output.name, nodes: nodes)
    if own?.hasProcessing == true {
      if let network = withoutProcessing(contract, input: input.name, output: output.name) {
        inner = network
      } else {
        contract = contract.withProcessingInside
      }
    }
    var conversion = try NetworkConversion(
      operatorSet: operatorSet, own: own,
      probes: Probes(
        Graph(inputName: input.name, channels: 3, contract: contract),
        sizes: Probes.sizes(height: layout.height, width: layout.width)),
      inputName: inner.input, arrangement: layout.arrangement)
    for tensor in initializers { conversion.add(tensor) }
    for node in inner.needed { try conversion.add(node) }
    let value = try conversion.result(inner.output)
    var notes = conversion.ledger.notes
    if outputs.count > 1 {
      notes.append("of its \(outputs.count) outputs '\(output.name)' is taken, the first")
    }
    let finished = conversion.probes.finished(output: value)
    try finished.verify()
    return ONNXNetwork(
      graph: finished, saysPixels: own != nil, provenance: own?.provenance, notes: notes)
  }
}

extension PixelContract {
  /// The contract of a network that does all of its processing itself.
  fileprivate var withProcessingInside: PixelContract {
    var contract = PixelPreset.raw255.contract
    contract.rounding = rounding
    contract.sizes = sizes
    return contract
  }
}

extension NetworkConversion {
  /// The value that an output of the file is.
  fileprivate mutating func result(_ name: String) throws(StyleModelError) -> ValueID {
    do throws(StyleModelError) {
      guard case .picture(let picture)? = values[name] else {
        throw StyleModelError(.badInput, "is not computed from the picture")
      }
      let value = try computed(picture.term)
      for probe in probes.alive {
        let extents = try probes.extents(value, probe)
        let whole = Arrangement(picture: extents)
        let shown = picture.arrangements[probe]
        // [1, C, H, W] or [1, H, W, C], with or without the leading one.
        let axes = shown.axes.count == 3 ? [[]] + shown.axes : shown.axes
        guard axes == whole.axes || axes == [0, 2, 3, 1].map({ whole.axes[$0] }) else {
          throw StyleModelError(.badInput, "has shape \(shown.shape), which is no picture")
        }
      }
      return value
    } catch {
      throw StyleModelError(error.kind, place: "output '\(name)'", error.problem, remedy: error.remedy)
    }
  }
}

/// How the file's input holds a picture.
private struct InputLayout {
  /// The extents that the file was traced at; nil varies.
  let height: Int?
  let width: Int?
  private let hasBatch: Bool
  private let channelsAreLast: Bool

  init(_ input: ONNXFile.ValueInfo) throws(StyleModelError) {
    func problem(_ text: String) -> StyleModelError {
      StyleModelError(.badInput, place: "input '\(input.name)'", text)
    }
    guard [nil, 1, 10, 11, 16].contains(input.elementType) else {
      throw problem("is of element type \(input.elementType ?? 0); a picture of floats is wanted")
    }
    let extents = input.extents ?? [nil, 3, nil, nil]
    let names = extents.map { $0.map(String.init) ?? "?" }.joined(separator: ", ")
    guard extents.count == 4 || extents.count == 3 else {
      throw problem("has shape [\(names)]; a picture is [1, 3, H, W]")
    }
    hasBatch = extents.count == 4
    let picture = Array(extents.suffix(3))
    if hasBatch, let batch = extents[0], batch != 1 {
      throw problem("takes \(batch) pictures at once; export it with a batch of 1")
    }
    channelsAreLast = picture[0] != 3 && picture[2] == 3
    let channels = channelsAreLast ? picture[2] : picture[0]
    guard channels == nil || channels == 3 else {
      throw problem("has shape [\(names)]: it takes \(counted(channels ?? 0, "channel")); a picture has 3")
    }
    height = channelsAreLast ? picture[0] : picture[1]
    width = channelsAreLast ? picture[1] : picture[2]
    guard max(height ?? 1, width ?? 1) <= 1 << 16 else { throw problem("has an impossible size [\(names)]") }
  }

  func arrangement(_ picture: Arrangement.Picture) -> Arrangement {
    let batch: [[Arrangement.Run]] = hasBatch ? [[]] : []
    return Arrangement(
      axes: batch
        + (channelsAreLast
          ? [[picture.row], [picture.column], [picture.channel]]
          : [[picture.channel], [picture.row], [picture.column]]))
  }
}
