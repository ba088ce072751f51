/// Dicts as pickles hold them: plain ones, and objects of classes that are dicts.
extension PickleDocument {
  /// The longest key that is taken for a name.
  private static let keyLimit = 1024

  /// The items of a dict with their keys as text, each key once, in the order of first appearance; nil if the
  /// value is no dict, or has keys that are neither short texts nor integers.
  func dictItems(_ value: PickleValue) -> [(key: String, value: PickleValue)]? {
    guard let items = rawDictItems(value) else { return nil }
    var result: [(key: String, value: PickleValue)] = []
    var indices: [String: Int] = [:]
    for item in items {
      let key: String
      switch item.key {
      case .string(let text) where text.utf8.count <= Self.keyLimit: key = text
      case .integer(let number): key = String(number)
      default: return nil
      }
      if let index = indices[key] {
        result[index].value = item.value
      } else {
        indices[key] = result.count
        result.append((key, item.value))
      }
    }
    return result
  }

  /// How many values `dictItems`, `attributes` and `elements` of a value have to look at.
  func length(_ value: PickleValue) -> Int {
    func plain(_ value: PickleValue) -> Int {
      switch object(value) {
      case .tuple(let elements)?, .list(let elements)?, .set(let elements)?: elements.count
      case .dict(let items)?: items.count
      case .call, .persistent, nil: 1
      }
    }
    guard let call = call(value) else { return plain(value) }
    var length = call.items.count + call.elements.count
    if let last = elements(call.arguments)?.last { length += plain(last) }
    if let state = call.state {
      length += plain(state)
      if case .tuple(let parts)? = object(state), let first = parts.first { length += plain(first) }
    }
    return length
  }

  /// The attributes of an object, or nil if it has none by name.
  func attributes(_ call: PickleCall) -> [String: PickleValue]? {
    guard let items = attributeItems(call) else { return nil }
    return Dictionary(items.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
  }

  /// The attributes of an object in the order of the file, or nil if it has none by name.
  func attributeItems(_ call: PickleCall) -> [(key: String, value: PickleValue)]? {
    attributeDict(call).flatMap { dictItems($0) }
  }

  /// Whether an object has all these attributes.
  func hasAttributes(_ names: [String], _ call: PickleCall) -> Bool {
    guard let items = attributeDict(call).flatMap({ rawDictItems($0) }) else { return false }
    return names.allSatisfy { name in items.contains { $0.key == .string(name) } }
  }

  /// An object with slots has (attributes, slots).
  private func attributeDict(_ call: PickleCall) -> PickleValue? {
    guard let state = call.state else { return nil }
    if case .tuple(let parts)? = object(state), parts.count == 2 { return parts[0] }
    return state
  }

  private func rawDictItems(_ value: PickleValue) -> [PickleItem]? {
    switch object(value) {
    case .dict(let items)?: return items
    case .call(let call)?:
      if !call.items.isEmpty { return call.items }
      guard let global = global(call.callable) else { return nil }
      guard ["OrderedDict", "defaultdict", "dict"].contains(global.name),
        ["collections", "builtins", "__builtin__"].contains(global.module)
      else { return nil }
      // Python 2 writes OrderedDict([[key, value], …]).
      guard let last = elements(call.arguments)?.last else { return [] }
      if case .dict(let items)? = object(last) { return items }
      return (elements(last) ?? []).compactMap { pair in
        guard let pair = elements(pair), pair.count == 2 else { return nil }
        return PickleItem(key: pair[0], value: pair[1])
      }
    default: return nil
    }
  }
}
