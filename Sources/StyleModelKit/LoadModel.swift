import CoreMLImporter
import HDF5Importer
import MLProgramImporter
public import StyleModelFile

/// A network as it was read from a file, with what is known of its origin.
public struct Model: Sendable {
  /// The file, as the user named it.
  public var path: String
  /// The container in a few words: `PyTorch zip checkpoint`.
  public var container: String
  /// The file's size in bytes.
  public var byteCount: Int
  /// The SHA-256 digest of the file, 32 bytes; of a folder, that of its files' names and digests.
  public var sha256: [UInt8]
  /// The network as the file has it, before any pass.
  public var graph: Graph
  /// The family whose recipe fitted, where the file has no graph of its own.
  public var recipeName: String?
  /// What the user should know, one sentence each.
  public var notes: [String]
  /// Where a file that `convert` wrote says that it came from; nil for other files.
  public var provenance: Provenance?
  /// The exact account of a `.stylemodel`'s bytes; nil for other files.
  public var sizes: StyleModelSizes?
  /// The style or blend that was chosen of the several that the file has; nil where none was.
  public internal(set) var chosenStyle: StyleBlend?
  /// Whether neither the file nor the user says what the pixels mean; only `inspectFile` gives such models.
  public internal(set) var pixelsAreUnknown = false
  /// What they most likely mean then, where anything tells.
  public internal(set) var pixelGuess: PixelGuess?
}

/// Reads a network from a file of any kind that is known, recognised by its bytes, or from a folder of `.npy` arrays.
/// - Throws: `.cannotOpen`; `.badInput` saying what the file is instead, or what in it does not fit.
public func loadModel(
  _ path: String, options: ImportOptions = ImportOptions()
) throws(StyleModelError) -> Model {
  try loadModel(try ModelBytes(path), options: options)
}

/// Reads a network as `loadModel(_:options:)` does, but takes a file that states its own graph and pixels by its word.
/// - Parameters:
///   - path: the file, as the user named it; used in errors as it is.
///   - options: what the user says of the tensors and pixels of checkpoints.
public func loadModel(
  _ path: String, checkpointOptions options: ImportOptions
) throws(StyleModelError) -> Model {
  let source = try ModelBytes(path)
  return try loadModel(source, options: source.holdsGraph ? ImportOptions(style: options.style) : options)
}

/// Reads a network from bytes that were read already.
func loadModel(_ source: ModelBytes, options: ImportOptions) throws(StyleModelError) -> Model {
  try model(source.path, try FileContents(source, options: options), options, requiresPixels: true)
}

/// The network of a file whose container is out of the way.
/// - Parameter requiresPixels: whether it is an error when neither the file nor the user says what the pixels mean;
///   otherwise the model carries a guess.
func model(
  _ path: String, _ contents: FileContents, _ options: ImportOptions, requiresPixels: Bool = true
) throws(StyleModelError) -> Model {
  let model = try unchosenModel(path, contents, options, requiresPixels: requiresPixels)
  guard let style = options.style else { return model }
  return try model.choosing(style)
}

/// The same with all the styles that the file has.
private func unchosenModel(
  _ path: String, _ contents: FileContents, _ options: ImportOptions, requiresPixels: Bool
) throws(StyleModelError) -> Model {
  do throws(StyleModelError) {
    var model: Model
    switch contents.payload {
    case .model(let file):
      model = Model(
        path: path, container: contents.container, byteCount: contents.byteCount, sha256: contents.sha256,
        graph: file.graph, recipeName: file.provenance.recipe, notes: [], provenance: file.provenance,
        sizes: contents.sizes)
    case .onnx(let file): return try onnxModel(path, contents, file, options, requiresPixels: requiresPixels)
    case .tensors(let dict):
      let recipeOptions = RecipeOptions(
        recipes: try options.recipes(), keepsRunningStatistics: options.keepsRunningStatistics)
      let recognised = try dict.recognised(recipeOptions)
      model = Model(
        path: path, container: contents.container, byteCount: contents.byteCount, sha256: contents.sha256,
        graph: recognised.graph, recipeName: recognised.recipe.name, notes: recognised.notes)
    case .keras(let network, _):
      let network = try network.get()
      model = Model(
        path: path, container: contents.container, byteCount: contents.byteCount, sha256: contents.sha256,
        graph: network.graph, notes: network.notes)
      let gaps = PixelGaps(saysInput: network.saysInput, saysOutput: network.saysOutput)
      if !gaps.isEmpty {
        try model.fillContract(gaps, options.contract, isRequired: requiresPixels)
        return model
      }
    case .coreML(let file):
      let network = try file.network.get()
      model = Model(
        path: path, container: contents.container, byteCount: contents.byteCount, sha256: contents.sha256,
        graph: network.graph, recipeName: network.provenance?.recipe, notes: network.notes,
        provenance: network.provenance)
      let gaps = PixelGaps(saysInput: network.saysInput, saysOutput: network.saysOutput)
      if !gaps.isEmpty {
        try model.fillContract(gaps, options.contract, isRequired: requiresPixels)
        return model
      }
    case .program(let file):
      let network = try file.network.get()
      model = Model(
        path: path, container: contents.container, byteCount: contents.byteCount, sha256: contents.sha256,
        graph: network.graph, recipeName: network.provenance?.recipe, notes: network.notes,
        provenance: network.provenance)
      let gaps = PixelGaps(saysInput: network.saysInput, saysOutput: network.saysOutput)
      if !gaps.isEmpty {
        try model.fillContract(gaps, options.contract, isRequired: requiresPixels)
        return model
      }
    }
    try model.apply(options.contract)
    return model
  } catch { throw error.inFile(path) }
}

extension Model {
  mutating func apply(_ override: ContractOverride) throws(StyleModelError) {
    guard !override.isEmpty else { return }
    graph.contract = override.applied(to: graph.contract)
    notes.append("the pixel contract is as the command line says, not as the file or its family has it")
    try graph.verify()
  }

  /// The graph as it is run and stored: after every exact pass.
  public func optimizedGraph() throws(StyleModelError) -> (graph: Graph, notes: [PassNote]) {
    do { return try optimized(graph) } catch { throw error.inFile(path) }
  }
}
