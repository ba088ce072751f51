import Archives
import Files
import HDF5Importer
import PyTorchImporter
public import StyleModelFile

/// A network as it was read from a file, with what is known of its origin.
public struct Model: Sendable {
  /// The file, as the user named it.
  public var path: String
  /// The container in a few words: `PyTorch zip checkpoint`.
  public var container: String
  /// The file's size in bytes.
  public var byteCount: Int
  /// The SHA-256 digest of the file, 32 bytes.
  public var sha256: [UInt8]
  /// The network as the file has it, before any pass.
  public var graph: Graph
  /// The family whose recipe fitted, where the file has no graph of its own.
  public var recipeName: String?
  /// What the user should know, one sentence each.
  public var notes: [String]
  /// Where a `.stylemodel` says that it came from; nil for other files.
  public var provenance: Provenance?
  /// The exact account of a `.stylemodel`'s bytes; nil for other files.
  public var sizes: StyleModelSizes?
}

/// Reads a network from a file of any kind that is known, recognised by its bytes.
/// - Throws: `.cannotOpen`; `.badInput` saying what the file is instead, or what in it does not fit.
public func loadModel(
  _ path: String, options: ImportOptions = ImportOptions()
) throws(StyleModelError) -> Model {
  let bytes = try readFile(path)
  do throws(StyleModelError) {
    switch FileKind.identify(bytes) {
    case .styleModel: return try loadStyleModel(path, bytes, options)
    case let kind where kind.isPyTorchCheckpoint:
      let dict = try readPyTorchCheckpoint(bytes, options: PyTorchOptions(stateKey: options.stateKey))
      return try loadStateDict(path, bytes, dict, options)
    case .hdf5, .kerasArchive:
      return try loadHDF5(
        path, bytes, try readHDF5(bytes, stateKey: options.stateKey), options, requiresPixels: true)
    case let kind: throw kind.refusal(wanted: "model")
    }
  } catch { throw error.inFile(path) }
}

func loadStateDict(
  _ path: String, _ bytes: [UInt8], _ dict: StateDict, _ options: ImportOptions
) throws(StyleModelError) -> Model {
  let recipeOptions = RecipeOptions(
    recipes: try options.recipes(), keepsRunningStatistics: options.keepsRunningStatistics)
  let recognised = try dict.recognised(recipeOptions)
  var model = Model(
    path: path, container: dict.container, byteCount: bytes.count, sha256: sha256(bytes),
    graph: recognised.graph,
    recipeName: recognised.recipe.name, notes: recognised.notes)
  try model.apply(options.contract)
  return model
}

private func loadStyleModel(
  _ path: String, _ bytes: [UInt8], _ options: ImportOptions
) throws(StyleModelError) -> Model {
  let file = try decodeStyleModel(bytes)
  var model = Model(
    path: path, container: FileKind.styleModel.description, byteCount: bytes.count, sha256: sha256(bytes),
    graph: file.graph, recipeName: file.provenance.recipe, notes: [], provenance: file.provenance,
    sizes: try styleModelSizes(of: bytes))
  try model.apply(options.contract)
  return model
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
