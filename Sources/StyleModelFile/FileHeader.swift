import Diagnostics
import ModelGraph
import Tensors

/// The header of a file: what the protobuf message says, checked as far as it can be without the payloads.
struct FileHeader: Hashable {
  var inputName: String
  var contract: PixelContract
  /// The operations; their operands are numbered as the file numbers values.
  var nodes: [OperationCall]
  var output: Int
  var tensors: [TensorEntry]
  var provenance: Provenance
  var styles: StyleSet?

  /// What a reader must know to understand the file.
  var requiredFeatures: RequiredFeatures {
    var features: RequiredFeatures = styles == nil ? [] : .styles
    for tensor in tensors {
      if tensor.compression == .coded { features.insert(.codedPayloads) }
      if case .affine(let bits, _, _, _) = tensor.form, bits > 8 { features.insert(.wideIntegers) }
      if case .palette = tensor.form { features.insert(.palettes) }
    }
    return features
  }

  /// Real networks have some hundred of each.
  static let greatestCount = 4096
  /// A gigabyte, once they are floats.
  static let greatestElementCount = 1 << 28
}

/// A line of the tensor table.
struct TensorEntry: Hashable {
  enum Compression: Hashable { case raw, zlib, coded }

  /// The encoding, but for the scales, offsets and tables, which are in the payload.
  enum Form: Hashable {
    case plain(ElementType)
    case affine(bits: Int, isSigned: Bool, axis: Int?, hasOffsets: Bool)
    case palette(bits: Int, axis: Int?, tables: Int)
  }

  var name: String
  var shape: Shape
  var form: Form
  var compression: Compression
  var storedLength: Int
  var rawLength: Int
  var checksum: UInt32

  /// How many scales there are, and as many offsets if there are any.
  /// - Precondition: the axis is one of the shape's.
  var scaleCount: Int {
    switch form {
    case .plain, .palette: 0
    case .affine(_, _, let axis, _): axis.map { shape[$0] } ?? 1
    }
  }

  /// The length of the payload before compression as shape and form have it, or nil if that does not fit an `Int`.
  /// - Precondition: the axis is one of the shape's.
  var expectedRawLength: Int? {
    switch form {
    case .plain(let type):
      let (length, overflow) = shape.count.multipliedReportingOverflow(by: type.byteCount)
      return overflow ? nil : length
    case .affine(let bits, _, _, let hasOffsets):
      return Self.length(of: scaleCount, bytesEach: hasOffsets ? 8 : 4, before: shape.count, bits: bits)
    case .palette(let bits, _, let tables):
      return Self.length(of: tables, bytesEach: 4 << bits, before: shape.count, bits: bits)
    }
  }

  /// The length of some parts of so many bytes each and the packed numbers behind them; nil if it does not fit an `Int`.
  private static func length(of parts: Int, bytesEach: Int, before count: Int, bits: Int) -> Int? {
    let (bitCount, overflow) = count.multipliedReportingOverflow(by: bits)
    let (bytes, overflows) = parts.multipliedReportingOverflow(by: bytesEach)
    guard !overflow, !overflows else { return nil }
    let (length, isTooLong) = bytes.addingReportingOverflow(bitCount / 8 + (bitCount % 8 == 0 ? 0 : 1))
    return isTooLong ? nil : length
  }

  /// The greatest raw length that a payload of this stored length may unfold to: enough for real weights many times
  /// over, and little enough that no small file asks for a large memory.
  static func greatestRawLength(storedLength: Int) -> Int { 128 * storedLength + 4096 }
}
