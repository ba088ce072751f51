import Archives
import Diagnostics
import Tensors

extension HDF5File {
  /// Reads what the reader executable wrote; `Sources/HDF5Reader/stream.h` specifies it.
  ///
  /// The executable has read a hostile file, so nothing it says is taken on trust.
  /// - Throws: `.badInput` with the reason that the stream gives; `.internalFault` where it is none.
  init(stream bytes: [UInt8]) throws(StyleModelError) {
    var reader = ReaderStream(cursor: ByteCursor(bytes[...]))
    try self.init(reader.objects())
  }
}

private struct ReaderStream {
  var cursor: ByteCursor

  mutating func objects() throws(StyleModelError) -> [HDF5File.Object] {
    guard try taken(cursor.take(4)).elementsEqual("SMH5".utf8), try integer(UInt32.self) == 1 else {
      throw foreign
    }
    var objects: [HDF5File.Object] = []
    while true {
      switch try integer(UInt8.self) {
      case UInt8(ascii: "G"): objects.append(.init(path: try text(), content: .group))
      case UInt8(ascii: "D"): objects.append(.init(path: try text(), content: .dataset(try tensor())))
      case UInt8(ascii: "S"): objects.append(.init(path: try text(), content: .passedOver(try text())))
      case UInt8(ascii: "A"):
        guard !objects.isEmpty else { throw foreign }
        objects[objects.count - 1].attributes.append((try text(), try attribute()))
      case UInt8(ascii: "Z"):
        guard cursor.remaining == 0 else { throw foreign }
        return objects
      case UInt8(ascii: "E"):
        throw StyleModelError(
          .badInput, place: "HDF5", try text(),
          remedy: "the file is damaged or cut short; download or save it again")
      case UInt8(ascii: "R"):
        throw StyleModelError(
          .badInput, place: "HDF5", try text(), remedy: "write the weights to a file of their own with h5py")
      default: throw foreign
      }
    }
  }

  private static let types: [ElementType] = [
    .float16, .float32, .float64, .int8, .int16, .int32, .int64, .uint8, .bool,
  ]

  private mutating func tensor() throws(StyleModelError) -> StoredTensor {
    let type = Int(try integer(UInt8.self)) - 1
    let rank = Int(try integer(UInt8.self))
    guard Self.types.indices.contains(type), rank <= 32 else { throw foreign }
    var extents: [Int] = []
    for _ in 0..<rank { extents.append(try count()) }
    let bytes = try taken(cursor.take(try count()))
    guard let shape = Shape(checking: extents) else { throw foreign }
    return try StoredTensor(shape: shape, encoding: .plain(Self.types[type]), bytes: Array(bytes))
  }

  private mutating func attribute() throws(StyleModelError) -> HDF5File.Attribute {
    let tag = try integer(UInt8.self)
    if tag == UInt8(ascii: "?") { return .unknown(try text()) }
    let count = try count()
    // Each element takes four bytes at least.
    guard count <= cursor.remaining / 4 else { throw foreign }
    switch tag {
    case UInt8(ascii: "s"):
      var strings: [String] = []
      for _ in 0..<count { strings.append(try text()) }
      return .strings(strings)
    case UInt8(ascii: "i"):
      var values: [Int] = []
      for _ in 0..<count { values.append(Int(try integer(Int64.self))) }
      return .integers(values)
    case UInt8(ascii: "f"):
      var values: [Double] = []
      for _ in 0..<count { values.append(Double(bitPattern: try integer(UInt64.self))) }
      return .numbers(values)
    default: throw foreign
    }
  }

  private mutating func text() throws(StyleModelError) -> String {
    String(decoding: try taken(cursor.take(Int(try integer(UInt32.self)))), as: UTF8.self)
  }

  private mutating func count() throws(StyleModelError) -> Int {
    guard let value = Int(exactly: try integer(UInt64.self)) else { throw foreign }
    return value
  }

  private mutating func integer<T: FixedWidthInteger>(_ type: T.Type) throws(StyleModelError) -> T {
    try taken(cursor.integer(type))
  }

  private func taken<T>(_ value: T?) throws(StyleModelError) -> T {
    guard let value else {
      throw StyleModelError(
        .internalFault, "the HDF5 reader ended before its output was whole",
        remedy: HDF5Reader.remedyForForeignReaders)
    }
    return value
  }

  private var foreign: StyleModelError {
    StyleModelError(
      .internalFault, "the HDF5 reader wrote something that is not its output",
      remedy: HDF5Reader.remedyForForeignReaders)
  }
}
