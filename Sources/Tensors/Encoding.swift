/// How the numbers of a tensor are stored.
public enum Encoding: Hashable, Sendable {
  /// One number after another, in C order, little-endian.
  case plain(ElementType)
  /// Integers with a scale and an offset a channel.
  case affine(AffineEncoding)
  /// Places in tables of a few numbers.
  case palette(PaletteEncoding)
}

/// Linear quantization: `weight = Float(q) * scale + offset`, the product and the sum each rounded to float.
///
/// The integers are packed `bits` wide into bytes, least significant bit first, without gaps between them; the
/// last byte is filled with zeros. They are in C order.
public struct AffineEncoding: Hashable, Sendable {
  /// The widths that an integer can have.
  public static let widths = 2...16

  /// The width of an integer, 2 to 16.
  public var bits: Int
  /// Whether the integers are two's complement (−2^(bits−1) …) or unsigned (0 … 2^bits − 1).
  public var isSigned: Bool
  /// The axis that scales and offsets run along, or nil for one scale for the whole tensor.
  public var axis: Int?
  /// The scales: as many as the extent of `axis`, or one.
  public var scales: [Float]
  /// The offsets, as many as the scales; none means that all are zero.
  public var offsets: [Float]

  /// Creates an encoding.
  public init(bits: Int, isSigned: Bool, axis: Int?, scales: [Float], offsets: [Float] = []) {
    self.bits = bits
    self.isSigned = isSigned
    self.axis = axis
    self.scales = scales
    self.offsets = offsets
  }
}

/// Weights as places in tables: `weight = table[place]`.
///
/// The places are packed as the integers of `AffineEncoding` are.
public struct PaletteEncoding: Hashable, Sendable {
  /// The widths that a place can have.
  public static let widths = 1...8

  /// The width of a place, 1 to 8.
  public var bits: Int
  /// The axis whose indices are shared out among the tables, in runs of equal length, or nil for one table for the whole
  /// tensor.
  public var axis: Int?
  /// The tables, `2^bits` numbers each.
  public var tables: [[Float]]

  /// Creates an encoding.
  public init(bits: Int, axis: Int? = nil, tables: [[Float]]) {
    self.bits = bits
    self.axis = axis
    self.tables = tables
  }
}

extension Encoding: CustomStringConvertible {
  /// For people: `float16`, `int8 per channel (axis 0)`, `uint4 affine per tensor`, `palette4 per tensor`, `palette4 of 8
  /// tables (axis 0)`.
  public var description: String {
    switch self {
    case .plain(let type): return type.rawValue
    case .affine(let affine):
      let type = (affine.isSigned ? "int" : "uint") + String(affine.bits)
      let spread = affine.axis.map { "per channel (axis \($0))" } ?? "per tensor"
      return type + (affine.offsets.isEmpty ? " " : " affine ") + spread
    case .palette(let palette):
      let spread = palette.axis.map { "of \(palette.tables.count) tables (axis \($0))" } ?? "per tensor"
      return "palette\(palette.bits) " + spread
    }
  }
}
