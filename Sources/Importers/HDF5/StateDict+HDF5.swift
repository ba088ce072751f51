import Diagnostics
import Recipes
import Tensors

extension StateDict {
  /// The datasets of a file that Keras did not write, as PyTorch names them: groups become components with dots.
  /// - Throws: `.badInput` when two names agree then, or nothing is there.
  init(plain file: HDF5File, stateKey: String?) throws(StyleModelError) {
    var names: Set<String> = []
    var entries: [Entry] = []
    let group = stateKey.map { "/" + $0.split(separator: ".").joined(separator: "/") + "/" } ?? "/"
    for (path, tensor) in file.datasets where path.hasPrefix(group) {
      let name = path.dropFirst(group.count).split(separator: "/").joined(separator: ".")
      guard names.insert(name).inserted else {
        throw StyleModelError(.badInput, place: path, "is the second tensor that comes to the name '\(name)'")
      }
      entries.append(Entry(name: name, tensor: tensor))
    }
    guard !entries.isEmpty else {
      guard let stateKey else {
        throw StyleModelError(
          .badInput, "holds no numbers that can be weights", remedy: "pass the file that holds the weights")
      }
      throw StyleModelError(
        .badInput, "has no tensors under the state key \(stateKey)", remedy: "leave --state-key away")
    }
    self.init(entries: entries, notes: file.notes, container: "HDF5 file")
    storageByteCount = entries.reduce(0) { $0 + $1.tensor.bytes.count }
  }
}
