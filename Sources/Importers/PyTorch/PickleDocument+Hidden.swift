import Diagnostics

/// Tensors that only running the file would bring out.
extension PickleDocument {
  /// Why no weights were found below a value: there are none, or they are inside a call.
  func noWeights(below root: PickleValue, stateKey: String?) -> StyleModelError {
    if case .tensor = TensorKind(root, in: self) {
      return StyleModelError(
        .badInput, "holds a single tensor and no names",
        remedy: "save a state dict: torch.save(net.state_dict(), …)")
    }
    if let global = hidingCall() {
      return StyleModelError(
        .badInput,
        "keeps its tensors inside a call of \(printable(global.description, limit: 120)), which is not run",
        remedy: "load it where it was written and save net.state_dict()")
    }
    let place = stateKey.map { " under the state key \(printable($0, limit: 80))" } ?? ""
    return StyleModelError(
      .badInput, "holds no weights\(place): no named tensor of floats",
      remedy: "name the network's checkpoint")
  }

  /// Whether a value, or what it holds a few levels down, is a tensor. Looks at a few hundred values at most.
  func containsTensor(_ value: PickleValue, effort: inout Effort) -> Bool {
    var queue = [value]
    var next = 0
    while next < queue.count, queue.count < 256 {
      let value = queue[next]
      next += 1
      if case .none = TensorKind(value, in: self) {} else { return true }
      guard effort.spend(length(value)) else { return false }
      if let items = dictItems(value) {
        queue += items.prefix(32).map(\.value)
      } else {
        queue += elements(value)?.prefix(32) ?? []
      }
    }
    return false
  }

  /// The first call, other than the makers of tensors and dicts, that is handed a tensor.
  private func hidingCall() -> PickleGlobal? {
    var effort = Effort()
    for index in objects.indices {
      guard case .call(let call) = objects[index], let global = global(call.callable),
        case .none = TensorKind(.object(index), in: self), global.name != "OrderedDict"
      else { continue }
      if containsTensor(call.arguments, effort: &effort) { return global }
    }
    return nil
  }
}
