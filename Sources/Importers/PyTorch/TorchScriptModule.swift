import Diagnostics

/// A module of a TorchScript archive: a record of a class that the archive's own code defines, `__torch__.…`, whose
/// attributes hold tensors and further modules side by side. The code stays unread; the names say enough.
struct TorchScriptModule {
  /// The tensors by their dotted names, in the order of the records; `state_dict()` has the same.
  private(set) var tensors: [(name: String, value: PickleValue)] = []
  private var moduleCount = 0

  /// More modules or tensors than any network has; a module that holds itself would make endlessly many.
  private static let limit = 1 << 16
  private static let depthLimit = 64
  private static let nameLimit = 1024

  /// Whether a value is such a module.
  static func isModule(_ value: PickleValue, in document: PickleDocument) -> Bool {
    guard let call = document.call(value), let global = document.global(call.callable) else { return false }
    return global.module == "__torch__" || global.module.hasPrefix("__torch__.")
  }

  /// Flattens a module.
  /// - Throws: `.badInput` when it nests without end.
  init(_ value: PickleValue, in document: PickleDocument, effort: inout Effort) throws(StyleModelError) {
    try add(value, path: "", depth: 0, in: document, effort: &effort)
  }

  private mutating func add(
    _ value: PickleValue, path: String, depth: Int, in document: PickleDocument, effort: inout Effort
  ) throws(StyleModelError) {
    guard effort.spend(document.length(value)), depth < Self.depthLimit, path.utf8.count < Self.nameLimit,
      moduleCount < Self.limit
    else { throw Self.endless(path) }
    moduleCount += 1
    guard let call = document.call(value), let attributes = document.attributeItems(call) else { return }
    let prefix = path.isEmpty ? "" : path + "."
    for (name, value) in attributes {
      if Self.isModule(value, in: document) {
        try add(value, path: prefix + name, depth: depth + 1, in: document, effort: &effort)
      } else if case .none = TensorKind(value, in: document) {
        continue
      } else {
        guard tensors.count < Self.limit else { throw Self.endless(path) }
        tensors.append((prefix + name, value))
      }
    }
  }

  private static func endless(_ path: String) -> StyleModelError {
    StyleModelError(
      .badInput, place: printable(path, limit: 60), "is a module that holds itself, or nests without end",
      remedy: "save the module's state_dict() instead")
  }
}
