import Archives
import Diagnostics
import Recipes
import Tensors

/// Where the numbers of a checkpoint are.
protocol StorageSource {
  /// The bytes of a whole storage.
  /// - Throws: `.badInput` when it is missing or not of the size that the pickle states.
  func bytes(of storage: StorageReference) throws(StyleModelError) -> ArraySlice<UInt8>
  /// Whether the numbers of these bytes are stored most significant byte first.
  func isBigEndian(_ bytes: ArraySlice<UInt8>, of type: ElementType) -> Bool
}

/// Turns views of storages into tensors in C order, little-endian.
///
/// What they take together is bounded: an expanded view (stride 0) makes many elements of one.
struct TensorGatherer {
  private let source: any StorageSource
  private let limit: Int
  private var left: Int
  private var storages: [String: ArraySlice<UInt8>] = [:]
  private var gathered: [TensorView: StoredTensor] = [:]

  /// The bytes of the storages looked at so far, each counted once.
  private(set) var storageByteCount = 0
  /// Whether numbers of any tensor were stored most significant byte first, and swapped.
  private(set) var hasSwapped = false

  /// Creates a gatherer for a file of `fileSize` bytes.
  init(source: any StorageSource, fileSize: Int) {
    self.source = source
    self.limit = ZipArchive.expansionLimit(fileSize: fileSize)
    self.left = limit
  }

  /// The tensor that a view shows. Equal views share their bytes.
  /// - Throws: `.badInput` without a place.
  mutating func tensor(_ view: TensorView) throws(StyleModelError) -> StoredTensor {
    if let known = gathered[view] { return known }
    guard let byteCount = view.byteCount, byteCount <= left else {
      throw StyleModelError(
        .badInput,
        "has the shape \(view.shape), with which the tensors would take more than \(byteSize(limit))",
        remedy: "the file is too small for that; it is damaged or forged")
    }
    let bytes = byteCount == 0 ? [] : try gather(view, from: try storage(view.storage))
    left -= byteCount
    let tensor = try StoredTensor(shape: view.shape, encoding: .plain(view.elementType), bytes: bytes)
    gathered[view] = tensor
    return tensor
  }

  private mutating func storage(_ reference: StorageReference) throws(StyleModelError) -> ArraySlice<UInt8> {
    let bytes: ArraySlice<UInt8>
    if let known = storages[reference.key] {
      bytes = known
    } else {
      bytes = try source.bytes(of: reference)
      storages[reference.key] = bytes
      storageByteCount += bytes.count
    }
    // Two tensors may state different sizes for one storage.
    guard bytes.count == reference.byteCount else {
      throw StyleModelError(
        .badInput,
        "has a storage of \(grouped(reference.count)) elements where the file holds \(grouped(bytes.count)) bytes",
        remedy: "the file is damaged; download or save it again")
    }
    return bytes
  }

  private mutating func gather(
    _ view: TensorView, from storage: ArraySlice<UInt8>
  ) throws(StyleModelError) -> [UInt8] {
    let size = view.elementType.byteCount
    let start = storage.startIndex + view.storage.window.lowerBound * view.storage.unit + view.offset * size
    let swaps = size > 1 && source.isBigEndian(storage, of: view.elementType)
    var bytes =
      view.isContiguous
      ? Array(storage[start..<(start + view.shape.count * size)])
      : storage[start...].withUnsafeBytes { raw in
        switch size {
        case 1: gathered(view, from: raw, as: UInt8.self)
        case 2: gathered(view, from: raw, as: UInt16.self)
        case 4: gathered(view, from: raw, as: UInt32.self)
        default: gathered(view, from: raw, as: UInt64.self)
        }
      }
    if swaps {
      hasSwapped = true
      for element in stride(from: 0, to: bytes.count, by: size) {
        bytes[element..<(element + size)].reverse()
      }
    }
    return bytes
  }

  /// Walks the extents like an odometer. `TensorView` has checked that its last element is in the storage.
  private func gathered<Element: FixedWidthInteger>(
    _ view: TensorView, from raw: UnsafeRawBufferPointer, as _: Element.Type
  ) -> [UInt8] {
    let size = MemoryLayout<Element>.size
    let extents = view.shape.dimensions
    let inner = extents.last ?? 1
    let innerStride = (view.strides.last ?? 0) * size
    var index = [Int](repeating: 0, count: extents.count)
    var row = 0
    return [UInt8](unsafeUninitializedCapacity: view.shape.count * size) { out, count in
      let target = UnsafeMutableRawBufferPointer(out)
      while count < target.count {
        for position in 0..<inner {
          target.storeBytes(
            of: raw.loadUnaligned(fromByteOffset: row + position * innerStride, as: Element.self),
            toByteOffset: count, as: Element.self)
          count += size
        }
        var axis = extents.count - 2
        while axis >= 0 {
          index[axis] += 1
          row += view.strides[axis] * size
          if index[axis] < extents[axis] { break }
          row -= index[axis] * view.strides[axis] * size
          index[axis] = 0
          axis -= 1
        }
      }
    }
  }
}
