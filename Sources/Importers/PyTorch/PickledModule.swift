import Diagnostics
import Recipes

/// A `torch.nn.Module` that was pickled whole: an object whose attributes hold parameters, buffers and further
/// modules. It is read as the record it is; its class is a name and nothing more.
struct PickledModule {
  /// The tensors by their dotted names, in the order of `state_dict()`.
  private(set) var tensors: [(name: String, value: PickleValue)] = []
  /// What the modules say about themselves, by their dotted paths.
  private(set) var layers: [String: StateDict.LayerSettings] = [:]

  /// More modules or tensors than any network has; a module that holds itself would make endlessly many.
  private static let limit = 1 << 16
  private static let depthLimit = 64
  private static let nameLimit = 1024

  /// Whether a value is such a module.
  static func isModule(_ value: PickleValue, in document: PickleDocument) -> Bool {
    document.call(value).map { document.hasAttributes(["_modules", "_parameters"], $0) } ?? false
  }

  /// Flattens a module.
  /// - Throws: `.badInput` when it nests without end.
  init(_ value: PickleValue, in document: PickleDocument, effort: inout Effort) throws(StyleModelError) {
    try add(value, path: "", depth: 0, in: document, effort: &effort)
  }

  private mutating func add(
    _ value: PickleValue, path: String, depth: Int, in document: PickleDocument, effort: inout Effort
  ) throws(StyleModelError) {
    guard effort.spend(document.length(value)) else { throw Self.endless(path) }
    guard let call = document.call(value), let attributes = document.attributes(call) else { return }
    guard depth < Self.depthLimit, path.utf8.count < Self.nameLimit, layers.count < Self.limit,
      tensors.count < Self.limit
    else { throw Self.endless(path) }
    for name in ["_parameters", "_buffers", "_modules", "_non_persistent_buffers_set"] {
      guard effort.spend(attributes[name].map(document.length) ?? 0) else { throw Self.endless(path) }
    }
    layers[path] = Self.settings(of: attributes, className: document.className(call), in: document)
    func items(_ name: String) -> [(key: String, value: PickleValue)] {
      attributes[name].flatMap { document.dictItems($0) } ?? []
    }
    let prefix = path.isEmpty ? "" : path + "."
    let transient = Set(
      (attributes["_non_persistent_buffers_set"].flatMap { document.setElements($0) } ?? []).lazy.compactMap {
        if case .string(let name) = $0, name.utf8.count < Self.nameLimit { name } else { nil }
      })
    for (name, value) in items("_parameters") where value != .none {
      tensors.append((prefix + name, value))
    }
    for (name, value) in items("_buffers") where value != .none && !transient.contains(name) {
      tensors.append((prefix + name, value))
    }
    for (name, value) in items("_modules") {
      try add(value, path: prefix + name, depth: depth + 1, in: document, effort: &effort)
    }
  }

  private static func endless(_ path: String) -> StyleModelError {
    StyleModelError(
      .badInput, place: printable(path, limit: 60), "is a module that holds itself, or nests without end",
      remedy: "save the module's state_dict() instead")
  }

  private static func settings(
    of attributes: [String: PickleValue], className: String, in document: PickleDocument
  ) -> StateDict.LayerSettings {
    var settings = StateDict.LayerSettings(className: className)
    func integers(_ name: String) -> [Int]? {
      guard let value = attributes[name] else { return nil }
      if case .integer(let both) = value { return [both, both] }
      return document.integers(value)
    }
    settings.stride = integers("stride")
    settings.dilation = integers("dilation")
    settings.outputPadding = integers("output_padding")
    settings.padding = integers("padding")
    if case .string(let word)? = attributes["padding"] {
      settings.padding = namedPadding(
        word, kernel: integers("kernel_size"), dilation: settings.dilation)
    }
    if case .string(let mode)? = attributes["padding_mode"] { settings.paddingMode = mode }
    if case .integer(let groups)? = attributes["groups"] { settings.groups = groups }
    switch attributes["eps"] {
    case .double(let epsilon)?: settings.epsilon = epsilon
    case .integer(let epsilon)?: settings.epsilon = Double(epsilon)
    default: break
    }
    if case .bool(let tracks)? = attributes["track_running_stats"] {
      settings.tracksRunningStatistics = tracks
    }
    return settings
  }

  /// `valid` pads by nothing and `same` by what keeps the size, which is symmetric for odd kernels only.
  private static func namedPadding(_ word: String, kernel: [Int]?, dilation: [Int]?) -> [Int]? {
    guard let kernel else { return nil }
    switch word {
    case "valid": return kernel.map { _ in 0 }
    case "same":
      guard let dilation, dilation.count == kernel.count else { return nil }
      var padding: [Int] = []
      for (extent, step) in zip(kernel, dilation) {
        let (total, overflow) = extent.subtractingReportingOverflow(1).partialValue
          .multipliedReportingOverflow(by: step)
        guard !overflow, total % 2 == 0 else { return nil }
        padding.append(total / 2)
      }
      return padding
    default: return nil
    }
  }
}

extension PickleDocument {
  /// The dotted name of the class that an object was made of; legacy files put the class's source beside it.
  func className(_ call: PickleCall) -> String {
    if let global = global(call.callable) {
      // Protocols 0 and 1: copyreg._reconstructor(class, base, state).
      if global.name == "_reconstructor", let first = elements(call.arguments)?.first,
        let actual = self.global(first)
      {
        return actual.description
      }
      return global.description
    }
    if case .persistent(let id)? = object(call.callable), case .tuple(let parts)? = object(id),
      parts.count >= 2,
      parts[0] == .string("module"), let global = global(parts[1])
    {
      return global.description
    }
    return "unknown"
  }

  /// The elements of a set, also of one that Python 2 or protocol 2 makes by a call: `set([…])`.
  func setElements(_ value: PickleValue) -> [PickleValue]? {
    switch object(value) {
    case .set(let elements)?: return elements
    case .call(let call)?: return elements(call.arguments)?.first.flatMap { elements($0) }
    default: return nil
    }
  }
}
