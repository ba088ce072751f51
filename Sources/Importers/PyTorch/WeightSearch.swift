import Diagnostics

/// Finds the weights among what else a checkpoint holds: optimizers, counters, other networks.
struct WeightSearch {
  /// A set of weights that a checkpoint holds.
  struct Candidate {
    /// The keys that lead to it, none for the whole object.
    var path: [String]
    /// A dict of tensors, or a whole module.
    var value: PickleValue
    /// The number of its tensors that look like weights.
    var tensorCount: Int

    /// The path as `--state-key` takes it.
    var key: String { path.joined(separator: ".") }
  }

  /// What training scripts call the network itself, or the dict that holds it.
  private static let wrapperNames: Set<String> = [
    "state_dict", "model_state_dict", "net_state_dict", "model_state", "net_state", "model", "net", "network",
    "module", "weights", "generator", "generator_state_dict", "netG", "net_g", "G", "gen", "transformer",
    "transformer_state_dict", "transformer_net", "transform_net", "style_net", "params", "params_ema",
    "state",
    "checkpoint",
  ]
  private static let depthLimit = 8

  private let document: PickleDocument
  private var seen: Set<Int> = []
  private var effort = Effort()
  private(set) var candidates: [Candidate] = []

  /// Looks through an object and what it holds, an object only once however often it is held.
  init(_ root: PickleValue, in document: PickleDocument) {
    self.document = document
    visit(root, path: [])
  }

  /// The value that a key of dotted names leads to, or nil. Names with dots in them are found, too.
  static func value(at key: Substring, from value: PickleValue, in document: PickleDocument) -> PickleValue? {
    guard !key.isEmpty else { return value }
    for (name, child) in children(of: value, in: document) where key.hasPrefix(name) && !name.isEmpty {
      let rest = key.dropFirst(name.count)
      if rest.isEmpty { return child }
      if rest.first == ".", let found = Self.value(at: rest.dropFirst(), from: child, in: document) {
        return found
      }
    }
    return nil
  }

  /// The weights to take: the only ones, or the only ones under a name that says so.
  func choice() throws(StyleModelError) -> Candidate {
    if candidates.count == 1 { return candidates[0] }
    let named = candidates.filter { !$0.path.isEmpty && $0.path.allSatisfy(Self.wrapperNames.contains) }
    if named.count == 1 { return named[0] }
    if named.isEmpty, let whole = candidates.first(where: \.path.isEmpty) {
      // A few tables beside its own weights, not a mean and a deviation beside someone else's.
      let rest = candidates.reduce(0) { $0 + ($1.path.isEmpty ? 0 : $1.tensorCount) }
      if whole.tensorCount > rest { return whole }
    }
    let names = candidates.map {
      "\($0.path.isEmpty ? "the whole" : $0.key) (\(counted($0.tensorCount, "tensor")))"
    }
    let example = (named.first ?? candidates.first { !$0.path.isEmpty })?.key ?? ""
    throw StyleModelError(
      .badInput,
      "holds \(candidates.count) sets of weights: " + names.prefix(12).joined(separator: ", ")
        + (names.count > 12 ? ", …" : ""),
      remedy: "choose one with --state-key, as in --state-key \(example)")
  }

  private mutating func visit(_ value: PickleValue, path: [String]) {
    guard path.count <= Self.depthLimit, case .object(let index) = value, seen.insert(index).inserted,
      effort.spend(4 * document.length(value))
    else { return }
    if PickledModule.isModule(value, in: document) {
      candidates.append(Candidate(path: path, value: value, tensorCount: moduleTensorCount(value)))
      return
    }
    if TorchScriptModule.isModule(value, in: document) {
      let module = try? TorchScriptModule(value, in: document, effort: &effort)
      let count = module.map { weightCount($0.tensors) } ?? 0
      // A module that nests without end is the reader's to explain.
      if module == nil || count > 0 {
        candidates.append(Candidate(path: path, value: value, tensorCount: count))
      }
      return
    }
    if let items = document.dictItems(value) {
      let keys = Set(items.lazy.map(\.key))
      if keys.contains("param_groups") && keys.contains("state") { return }
      let count = items.count { TensorKind($0.value, in: document).isWeight(in: document) }
      if count > 0 { candidates.append(Candidate(path: path, value: value, tensorCount: count)) }
    }
    for (name, child) in Self.children(of: value, in: document) {
      guard case .object = child, !Self.isOptimizer(name) else { continue }
      visit(child, path: path + [name])
    }
  }

  private mutating func moduleTensorCount(_ value: PickleValue) -> Int {
    guard let module = try? PickledModule(value, in: document, effort: &effort) else { return 0 }
    return weightCount(module.tensors)
  }

  private func weightCount(_ tensors: [(name: String, value: PickleValue)]) -> Int {
    tensors.count { TensorKind($0.value, in: document).isWeight(in: document) }
  }

  /// What an object holds by name or by index.
  private static func children(
    of value: PickleValue, in document: PickleDocument
  ) -> [(name: String, value: PickleValue)] {
    if let items = document.dictItems(value) { return items.map { ($0.key, $0.value) } }
    switch document.object(value) {
    case .tuple(let elements)?, .list(let elements)?:
      // Lists of weights are short; lists of losses are not.
      return elements.prefix(64).enumerated().map { (String($0.offset), $0.element) }
    case .call(let call)?:
      guard case .none = TensorKind(value, in: document) else { return [] }
      if document.hasAttributes(["param_groups", "state"], call) { return [] }
      return (document.attributeItems(call) ?? []).map { ($0.key, $0.value) }
    default: return []
    }
  }

  /// By name; most are known by their `param_groups`, too.
  private static func isOptimizer(_ name: String) -> Bool {
    let name = name.lowercased()
    return name == "optim" || name.hasPrefix("optim_") || name.hasSuffix("_optim")
      || name.contains("optimizer")
      || name.contains("scheduler")
  }
}
