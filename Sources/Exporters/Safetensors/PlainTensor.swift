import Diagnostics
import SafetensorsImporter
import Tensors

/// A tensor as safetensors knows them: a name, a type, a shape and numbers.
struct PlainTensor {
  var name: String
  var type: ElementType
  var shape: Shape
  var bytes: [UInt8]

  init(_ name: String, _ type: ElementType, _ shape: Shape, _ bytes: [UInt8]) {
    self.name = name
    self.type = type
    self.shape = shape
    self.bytes = bytes
  }

  /// What the header says of it, its numbers starting at `offset` of the data.
  func member(at offset: Int) -> JSONValue.Member {
    JSONValue.Member(
      name,
      [
        "dtype": .string(type.safetensorsName), "shape": .array(shape.dimensions.map { .integer($0) }),
        "data_offsets": [.integer(offset), .integer(offset + bytes.count)],
      ])
  }
}

/// A quantized weight taken apart into what safetensors can say.
struct IntegerParts {
  /// The integers, their scales, and their offsets if there are any.
  let tensors: [PlainTensor]
  /// What the metadata say of it.
  let encoding: JSONValue.Member

  /// - Parameter names: the names in use; those of the scales and offsets are added.
  init(_ name: String, _ tensor: StoredTensor, _ affine: AffineEncoding, names: inout Set<String>) {
    func free(_ suffix: String) -> String {
      var candidate = name + suffix
      while !names.insert(candidate).inserted { candidate += "_" }
      return candidate
    }
    // One factor a channel, spread along the weight's axis: [C, 1, 1, 1] for a convolution.
    let spread = Shape(tensor.shape.dimensions.indices.map { $0 == affine.axis ? tensor.shape[$0] : 1 })
    func factors(_ suffix: String, _ values: [Float]) -> PlainTensor {
      PlainTensor(free(suffix), .float32, spread, StoredTensor(shape: spread, floats: values).bytes)
    }
    let integers = tensor.quantizedIntegers() ?? []
    var tensors = [
      PlainTensor(
        name, affine.isSigned ? .int8 : .uint8, tensor.shape, integers.map { UInt8(truncatingIfNeeded: $0) }),
      factors(".scale", affine.scales),
    ]
    var fields: [JSONValue.Member] = [
      .init("bits", .integer(affine.bits)), .init("signed", .bool(affine.isSigned)),
      .init("scale", .string(tensors[1].name)),
    ]
    if let axis = affine.axis { fields.append(.init("axis", .integer(axis))) }
    if !affine.offsets.isEmpty {
      tensors.append(factors(".offset", affine.offsets))
      fields.append(.init("offset", .string(tensors[2].name)))
    }
    self.tensors = tensors
    encoding = JSONValue.Member(name, .object(fields))
  }
}
