import Archives
public import Diagnostics
public import ModelGraph
public import Recipes

/// What an HDF5 file or a Keras archive holds.
public struct HDF5Model: Sendable {
  /// The tensors by name, for the recipes and for people. Kernels of Keras have the axes that PyTorch gives them.
  public var weights: StateDict
  /// The network, where the file holds its layers, or why it is not understood; nil where it holds weights alone.
  public var network: Result<KerasNetwork, StyleModelError>?
}

/// The network of a Keras file.
public struct KerasNetwork: Sendable {
  /// The operations. The size that the file was trained at does not bind. Where the file says nothing of its pixels, the
  /// contract is `raw255`.
  public var graph: Graph
  /// Whether the network's own layers say that it wants pixels of 0…255.
  public var saysInput: Bool
  /// Whether they say that it gives such.
  public var saysOutput: Bool
  /// What the user should know, one sentence each.
  public var notes: [String]
}

/// Reads an HDF5 file: a plain dump of tensors, Keras's weights (of any release), or a whole Keras network; or a `.keras`
/// archive.
///
/// The file is read by an executable of its own, within limits. Nothing in it is run.
/// - Parameters:
///   - bytes: the whole file.
///   - stateKey: which group of a plain dump holds the weights: `generator.state_dict`.
///   - reader: the executable; nil for the one that is installed.
/// - Throws: `.badInput` when the file is damaged, hostile or without weights; `.cannotOpen` when the reader is missing. A
///   network that is not understood is no error here: its tensors can still be looked at.
public func readHDF5(
  _ bytes: [UInt8], stateKey: String? = nil, reader: HDF5Reader? = nil
) throws(StyleModelError) -> HDF5Model {
  let kind = FileKind.identify(bytes)
  guard kind == .hdf5 || kind == .kerasArchive else { throw kind.refusal(wanted: "HDF5 file") }
  let reader = if let reader { reader } else { try HDF5Reader.installed() }
  if kind == .kerasArchive {
    let archive = try ZipArchive(bytes)
    guard let weights = archive.entry(named: "model.weights.h5"),
      let config = archive.entry(named: "config.json")
    else {
      throw StyleModelError(
        .badInput, "is a Keras archive without config.json or model.weights.h5",
        remedy: "save the network again with Keras")
    }
    let file = try reader.read(Array(try archive.read(weights)))
    guard var layers = try KerasWeights(file) else {
      throw StyleModelError(.badInput, place: "model.weights.h5", "holds no weights of layers")
    }
    if let metadata = archive.entry(named: "metadata.json") {
      layers.version = try JSONValue(parsing: try archive.read(metadata), place: metadata.name)[
        "keras_version"]?.string
    }
    return try model(
      layers, config: Array(try archive.read(config)), container: "Keras archive", notes: file.notes)
  }
  let file = try reader.read(bytes)
  guard let layers = try KerasWeights(file) else {
    return HDF5Model(weights: try StateDict(plain: file, stateKey: stateKey))
  }
  let config = file["/"]?.strings("model_config")?.first
  let release = layers.version.map { ", Keras \(printable($0, limit: 20))" } ?? ""
  return try model(
    layers, config: config.map { Array($0.utf8) },
    container: (config == nil ? "Keras weights (HDF5)" : "Keras network (HDF5)") + release, notes: file.notes)
}

private func model(
  _ layers: KerasWeights, config: [UInt8]?, container: String, notes: [String]
) throws(StyleModelError) -> HDF5Model {
  let weights = try layers.stateDict(container: container, notes: notes)
  guard let config else { return HDF5Model(weights: weights) }
  do throws(StyleModelError) {
    let json = try JSONValue(parsing: config[...], place: "model_config")
    var network = try KerasTranslator.network(try KerasConfig(json), layers)
    network.notes = notes + network.notes
    return HDF5Model(weights: weights, network: .success(network))
  } catch { return HDF5Model(weights: weights, network: .failure(error)) }
}
