import Tensors

/// What a value of a pickle is to a reader of weights.
enum TensorKind {
  /// A tensor, with the arguments that would rebuild it.
  case tensor(arguments: [PickleValue])
  /// A tensor of a kind that is not read (quantized, sparse, from another device), by what would rebuild it.
  case unreadable(PickleGlobal)
  /// Anything else.
  case none

  /// Whether it is a tensor as weights are: of floats, and with extents. Counters have none, and the states of
  /// random generators are bytes. One that is damaged may be one.
  func isWeight(in document: PickleDocument) -> Bool {
    switch self {
    case .tensor(let arguments):
      guard let view = try? TensorView(rebuildArguments: arguments, in: document) else { return true }
      return view.shape.rank > 0 && view.elementType.isFloatingPoint
    case .unreadable: return true
    case .none: return false
    }
  }

  /// Classifies a value, looking through the wrappers of parameters.
  init(_ value: PickleValue, in document: PickleDocument) {
    self = .none
    guard let call = document.call(value) else { return }
    var callable = call.callable
    var arguments = document.elements(call.arguments) ?? []
    // Wrappers nest two deep in real files.
    for _ in 0..<8 {
      guard let global = document.global(callable) else { return }
      switch (global.module, global.name) {
      case ("torch._utils", "_rebuild_tensor"), ("torch._utils", "_rebuild_tensor_v2"),
        ("torch._utils", "_rebuild_tensor_v3"):
        self = .tensor(arguments: arguments)
        return
      case ("torch._utils", "_rebuild_parameter"), ("torch._utils", "_rebuild_parameter_with_state"),
        ("torch.nn.parameter", "Parameter"), ("torch.nn.parameter", "Buffer"),
        ("torch.autograd.variable", "Variable"):
        guard let first = arguments.first, let inner = document.call(first) else { return }
        callable = inner.callable
        arguments = document.elements(inner.arguments) ?? []
      case ("torch._tensor", "_rebuild_from_type_v2"), ("torch._tensor", "_rebuild_from_type"):
        // (function, type, arguments, state)
        guard arguments.count >= 3 else { return }
        callable = arguments[0]
        arguments = document.elements(arguments[2]) ?? []
      case ("torch._utils", let name), ("torch._tensor", let name):
        if name.hasPrefix("_rebuild") { self = .unreadable(global) }
        return
      default: return
      }
    }
  }
}
