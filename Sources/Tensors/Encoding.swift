/// How the numbers of a tensor are stored.
public enum Encoding: Hashable, Sendable {
  /// One number after another, in C order, little-endian.
  case plain(ElementType)
  /// Integers with a scale and an offset a channel.
  case affine(AffineEncoding)
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

extension Encoding: CustomStringConvertible {
  /// For people: `float16`, `int8 per channel (axis 0)`, `uint4 affine per tensor`.
  public var description: String {
    switch self {
    case .plain(let type): return type.rawValue
    case .affine(let affine):
      let type = (affine.isSigned ? "int" : "uint") + String(affine.bits)
      let spread = affine.axis.map { "per channel (axis \($0))" } ?? "per tensor"
      return type + (affine.offsets.isEmpty ? " " : " affine ") + spread
    }
  }
}
