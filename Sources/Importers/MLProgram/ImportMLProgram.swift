public import Diagnostics
public import ModelGraph
public import StyleModelFile
public import Tensors

/// What a Core ML model holds that is an ML Program.
public struct MLProgramModel: Sendable {
  /// A weight of the file, by its name there.
  public struct Tensor: Sendable {
    /// The name.
    public var name: String
    /// The numbers as the file stores them, as far as our own encodings say it; decoded otherwise.
    public var tensor: StoredTensor
  }

  /// The container in a few words: `Core ML program, specification 6 (iOS 15)`.
  public var container: String
  /// The weights of the file, in its order.
  public var tensors: [Tensor]
  /// The network, or why it is not understood.
  public var network: Result<MLProgramNetwork, StyleModelError>
}

/// The network of an ML Program.
public struct MLProgramNetwork: Sendable {
  /// The operations. Scalings at the two ends of a picture are part of the pixel contract; sizes are those that the
  /// file allows. Where the file says nothing of its pixels, the contract is `raw255`.
  public var graph: Graph
  /// Whether a picture goes in, so that the file says what its numbers mean.
  public var saysInput: Bool
  /// Whether a picture comes out.
  public var saysOutput: Bool
  /// Whether both ends are pictures.
  public var saysPixels: Bool { saysInput && saysOutput }
  /// Where a file that this program wrote comes from.
  public var provenance: Provenance?
  /// What the user should know, one sentence each.
  public var notes: [String]
}

/// Reads a Core ML model that is an ML Program.
/// - Parameters:
///   - bytes: the model's own file, `model.mlmodel` of a package.
///   - readBeside: reads a file by its path from the model's folder, `weights/weight.bin`; the path goes down only.
/// - Throws: `.badInput` when the file is damaged, or one of its weights cannot be read. A network that is not
///   understood is no error here: its weights can still be looked at.
public func readMLProgram(
  _ bytes: [UInt8], readBeside: @escaping (String) throws(StyleModelError) -> [UInt8]
) throws(StyleModelError) -> MLProgramModel {
  let file = try ProgramFile(protobuf: bytes)
  let known = KnownValues(modelByteCount: bytes.count, readBeside)
  let tensors = try file.program.weights(known)
  let network: Result<MLProgramNetwork, StyleModelError>
  do throws(StyleModelError) { network = .success(try file.network(known)) } catch {
    network = .failure(error)
  }
  let system = file.version >= 6 ? " (iOS \(file.version <= 9 ? file.version + 9 : file.version + 16))" : ""
  return MLProgramModel(
    container: "Core ML program, specification \(file.version)\(system)", tensors: tensors, network: network)
}

extension Program {
  /// The weights that an inspection shows: constants of more than a few numbers, and compressed ones.
  fileprivate func weights(_ known: KnownValues) throws(StyleModelError) -> [MLProgramModel.Tensor] {
    var conversion = ProgramConversion(
      probes: ProbedGraph(Graph(contract: PixelPreset.raw255.contract), sizes: [Graph.probeSize]),
      known: known)
    var result: [MLProgramModel.Tensor] = []
    for operation in operations {
      let isCompressed = CompressedWeight.operations.contains(operation.type)
      guard operation.type == "const" || isCompressed, let name = operation.outputs.first else { continue }
      try conversion.add(operation)
      guard case .known(let value) = try conversion.term(.name(name)), !value.isText else { continue }
      let tensor = try value.stored()
      let isFloat = if case .plain(let type) = tensor.encoding { type.isFloatingPoint } else { true }
      if isCompressed || isFloat && tensor.shape.rank > 0 {
        result.append(MLProgramModel.Tensor(name: name, tensor: tensor))
      }
    }
    return result
  }
}

extension ProgramFile {
  /// The network that the program is.
  fileprivate func network(_ known: KnownValues) throws(StyleModelError) -> MLProgramNetwork {
    guard program.inputs.count == 1, let input = program.inputs.first else {
      let names = program.inputs.prefix(8).map { "'\(printable($0.name, limit: 40))'" }
      throw StyleModelError(
        .badInput,
        "has \(counted(program.inputs.count, "input")) (\(names.joined(separator: ", "))); a style network has one, the picture"
      )
    }
    guard let output = program.outputs.first else { throw StyleModelError(.badInput, "has no output") }
    var known = known
    let interface = try ProgramInterface(self, input: input, output: output)
    var ends = PixelEnds(program, input: input.name, output: output)
    if interface.saysInput { ends.takeInput(&known) }
    if interface.saysOutput { ends.takeOutput(&known) }
    var contract = PixelPreset.raw255.contract
    contract.channelOrder = interface.channelOrder
    contract.sizes = interface.sizes
    contract.inputScale = ends.inputScale
    contract.inputBias = ends.inputBias
    contract.outputScale = ends.outputScale
    contract.outputBias = ends.outputBias
    contract.rounding = ends.rounding
    let graph = Graph(inputName: input.name, channels: 3, contract: contract)
    var conversion = ProgramConversion(
      probes: ProbedGraph(graph, sizes: contract.probeSizes), known: known)
    conversion.define(
      ends.input, .picture(FlowingPicture(term: .value(graph.input.value), axes: interface.axes)))
    for index in program.neededOperations(for: ends.output) where !ends.taken.contains(index) {
      try conversion.add(program.operations[index])
    }
    let value = try conversion.result(ends.output)
    var notes = conversion.notes
    if program.outputs.count > 1 {
      notes.append(
        "of its \(program.outputs.count) outputs '\(printable(output, limit: 80))' is taken, the first")
    }
    let finished = conversion.probes.finished(output: value)
    try finished.verify()
    return MLProgramNetwork(
      graph: finished, saysInput: interface.saysInput, saysOutput: interface.saysOutput,
      provenance: try provenance(), notes: notes)
  }

  private func provenance() throws(StyleModelError) -> Provenance? {
    guard metadata[Provenance.Key.tool] != nil else { return nil }
    do throws(StyleModelError) { return try Provenance(metadata: { metadata[$0] }) } catch {
      throw StyleModelError(error.kind, place: "metadata", error.problem, remedy: error.remedy)
    }
  }
}

extension Program {
  /// The operations that an output depends on, as indices, in the program's order.
  fileprivate func neededOperations(for output: String) -> [Int] {
    var needed: Set<String> = [output]
    var result: [Int] = []
    for (index, operation) in operations.enumerated().reversed()
    where operation.outputs.contains(where: needed.contains) {
      for case .name(let name) in operation.inputs.values.joined() { needed.insert(name) }
      result.append(index)
    }
    return result.reversed()
  }
}

extension ProgramConversion {
  /// The value that an output of the program is.
  fileprivate mutating func result(_ name: String) throws(StyleModelError) -> ValueID {
    let place = "output '\(printable(name, limit: 80))'"
    guard case .picture(let picture)? = values[name] else {
      throw StyleModelError(.badInput, place: place, "is not computed from the picture")
    }
    // Channels first or last, with or without an axis of one picture.
    guard
      [[.channel, .row, .column], [.row, .column, .channel]].contains(picture.axes.filter { $0 != .one })
    else { throw StyleModelError(.badInput, place: place, "has its axes in an order that is no picture's") }
    return try computed(picture.term)
  }
}

extension PixelContract {
  /// The picture sizes that a program is followed at: those that are allowed, a few where there is a choice.
  fileprivate var probeSizes: [PictureSize] {
    switch sizes {
    case .any: return [(320, 256), (192, 224), (131, 97)].map { PictureSize(width: $0.0, height: $0.1) }
    case .listed(let listed): return Array(listed.prefix(3))
    case .range(let width, let height):
      func nearest(_ extent: Int, _ range: ClosedSizeRange) -> Int {
        min(max(extent, range.lower), range.upper ?? Int.max)
      }
      return [(320, 256), (192, 224), (131, 97)].map {
        PictureSize(width: nearest($0.0, width), height: nearest($0.1, height))
      }
    }
  }
}
