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

/// Reads the weights of a PyTorch checkpoint, of any release since 0.2.
///
/// Nothing in the file is run. Tensors keep the type they are stored in, are gathered into C order and turned
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
  case .pyTorchLegacy:
    let checkpoint = try LegacyCheckpoint(bytes)
    return try readWeights(
      of: checkpoint.document, source: checkpoint, fileSize: bytes.count,
      container: "PyTorch checkpoint of a release before 1.6", options: options)
  default: throw kind.refusal(wanted: "checkpoint")
  }
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
    throw noWeights(below: root, in: document, stateKey: options.stateKey)
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

/// Why no weights were found: there are none, or they are inside something that only running the file would make.
private func noWeights(below root: PickleValue, in document: PickleDocument, stateKey: String?)
  -> StyleModelError
{
  if case .tensor = TensorKind(root, in: document) {
    return StyleModelError(
      .badInput, "holds a single tensor and no names",
      remedy: "save a state dict: torch.save(net.state_dict(), …)")
  }
  if let global = hidingCall(in: document) {
    return StyleModelError(
      .badInput,
      "keeps its tensors inside a call of \(printable(global.description, limit: 120)), which is not run",
      remedy: "load it where it was written and save net.state_dict()")
  }
  let place = stateKey.map { " under the state key \(printable($0, limit: 80))" } ?? ""
  return StyleModelError(
    .badInput, "holds no weights\(place): no named tensor with extents",
    remedy: "name the network's checkpoint")
}

/// The first call, other than the makers of tensors, that is handed a tensor or a storage.
private func hidingCall(in document: PickleDocument) -> PickleGlobal? {
  for index in document.objects.indices {
    guard case .call(let call) = document.objects[index], let global = document.global(call.callable),
      case .none = TensorKind(.object(index), in: document), global.name != "OrderedDict"
    else { continue }
    if containsTensor(call.arguments, in: document) { return global }
  }
  return nil
}

/// Whether a value, or what it holds a few levels down, is a tensor. Looks at a bounded number of values.
func containsTensor(_ value: PickleValue, in document: PickleDocument) -> Bool {
  var queue = [value]
  var next = 0
  while next < queue.count, queue.count < 256 {
    let value = queue[next]
    next += 1
    if case .none = TensorKind(value, in: document) {} else { return true }
    if let items = document.dictItems(value) {
      queue += items.prefix(32).map(\.value)
    } else {
      queue += document.elements(value)?.prefix(32) ?? []
    }
  }
  return false
}
