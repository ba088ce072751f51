extension StateDict {
  /// The first component of every name with its dot, `model.`, where all names share it; nil otherwise, and nil
  /// where a name would be left empty.
  public var sharedPrefix: String? {
    guard let first = entries.first?.name, let dot = first.firstIndex(of: ".") else { return nil }
    let prefix = String(first[...dot])
    let isShared = entries.allSatisfy { $0.name.hasPrefix(prefix) && $0.name.utf8.count > prefix.utf8.count }
    return isShared ? prefix : nil
  }

  /// The same tensors and layers without a prefix that every name starts with, and a note about it; nil when some
  /// name does not start with it.
  ///
  /// Whether a shared prefix is a wrapper or belongs to the names is for a recipe to say: `model.` is part of
  /// every name of some families, so try the names as they are first.
  public func strippingSharedPrefix(_ prefix: String) -> StateDict? {
    guard !entries.isEmpty,
      entries.allSatisfy({ $0.name.hasPrefix(prefix) && $0.name.utf8.count > prefix.utf8.count })
    else { return nil }
    var copy = self
    copy.entries = entries.map {
      Entry(name: String($0.name.dropFirst(prefix.count)), tensor: $0.tensor)
    }
    copy.layers = [:]
    for (path, settings) in layers where path.hasPrefix(prefix) && path.count > prefix.count {
      copy.layers[String(path.dropFirst(prefix.count))] = settings
    }
    copy.notes.append("the prefix \"\(prefix)\" of all names was stripped")
    return copy
  }
}
