/// One Python value as a pickle describes it. Anything that has an identity in Python is an index into the
/// document's objects, so that shared and even cyclic structures take just the space they take in the file.
enum PickleValue: Hashable {
  case none
  case bool(Bool)
  case integer(Int)
  /// An integer that does not fit 64 bits; nothing here wants its value.
  case bigInteger
  case double(Double)
  case string(String)
  /// Where the bytes of a `bytes` object lie in the pickle.
  case bytes(Range<Int>)
  /// An index into `PickleDocument.globals`.
  case global(Int)
  /// An index into `PickleDocument.objects`.
  case object(Int)
}

/// The name of something that Python would import. It is only ever compared.
struct PickleGlobal: Hashable, CustomStringConvertible {
  var module: String
  var name: String

  /// The dotted name: `torch._utils._rebuild_tensor_v2`.
  var description: String { module + "." + name }
}

/// A Python object with parts.
enum PickleObject {
  case tuple([PickleValue])
  case list([PickleValue])
  case set([PickleValue])
  case dict([PickleItem])
  case call(PickleCall)
  /// What stands for an object outside the pickle: a storage, for PyTorch.
  case persistent(PickleValue)

  /// Appends to a list, a set or whatever a call made; false for anything else.
  mutating func add(_ values: [PickleValue]) -> Bool {
    // `self` lets go of its array while that grows, so that it is never copied.
    switch self {
    case .list(var elements):
      self = .tuple([])
      elements += values
      self = .list(elements)
    case .set(var elements):
      self = .tuple([])
      elements += values
      self = .set(elements)
    case .call(var call):
      self = .tuple([])
      call.elements += values
      self = .call(call)
    case .tuple, .dict, .persistent: return false
    }
    return true
  }

  /// Puts items into a dict or whatever a call made; false for anything else.
  mutating func set(_ items: [PickleItem]) -> Bool {
    switch self {
    case .dict(var existing):
      self = .tuple([])
      existing += items
      self = .dict(existing)
    case .call(var call):
      self = .tuple([])
      call.items += items
      self = .call(call)
    case .tuple, .list, .set, .persistent: return false
    }
    return true
  }
}

/// One key of a dict with its value, in the order of the file; later ones win.
struct PickleItem {
  var key: PickleValue
  var value: PickleValue
}

/// An object that Python would make by calling something: kept as what would be called, and with what.
struct PickleCall {
  /// What would be called: a global, as a rule.
  var callable: PickleValue
  /// The arguments, a tuple.
  var arguments: PickleValue
  /// What BUILD gave the object afterwards: its attributes, as a rule.
  var state: PickleValue?
  /// What SETITEM and SETITEMS put into it.
  var items: [PickleItem] = []
  /// What APPEND, APPENDS and ADDITEMS put into it.
  var elements: [PickleValue] = []
}

/// What a pickle describes: a graph of inert values.
struct PickleDocument {
  var globals: [PickleGlobal] = []
  var objects: [PickleObject] = []
  var root: PickleValue = .none
  /// The number of bytes up to and including STOP.
  var byteCount = 0

  /// The global that a value is, or nil.
  func global(_ value: PickleValue) -> PickleGlobal? {
    if case .global(let index) = value { globals[index] } else { nil }
  }

  /// The object that a value is, or nil.
  func object(_ value: PickleValue) -> PickleObject? {
    if case .object(let index) = value { objects[index] } else { nil }
  }

  /// The call that a value is, or nil.
  func call(_ value: PickleValue) -> PickleCall? {
    if case .call(let call)? = object(value) { call } else { nil }
  }

  /// The elements of a tuple or list, also of `torch.Size`, or nil.
  func elements(_ value: PickleValue) -> [PickleValue]? {
    switch object(value) {
    case .tuple(let elements)?, .list(let elements)?: return elements
    case .call(let call)? where global(call.callable) == PickleGlobal(module: "torch", name: "Size"):
      guard case .tuple(let arguments)? = object(call.arguments), arguments.count == 1,
        case .tuple(let elements)? = object(arguments[0])
      else { return nil }
      return elements
    default: return nil
    }
  }

  /// The elements of a tuple or list of no more than 64 integers, as many as a tensor may have extents, or nil.
  func integers(_ value: PickleValue) -> [Int]? {
    guard let elements = elements(value), elements.count <= 64 else { return nil }
    var integers: [Int] = []
    for element in elements {
      guard case .integer(let integer) = element else { return nil }
      integers.append(integer)
    }
    return integers
  }
}
