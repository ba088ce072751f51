import CSchemas
import Diagnostics
package import ModelGraph
import ProtobufSupport

/// Something that goes into a Core ML model or comes out of it.
package struct CoreMLFeature: Sendable {
  /// A picture.
  package struct Image: Sendable {
    /// The colours of a pixel, in the order of the channels.
    package enum ColorSpace: Int32, Sendable {
      case gray = 10
      case rgb = 20
      case bgr = 30
      case gray16 = 40
    }

    package let colorSpace: ColorSpace
    /// The size that is taken where nothing is said.
    package let size: PictureSize
    /// The sizes that are allowed.
    package let sizes: PixelContract.Sizes
  }

  /// An array.
  package struct Array: Sendable {
    /// The extents that are taken where nothing is said; empty where the file leaves them open.
    package let shape: [Int]
    /// The least and the greatest of each extent where the shape is a range; empty where it is not.
    package let ranges: [ClosedSizeRange]
    /// The shapes that are allowed where they are listed; empty where they are not.
    package let listed: [[Int]]
  }

  /// What it is.
  package enum Kind: Sendable {
    case image(Image)
    case array(Array)
    /// Something else, in a word or two.
    case other(String)
  }

  package let name: String
  package let kind: Kind
  package let isOptional: Bool
}

extension CoreMLFeature {
  init(_ message: Coreml__FeatureDescription) throws(StyleModelError) {
    name = string(message.name)
    guard let type = message.type?.pointee else {
      throw StyleModelError(.badInput, place: "feature '\(printable(name, limit: 80))'", "has no type")
    }
    isOptional = type.is_optional != 0
    do throws(StyleModelError) {
      switch type.type_case {
      case COREML__FEATURE_TYPE__TYPE_IMAGE_TYPE: kind = .image(try Image(type.image_type.pointee))
      case COREML__FEATURE_TYPE__TYPE_MULTI_ARRAY_TYPE:
        kind = .array(try Array(type.multi_array_type.pointee))
      case COREML__FEATURE_TYPE__TYPE_INT64_TYPE: kind = .other("a whole number")
      case COREML__FEATURE_TYPE__TYPE_DOUBLE_TYPE: kind = .other("a number")
      case COREML__FEATURE_TYPE__TYPE_STRING_TYPE: kind = .other("a text")
      case COREML__FEATURE_TYPE__TYPE_DICTIONARY_TYPE: kind = .other("a dictionary")
      case COREML__FEATURE_TYPE__TYPE_SEQUENCE_TYPE: kind = .other("a sequence")
      case COREML__FEATURE_TYPE__TYPE_STATE_TYPE: kind = .other("a state")
      default: kind = .other("of an unknown type")
      }
    } catch {
      throw StyleModelError(
        error.kind, place: "feature '\(printable(name, limit: 80))'", error.problem, remedy: error.remedy)
    }
  }

  /// What it is, for people: `RGB picture, 512x512 only`, `array [3]`.
  package var description: String {
    switch kind {
    case .image(let image): "\(image.colorSpace.description) picture, \(image.sizes)"
    case .array(let array): array.shape.isEmpty ? "array" : "array \(array.shape)"
    case .other(let text): text
    }
  }
}

extension CoreMLFeature.Image.ColorSpace: CustomStringConvertible {
  package var description: String {
    switch self {
    case .gray, .gray16: "grey"
    case .rgb: "RGB"
    case .bgr: "BGR"
    }
  }
}

/// The largest width or height that is read.
private let greatestSide = 1 << 16

extension CoreMLFeature.Image {
  fileprivate init(_ message: Coreml__ImageType) throws(StyleModelError) {
    guard let colorSpace = ColorSpace(rawValue: message.color_space) else {
      throw StyleModelError(
        .badInput, "is a picture of colour space \(message.color_space), which is not known")
    }
    self.colorSpace = colorSpace
    switch message.size_flexibility_case {
    case COREML__IMAGE_TYPE__SIZE_FLEXIBILITY_ENUMERATED_SIZES:
      let message = message.enumerated_sizes.pointee
      var listed: [PictureSize] = []
      for size in list(message.sizes, message.n_sizes) {
        listed.append(
          PictureSize(width: try side(size.pointee.width), height: try side(size.pointee.height)))
      }
      guard !listed.isEmpty else { throw StyleModelError(.badInput, "lists no sizes") }
      sizes = .listed(listed)
    case COREML__IMAGE_TYPE__SIZE_FLEXIBILITY_IMAGE_SIZE_RANGE:
      let range = message.image_size_range.pointee
      sizes = .range(
        width: try ClosedSizeRange(range.width_range?.pointee),
        height: try ClosedSizeRange(range.height_range?.pointee))
    default:
      sizes = .listed([
        PictureSize(width: try side(message.width), height: try side(message.height))
      ])
    }
    // A flexible model need not say a usual size.
    if message.width > 0, message.height > 0 {
      size = PictureSize(width: try side(message.width), height: try side(message.height))
    } else {
      size =
        switch sizes {
        case .listed(let listed): listed[0]
        case .range(let width, let height):
          PictureSize(
            width: min(max(256, width.lower), width.upper ?? .max),
            height: min(max(256, height.lower), height.upper ?? .max))
        case .any: PictureSize(width: 256, height: 256)
        }
    }
  }
}

extension CoreMLFeature.Array {
  fileprivate init(_ message: Coreml__ArrayType) throws(StyleModelError) {
    shape = try extents(numbers(message.shape, message.n_shape))
    switch message.shape_flexibility_case {
    case COREML__ARRAY_TYPE__SHAPE_FLEXIBILITY_ENUMERATED_SHAPES:
      let message = message.enumerated_shapes.pointee
      var listed: [[Int]] = []
      for shape in list(message.shapes, message.n_shapes) {
        listed.append(try extents(numbers(shape.pointee.shape, shape.pointee.n_shape)))
      }
      self.listed = listed
      ranges = []
    case COREML__ARRAY_TYPE__SHAPE_FLEXIBILITY_SHAPE_RANGE:
      let message = message.shape_range.pointee
      var ranges: [ClosedSizeRange] = []
      for range in list(message.size_ranges, message.n_size_ranges) {
        ranges.append(try ClosedSizeRange(range.pointee))
      }
      self.ranges = ranges
      listed = []
    default:
      ranges = []
      listed = []
    }
  }
}

private func side(_ value: some BinaryInteger) throws(StyleModelError) -> Int {
  guard let side = Int(exactly: value), (1...greatestSide).contains(side) else {
    throw StyleModelError(.badInput, "has a width or height of \(value)")
  }
  return side
}

private func extents(_ values: [Int64]) throws(StyleModelError) -> [Int] {
  guard values.count <= 16, values.allSatisfy({ (-1...1 << 32).contains($0) }) else {
    throw StyleModelError(.badInput, "has an impossible shape \(values.prefix(16))")
  }
  return values.map(Int.init)
}

extension ClosedSizeRange {
  /// A range of a Core ML file: no upper bound is a negative one.
  fileprivate init(_ message: Coreml__SizeRange?) throws(StyleModelError) {
    guard let message else { throw StyleModelError(.badInput, "lacks a range of sizes") }
    let lower = max(1, Int(clamping: message.lower_bound))
    let upper = message.upper_bound < 0 ? nil : Int(message.upper_bound)
    guard lower <= greatestSide, upper.map({ $0 >= lower }) ?? true else {
      throw StyleModelError(
        .badInput, "allows sizes from \(message.lower_bound) to \(message.upper_bound)")
    }
    // Beyond that our own bound holds anyway.
    self.init(lower: lower, upper: upper.flatMap { $0 > greatestSide ? nil : $0 })
  }
}
