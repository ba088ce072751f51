import Archives
public import Diagnostics
public import Recipes
import Tensors

/// How a checkpoint is to be read.
public struct PyTorchOptions: Hashable, Sendable {
  /// Which of the things in the checkpoint are the weights: keys with dots between them, `generator.params`.
  /// Without it they are looked for.
  public var stateKey: String?

  /// Creates options.
  public init(stateKey: String? = nil) { self.stateKey = stateKey }
}

/// Reads the weights of a PyTorch checkpoint, of any release since 0.2, or of a TorchScript archive, since 1.4.
///
/// Nothing in the file is run, and the code of a TorchScript archive is not even read. Tensors keep the type they are stored in, are gathered into C order and turned
/// little-endian. Names lose the prefixes `module.` and `_orig_mod.` where all of them share it.
/// - Parameter bytes: the whole file.
/// - Throws: `.badInput` for a file that is something else (named for what it is), damaged, hostile or without
///   weights, and where it is not plain which of several sets of weights are meant.
public func readPyTorchCheckpoint(
  _ bytes: [UInt8], options: PyTorchOptions = PyTorchOptions()
) throws(StyleModelError) -> StateDict {
  let kind = FileKind.identify(bytes)
  switch kind {
  case .pyTorchZip:
    let checkpoint = try ZipCheckpoint(try ZipArchive(bytes))
    return try readWeights(
      of: checkpoint.document, source: checkpoint, fileSize: bytes.count, container: "PyTorch zip checkpoint",
      options: options)
  case .torchScript: return try readTorchScript(bytes, options: options)
  case .pyTorchLegacy:
    let checkpoint = try LegacyCheckpoint(bytes)
    return try readWeights(
      of: checkpoint.document, source: checkpoint, fileSize: bytes.count,
      container: "PyTorch checkpoint of a release before 1.6", options: options)
  case .plainPickle:
    // What it names or how it is damaged says more than that it is one.
    _ = try PickleMachine.read(bytes[...], place: "pickle")
    throw kind.refusal(wanted: "checkpoint")
  default: throw kind.refusal(wanted: "checkpoint")
  }
}

/// The container of `torch.jit.save` is that of `torch.save`, with code beside the pickle, and the tensors that this
/// code names as constants in a second one.
private func readTorchScript(
  _ bytes: [UInt8], options: PyTorchOptions
) throws(StyleModelError) -> StateDict {
  let archive = try ZipArchive(bytes)
  let checkpoint = try ZipCheckpoint(archive)
  let root = checkpoint.document.root
  if options.stateKey == nil, TorchScriptModule.isModule(root, in: checkpoint.document),
    WeightSearch(root, in: checkpoint.document).candidates.isEmpty,
    archive.entries.contains(where: { $0.name.contains("/constants/") })
  {
    throw StyleModelError(
      .badInput,
      "keeps its weights as nameless constants of its code: it was frozen, or exported for a device",
      remedy: "save the state dict of the module that it was made from: torch.save(net.state_dict(), …)")
  }
  return try readWeights(
    of: checkpoint.document, source: checkpoint, fileSize: bytes.count, container: "TorchScript archive",
    options: options)
}

private func readWeights(
  of document: PickleDocument, source: some StorageSource, fileSize: Int, container: String,
  options: PyTorchOptions
) throws(StyleModelError) -> StateDict {
  var root = document.root
  if let key = options.stateKey {
    guard let value = WeightSearch.value(at: key[...], from: root, in: document) else {
      let known = WeightSearch(root, in: document).candidates.filter { !$0.path.isEmpty }.map(\.key)
      throw StyleModelError(
        .badInput, "has nothing under the state key \(printable(key, limit: 80))",
        remedy: known.isEmpty
          ? "leave --state-key away; the weights are not nested"
          : "its weights are under " + known.prefix(12).joined(separator: ", "))
    }
    root = value
  }
  let search = WeightSearch(root, in: document)
  guard !search.candidates.isEmpty else {
    throw document.noWeights(below: root, stateKey: options.stateKey)
  }
  let chosen = try search.choice()
  var dict = try StateDictReader(document: document, source: source, fileSize: fileSize)
    .stateDict(chosen.value, container: container)
  if !chosen.path.isEmpty {
    let others = search.candidates.filter { $0.path != chosen.path && !$0.path.isEmpty }.map(\.key)
    let aside = others.isEmpty ? "" : "; \(others.prefix(4).joined(separator: ", ")) left aside"
    dict.notes.insert("the weights were taken from \(chosen.key)\(aside)", at: 0)
  }
  for prefix in ["module.", "_orig_mod.", "module.", "_orig_mod."] {
    dict = dict.strippingSharedPrefix(prefix) ?? dict
  }
  return dict
}
