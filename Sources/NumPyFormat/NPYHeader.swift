public import Diagnostics

/// What stands in the dictionary at the head of a `.npy` file.
public struct NPYHeader: Hashable, Sendable {
  /// The first six bytes of every `.npy` file.
  public static let magic: [UInt8] = [0x93] + Array("NUMPY".utf8)

  /// NumPy's name of the element type with its byte order: `<f4`.
  public var descr: String
  /// Whether the first index runs fastest.
  public var isFortranOrder: Bool
  /// The sizes of the axes, outermost first.
  public var shape: [Int]

  /// Creates a header.
  public init(descr: String, isFortranOrder: Bool, shape: [Int]) {
    self.descr = descr
    self.isFortranOrder = isFortranOrder
    self.shape = shape
  }
}

/// NumPy's own writer needs about a hundred bytes; structured types, which are refused anyway, need more.
private let mostHeaderBytes = 10_000

/// Reads the head of a `.npy` file of version 1, 2 or 3, whose first six bytes are known to be right.
/// - Returns: the header and the index in `bytes` of the first byte of data.
/// - Throws: `.badInput` when it is cut off, of another version, or not the dictionary that NumPy writes.
public func npyHeader(_ bytes: ArraySlice<UInt8>) throws(StyleModelError) -> (NPYHeader, dataStart: Int) {
  guard bytes.count >= 12 else { throw headerIsCutOff }
  let first = bytes.startIndex
  let version = bytes[first + 6]
  guard (1...3).contains(version) else {
    throw StyleModelError(
      .badInput, "is a .npy file of version \(version), which is not known", remedy: "save it as version 1.0")
  }
  let start = first + (version == 1 ? 10 : 12)
  let length = bytes[(first + 8)..<start].reversed().reduce(0) { $0 << 8 | Int($1) }
  guard length <= mostHeaderBytes else {
    throw StyleModelError(
      .badInput, "is a .npy file with a header of \(grouped(length)) bytes", remedy: "save a plain array")
  }
  guard length <= bytes.endIndex - start else { throw headerIsCutOff }
  var reader = DictionaryReader(text: Array(bytes[start..<start + length]))
  return (try reader.header(), start + length)
}

private let headerIsCutOff = StyleModelError(
  .badInput, "is cut off: a .npy file that ends within its header", remedy: "save or copy it again")

/// Reads the one Python dictionary that NumPy writes: three keys in any order, nothing nested but the shape.
private struct DictionaryReader {
  let text: [UInt8]
  var position = 0

  init(text: [UInt8]) { self.text = text }

  mutating func header() throws(StyleModelError) -> NPYHeader {
    var descr: String?
    var isFortranOrder: Bool?
    var shape: [Int]?
    try expect("{")
    while !accept("}") {
      let key = try string()
      try expect(":")
      switch key {
      case "descr" where descr == nil: descr = try string()
      case "fortran_order" where isFortranOrder == nil: isFortranOrder = try truth()
      case "shape" where shape == nil: shape = try tuple()
      default: throw malformed("has the key '\(key)', unknown or said twice")
      }
      if !accept(",") {
        try expect("}")
        break
      }
    }
    skipSpace()
    guard position == text.count else { throw malformed("goes on after its dictionary") }
    guard let descr, let isFortranOrder, let shape else {
      throw malformed("lacks one of 'descr', 'fortran_order' and 'shape'")
    }
    return NPYHeader(descr: descr, isFortranOrder: isFortranOrder, shape: shape)
  }

  private mutating func string() throws(StyleModelError) -> String {
    skipSpace()
    guard position < text.count, text[position] == 0x27 || text[position] == 0x22 else {
      throw malformed("has something other than text where text belongs (byte \(position) of the dictionary)")
    }
    let quote = text[position]
    guard let end = text[(position + 1)...].firstIndex(of: quote) else {
      throw malformed("has a text without an end")
    }
    defer { position = end + 1 }
    return String(decoding: text[position + 1..<end], as: UTF8.self)
  }

  private mutating func truth() throws(StyleModelError) -> Bool {
    if accept("True") { return true }
    if accept("False") { return false }
    throw malformed("says neither True nor False for 'fortran_order'")
  }

  private mutating func tuple() throws(StyleModelError) -> [Int] {
    var sizes: [Int] = []
    try expect("(")
    while !accept(")") {
      sizes.append(try size())
      if !accept(",") {
        try expect(")")
        break
      }
    }
    return sizes
  }

  private mutating func size() throws(StyleModelError) -> Int {
    skipSpace()
    let digits = text[position...].prefix { (0x30...0x39).contains($0) }
    guard let value = Int(String(decoding: digits, as: UTF8.self)) else {
      throw malformed("has a shape that is not made of whole numbers")
    }
    position += digits.count
    _ = accept("L")  // as Python 2 wrote it
    return value
  }

  private mutating func accept(_ token: String) -> Bool {
    skipSpace()
    guard text[position...].starts(with: token.utf8) else { return false }
    position += token.utf8.count
    return true
  }

  private mutating func expect(_ token: String) throws(StyleModelError) {
    guard accept(token) else { throw malformed("lacks '\(token)' at byte \(position) of the dictionary") }
  }

  private mutating func skipSpace() {
    while position < text.count, text[position] == 0x20 || text[position] == 0x0A { position += 1 }
  }

  private func malformed(_ problem: String) -> StyleModelError {
    StyleModelError(
      .badInput, place: "header", "\(problem)", remedy: "it is damaged, or no plain array; save it again")
  }
}
