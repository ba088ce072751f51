import CSchemas
import Diagnostics
import ModelGraph
import ProtobufSupport
import Tensors

/// A Core ML model that is an ML Program, as its file has it.
struct ProgramFile {
  /// The version of the specification: 6 (iOS 15) and up.
  let version: Int
  let inputs: [ProgramFeature]
  let outputs: [ProgramFeature]
  /// What the file says of itself, in keys of whoever wrote it.
  let metadata: [String: String]
  let program: Program

  /// Reads a model from its protobuf message.
  /// - Throws: `.badInput` with the byte where the message is broken, or the part that cannot be.
  init(protobuf bytes: [UInt8]) throws(StyleModelError) {
    var empty = Coreml__Model()
    coreml__model__init(&empty)
    guard let descriptor = empty.base.descriptor else {
      throw StyleModelError(.internalFault, "the schema of Core ML models is missing")
    }
    // A typed throw does not cross `withUnsafeBytes` by itself.
    let result: Result<ProgramFile, StyleModelError> = bytes.withUnsafeBytes { raw in
      do throws(StyleModelError) {
        return .success(
          try withUnpackedProtobuf(raw, descriptor, as: Coreml__Model.self) {
            message throws(StyleModelError) in try ProgramFile(message)
          })
      } catch { return .failure(error) }
    }
    self = try result.get()
  }

  private init(_ message: Coreml__Model) throws(StyleModelError) {
    guard message.type_case == COREML__MODEL__TYPE_ML_PROGRAM, let program = message.ml_program?.pointee
    else {
      throw StyleModelError(.badInput, "is a Core ML model, but not an ML Program")
    }
    version = Int(message.specification_version)
    guard let description = message.description?.pointee else {
      throw StyleModelError(.badInput, "has no description of its inputs and outputs")
    }
    metadata = Dictionary(
      description.metadata.map { metadata in
        list(metadata.pointee.user_defined, metadata.pointee.n_user_defined).map {
          (string($0.pointee.key), string($0.pointee.value))
        }
      } ?? [], uniquingKeysWith: { first, _ in first })
    let name = string(description.default_function_name)
    self.program = try Program(program, function: name.isEmpty ? "main" : name)
    // Files with several functions describe each by itself.
    let own = list(description.functions, description.n_functions).first {
      string($0.pointee.name) == name
    }
    let inputs =
      own.map { list($0.pointee.input, $0.pointee.n_input) } ?? list(description.input, description.n_input)
    let outputs =
      own.map { list($0.pointee.output, $0.pointee.n_output) }
      ?? list(description.output, description.n_output)
    var features: [ProgramFeature] = []
    for feature in inputs { features.append(try ProgramFeature(feature.pointee)) }
    self.inputs = features
    features = []
    for feature in outputs { features.append(try ProgramFeature(feature.pointee)) }
    self.outputs = features
  }
}

extension ProgramFeature {
  fileprivate init(_ message: Coreml__FeatureDescription) throws(StyleModelError) {
    name = string(message.name)
    guard let type = message.type?.pointee else {
      kind = .other("a value of no type")
      return
    }
    do throws(StyleModelError) {
      switch type.type_case {
      case COREML__FEATURE_TYPE__TYPE_IMAGE_TYPE:
        guard let image = type.image_type?.pointee else { fallthrough }
        kind = try Self.image(image)
      case COREML__FEATURE_TYPE__TYPE_MULTI_ARRAY_TYPE:
        guard let array = type.multi_array_type?.pointee else { fallthrough }
        kind = .array(extents: try Self.extents(array))
      case COREML__FEATURE_TYPE__TYPE_STATE_TYPE: kind = .other("a state that is kept between pictures")
      default: kind = .other("no picture")
      }
    } catch {
      throw StyleModelError(
        error.kind, place: "'\(printable(name, limit: 80))'", error.problem, remedy: error.remedy)
    }
  }

  private static func image(_ image: Coreml__ImageType) throws(StyleModelError) -> Kind {
    let order: PixelContract.ChannelOrder
    switch image.color_space {
    case 20: order = .rgb
    case 30: order = .bgr
    case 10, 40: return .other("a grey picture")
    case let other: throw StyleModelError(.badInput, "is a picture in an unknown colour space \(other)")
    }
    let sizes: PixelContract.Sizes
    switch image.size_flexibility_case {
    case COREML__IMAGE_TYPE__SIZE_FLEXIBILITY_ENUMERATED_SIZES:
      var listed: [PictureSize] = []
      for size in list(image.enumerated_sizes?.pointee.sizes, image.enumerated_sizes?.pointee.n_sizes ?? 0) {
        listed.append(
          PictureSize(width: try extent(size.pointee.width), height: try extent(size.pointee.height)))
      }
      // The size that apps get by default comes first.
      let standard = PictureSize(
        width: try extent(UInt64(clamping: image.width)), height: try extent(UInt64(clamping: image.height)))
      sizes = .listed([standard] + listed.filter { $0 != standard })
    case COREML__IMAGE_TYPE__SIZE_FLEXIBILITY_IMAGE_SIZE_RANGE:
      let range = image.image_size_range?.pointee
      sizes = .range(
        width: try Self.range(range?.width_range?.pointee),
        height: try Self.range(range?.height_range?.pointee))
    default:
      sizes = .listed([
        PictureSize(
          width: try extent(UInt64(clamping: image.width)), height: try extent(UInt64(clamping: image.height))
        )
      ])
    }
    return .image(order: order, sizes: sizes)
  }

  /// The allowed extents of an array, axis by axis, for each of the shapes that are listed or for a range of them.
  private static func extents(_ array: Coreml__ArrayType) throws(StyleModelError) -> ArrayExtents {
    func fixed(_ start: UnsafeMutablePointer<Int64>?, _ count: Int) throws(StyleModelError) -> [Int] {
      var result: [Int] = []
      for value in numbers(start, count) { result.append(try extent(UInt64(clamping: value))) }
      return result
    }
    switch array.shape_flexibility_case {
    case COREML__ARRAY_TYPE__SHAPE_FLEXIBILITY_ENUMERATED_SHAPES:
      let shapes = list(
        array.enumerated_shapes?.pointee.shapes, array.enumerated_shapes?.pointee.n_shapes ?? 0)
      var result = [try fixed(array.shape, array.n_shape)]
      for shape in shapes {
        let extents = try fixed(shape.pointee.shape, shape.pointee.n_shape)
        if !result.contains(extents) { result.append(extents) }
      }
      return .listed(result)
    case COREML__ARRAY_TYPE__SHAPE_FLEXIBILITY_SHAPE_RANGE:
      var ranges: [ClosedSizeRange] = []
      for range in list(array.shape_range?.pointee.size_ranges, array.shape_range?.pointee.n_size_ranges ?? 0)
      {
        ranges.append(try Self.range(range.pointee))
      }
      return .range(ranges)
    default: return .listed([try fixed(array.shape, array.n_shape)])
    }
  }

  private static func extent(_ value: UInt64) throws(StyleModelError) -> Int {
    guard (1...1 << 20).contains(value) else {
      throw StyleModelError(.badInput, "has an impossible size \(value)")
    }
    return Int(value)
  }

  private static func range(_ range: Coreml__SizeRange?) throws(StyleModelError) -> ClosedSizeRange {
    guard let range, range.lower_bound <= 1 << 20 else {
      throw StyleModelError(.badInput, "has a range of sizes without sound bounds")
    }
    let lower = max(1, Int(range.lower_bound))
    // A negative bound, which absence is not, means none.
    guard range.upper_bound >= 0 else { return ClosedSizeRange(lower: lower, upper: nil) }
    guard range.upper_bound >= Int64(lower) else {
      throw StyleModelError(.badInput, "has a range of sizes from \(lower) to \(range.upper_bound)")
    }
    return ClosedSizeRange(lower: lower, upper: Int(range.upper_bound))
  }
}
