/// Dicts as pickles hold them: plain ones, and objects of classes that are dicts.
extension PickleDocument {
  /// The items of a dict with their keys as text, each key once, in the order of first appearance; nil if the
  /// value is no dict, or has keys that are neither text nor integers.
  func dictItems(_ value: PickleValue) -> [(key: String, value: PickleValue)]? {
    guard let items = rawDictItems(value) else { return nil }
    var result: [(key: String, value: PickleValue)] = []
    var indices: [String: Int] = [:]
    for item in items {
      let key: String
      switch item.key {
      case .string(let text): key = text
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

  /// The attributes of an object, or nil if it has none by name.
  func attributes(_ call: PickleCall) -> [String: PickleValue]? {
    guard var state = call.state else { return nil }
    // An object with slots has (attributes, slots).
    if case .tuple(let parts)? = object(state), parts.count == 2 { state = parts[0] }
    guard let items = dictItems(state) else { return nil }
    return Dictionary(items.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
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
