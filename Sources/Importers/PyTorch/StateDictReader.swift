import Diagnostics
import Recipes
import Tensors

/// Reads a dict of tensors or a whole module, once it is known which of a checkpoint's values that is.
struct StateDictReader {
  let document: PickleDocument
  let source: any StorageSource
  let fileSize: Int

  /// More tensors than any network has.
  private static let tensorLimit = 1 << 16

  /// The named tensors of `value`, with notes on what was left out or needs the user's attention.
  func stateDict(_ value: PickleValue, container: String) throws(StyleModelError) -> StateDict {
    var effort = Effort()
    var gatherer = TensorGatherer(source: source, fileSize: fileSize)
    var dict = StateDict(entries: [], container: container)
    var leftOut: [String] = []
    var isModule = true
    let items: [(name: String, value: PickleValue)]
    if PickledModule.isModule(value, in: document) {
      let module = try PickledModule(value, in: document, effort: &effort)
      items = module.tensors
      dict.layers = module.layers
    } else if TorchScriptModule.isModule(value, in: document) {
      items = try TorchScriptModule(value, in: document, effort: &effort).tensors
    } else {
      isModule = false
      items = (document.dictItems(value) ?? []).map { ($0.key, $0.value) }
    }
    var names: Set<String> = []
    for (name, value) in items {
      let kind = TensorKind(value, in: document)
      if case .none = kind, !hides(value, &effort) {
        leftOut.append(name)
        continue
      }
      guard dict.entries.count < Self.tensorLimit,
        names.insert(name).inserted
      else {
        throw StyleModelError(
          .badInput, place: printable(name, limit: 60),
          "is one of too many tensors, or occurs twice",
          remedy: "the file is damaged or forged")
      }
      do throws(StyleModelError) {
        dict.entries.append(StateDict.Entry(name: name, tensor: try tensor(kind, value, &gatherer)))
      } catch {
        throw error.at(name)
      }
    }
    dict.storageByteCount = gatherer.storageByteCount
    dict.notes = notes(dict.entries, leftOut: isModule ? [] : leftOut, hasSwapped: gatherer.hasSwapped)
    return dict
  }

  /// Whether a value that is no tensor holds one where only a call would bring it out.
  private func hides(_ value: PickleValue, _ effort: inout Effort) -> Bool {
    guard let call = document.call(value) else { return false }
    return call.items.isEmpty && document.containsTensor(call.arguments, effort: &effort)
  }

  private func tensor(
    _ kind: TensorKind, _ value: PickleValue, _ gatherer: inout TensorGatherer
  ) throws(StyleModelError) -> StoredTensor {
    switch kind {
    case .tensor(let arguments):
      return try gatherer.tensor(try TensorView(rebuildArguments: arguments, in: document))
    case .unreadable(let global):
      throw StyleModelError(
        .badInput, "is made by \(printable(global.description, limit: 120)), which is not read",
        remedy: "save plain dense tensors: {k: v.dequantize() or v.to_dense() or v.cpu() …}")
    case .none:
      let name = document.call(value).map(document.className) ?? "something unknown"
      throw StyleModelError(
        .badInput, "is inside a call of \(printable(name, limit: 120)), which is not run",
        remedy: "load it where it was written and save net.state_dict()")
    }
  }

  private func notes(_ entries: [StateDict.Entry], leftOut: [String], hasSwapped: Bool) -> [String] {
    var notes: [String] = []
    let doubles = entries.count { $0.tensor.encoding == .plain(.float64) }
    if doubles > 0 { notes.append("\(counted(doubles, "tensor")) of doubles will be rounded to floats") }
    if hasSwapped { notes.append("its numbers were stored most significant byte first and were swapped") }
    if !leftOut.isEmpty {
      let names = leftOut.prefix(4).map { printable($0, limit: 40) }.joined(separator: ", ")
      notes.append(
        "\(counted(leftOut.count, "value")) beside the tensors left out: \(names)\(leftOut.count > 4 ? ", …" : "")"
      )
    }
    return notes
  }
}

extension StyleModelError {
  /// The same error at a tensor, before whatever place it names already.
  fileprivate func at(_ name: String) -> StyleModelError {
    var copy = self
    copy.place = printable(name, limit: 120) + (place.map { ": " + $0 } ?? "")
    return copy
  }
}
