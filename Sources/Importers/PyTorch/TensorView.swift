import Diagnostics
import Tensors

/// A part of the data of a checkpoint that tensors look at, as the pickle's persistent id names it.
struct StorageReference: Hashable {
  /// The name of the storage: a member below `data/` in a zip, an entry of the key list in a legacy stream.
  var key: String
  /// The type of its numbers; nil for an untyped storage, which counts bytes.
  var elementType: ElementType?
  /// The number of its elements, or of its bytes where it is untyped.
  var count: Int
  /// The part of it that is meant, in elements: all of it but for the storage views of old legacy streams.
  var window: Range<Int>

  /// What `count` and `window` count, in bytes.
  var unit: Int { elementType?.byteCount ?? 1 }

  /// The size of the whole storage in bytes, or nil if it does not fit an `Int`.
  var byteCount: Int? {
    let (bytes, overflow) = count.multipliedReportingOverflow(by: unit)
    return overflow ? nil : bytes
  }

  /// Reads a persistent id: `('storage', class, key, location, count[, view])`. The location, `cuda:0` or
  /// another, says nothing about the bytes.
  init?(persistentID: PickleValue, in document: PickleDocument) {
    guard case .tuple(let parts)? = document.object(persistentID), parts.count >= 5,
      parts[0] == .string("storage"), let storageClass = document.global(parts[1]),
      case .integer(let count) = parts[4], count >= 0
    else { return nil }
    switch parts[2] {
    case .string(let key) where key.utf8.count <= 256: self.key = key
    case .integer(let key): self.key = String(key)
    default: return nil
    }
    self.count = count
    self.window = 0..<count
    if let type = ElementType(storageClass: storageClass) {
      elementType = type
    } else {
      guard storageClass.name == "UntypedStorage" || storageClass.name == "_UntypedStorage" else {
        return nil
      }
    }
    if parts.count >= 6, case .tuple(let view)? = document.object(parts[5]) {
      guard view.count == 3, case .integer(let start) = view[1], case .integer(let length) = view[2],
        start >= 0, length >= 0, start <= count, length <= count - start
      else { return nil }
      window = start..<(start + length)
    }
  }
}

/// A tensor as a checkpoint says it: a storage, and which of its elements are whose, in C order.
struct TensorView: Hashable {
  var storage: StorageReference
  var elementType: ElementType
  /// The extents.
  var shape: Shape
  /// The distance between neighbours along each extent, in elements; not negative.
  var strides: [Int]
  /// The first element, counted from the start of the storage.
  var offset: Int

  /// The size of the tensor once gathered, in bytes, or nil if it does not fit an `Int`.
  var byteCount: Int? {
    let (bytes, overflow) = shape.count.multipliedReportingOverflow(by: elementType.byteCount)
    return overflow ? nil : bytes
  }

  /// Whether its elements lie one after another.
  var isContiguous: Bool {
    var expected = 1
    for (extent, stride) in zip(shape.dimensions, strides).reversed() where extent != 1 {
      if stride != expected { return false }
      expected *= extent
    }
    return true
  }

  /// Reads the arguments of `_rebuild_tensor` and its successors:
  /// `(storage, offset, sizes, strides[, requires_grad, hooks[, dtype]])`.
  /// - Throws: `.badInput` without a place.
  init(rebuildArguments arguments: [PickleValue], in document: PickleDocument) throws(StyleModelError) {
    guard arguments.count >= 4, case .persistent(let id)? = document.object(arguments[0]) else {
      throw Self.damaged("has no storage")
    }
    guard let storage = StorageReference(persistentID: id, in: document) else {
      var name = "unknown form"
      if case .tuple(let parts)? = document.object(id), parts.count > 1,
        let global = document.global(parts[1])
      {
        name = "class " + printable(global.description, limit: 80)
      }
      throw StyleModelError(
        .badInput, "has a storage of \(name), which is not read",
        remedy: "save the weights as float32, float16 or bfloat16")
    }
    guard case .integer(let offset) = arguments[1], offset >= 0, let sizes = document.integers(arguments[2]),
      let strides = document.integers(arguments[3]), sizes.count == strides.count,
      strides.allSatisfy({ $0 >= 0 }), let shape = Shape(checking: sizes)
    else { throw Self.damaged("has a shape, strides or an offset that make no tensor") }
    var type = storage.elementType
    if arguments.count >= 7, let dtype = document.global(arguments[6]) {
      guard let known = ElementType(dtype: dtype) else {
        throw StyleModelError(
          .badInput, "holds \(dtype) numbers, which are not read",
          remedy: "save the weights as float32, float16 or bfloat16")
      }
      type = known
    }
    guard let type else { throw Self.damaged("has an untyped storage and does not say what is in it") }
    self.storage = storage
    self.elementType = type
    self.shape = shape
    self.strides = strides
    self.offset = offset
    try checkBounds()
  }

  private func checkBounds() throws(StyleModelError) {
    guard shape.count > 0 else { return }
    guard storage.byteCount != nil else { throw Self.damaged("has a storage beyond all bounds") }
    let available = storage.window.count * storage.unit / elementType.byteCount
    var last = offset
    for (extent, stride) in zip(shape.dimensions, strides) {
      let (span, overflow) = (extent - 1).multipliedReportingOverflow(by: stride)
      let (sum, sumOverflow) = last.addingReportingOverflow(span)
      guard !overflow, !sumOverflow else { throw Self.damaged("has strides beyond all bounds") }
      last = sum
    }
    guard last < available else {
      throw Self.damaged(
        "reaches element \(grouped(last)) of a storage that has \(grouped(available))")
    }
  }

  private static func damaged(_ problem: String) -> StyleModelError {
    StyleModelError(.badInput, problem, remedy: "the file is damaged; download or save it again")
  }
}
