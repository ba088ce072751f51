import Diagnostics
import Tensors

/// A weight in one of the compressed forms that ML Programs have ("constexpr" operations), and what it stands for.
///
/// Integers with scales stay integers wherever our own encoding says the same; palettes, sparse weights and scales for
/// blocks are decoded, to the type that the file gives their values.
struct CompressedWeight {
  /// The operation.
  let type: String
  /// Its arguments by role.
  let arguments: [String: KnownValue]

  /// The operations that are understood.
  static let operations: Set<String> = [
    "constexpr_affine_dequantize", "constexpr_lut_to_dense", "constexpr_sparse_to_dense",
    "constexpr_blockwise_shift_scale", "constexpr_cast",
  ]

  /// The weight.
  /// - Parameter spend: is told how many numbers are decoded, before any memory is taken for them.
  func value(_ spend: (Int) throws(StyleModelError) -> Void) throws(StyleModelError) -> KnownValue {
    switch type {
    case "constexpr_affine_dequantize": return try affine(spend)
    case "constexpr_blockwise_shift_scale": return try blockwise(spend)
    case "constexpr_lut_to_dense":
      return arguments["shape"] == nil ? try palettes(spend) : try packedPalette(spend)
    case "constexpr_sparse_to_dense": return try sparse(spend)
    case "constexpr_cast": return try .numbers(numbers("source_val"))
    default:
      throw StyleModelError(
        .badInput, "is a compressed form of weights that is not read",
        remedy: "decompress the weights with coremltools (decompress_weights) first")
    }
  }

  // MARK: Arguments

  private func numbers(_ role: String) throws(StyleModelError) -> ProgramTensor {
    guard let tensor = try optionalNumbers(role) else {
      throw StyleModelError(.badInput, "lacks its '\(role)'")
    }
    return tensor
  }

  private func optionalNumbers(_ role: String) throws(StyleModelError) -> ProgramTensor? {
    switch arguments[role] {
    case nil: return nil
    case .numbers(let tensor)?: return tensor
    // Weights that were decoded, or whose integers go on to be scaled.
    case .weight(let tensor)?:
      guard case .plain(let element) = tensor.encoding,
        let type = ProgramType.allCases.first(where: { $0.elementType == element })
      else { throw StyleModelError(.badInput, "scales weights that are scaled already") }
      return try ProgramTensor(type: type, shape: tensor.shape, bytes: tensor.bytes)
    case .texts?: throw StyleModelError(.badInput, "has text as its '\(role)'")
    }
  }

  private func axis(_ role: String, rank: Int) throws(StyleModelError) -> Int {
    let list = try numbers(role).integers()
    guard list.count == 1, (-rank..<rank).contains(list[0]) else {
      throw StyleModelError(.badInput, "has an axis \(list.prefix(4)) that its weights have not")
    }
    return list[0] < 0 ? list[0] + rank : list[0]
  }

  /// Extents that are given as numbers.
  private func shape(_ role: String) throws(StyleModelError) -> Shape {
    let extents = try numbers(role).integers()
    guard extents.count <= 16, let shape = Shape(checking: extents) else {
      throw StyleModelError(.badInput, "has an impossible shape \(extents.prefix(16))")
    }
    return shape
  }

  // MARK: Integers with scales

  /// `(q - zero_point) * scale` along one axis (iOS 16).
  private func affine(_ spend: (Int) throws(StyleModelError) -> Void) throws(StyleModelError) -> KnownValue {
    let data = try numbers("quantized_data")
    let scale = try numbers("scale")
    let zero = try numbers("zero_point")
    let axis = try axis("axis", rank: data.shape.rank)
    func grid(_ tensor: ProgramTensor, _ role: String) throws(StyleModelError) -> BlockGrid {
      var extents = [Int](repeating: 1, count: data.shape.rank)
      if tensor.shape.rank == 1, tensor.shape.count > 1 { extents[axis] = tensor.shape.count }
      guard tensor.shape.rank <= 1, tensor.shape.count > 0,
        extents[axis] == 1 || extents[axis] == data.shape[axis]
      else {
        throw StyleModelError(
          .badInput, "has \(role) of shape \(tensor.shape) for weights \(data.shape) along axis \(axis)")
      }
      return try BlockGrid(data: data.shape, blocks: Shape(extents))
    }
    return try ScaledIntegers(
      data: data, scale: scale, scaleGrid: grid(scale, "a scale"), zero: zero,
      zeroGrid: grid(zero, "a zero point")
    ).value(spend)
  }

  /// `(q - offset) * scale` with a scale for each block (iOS 18).
  private func blockwise(
    _ spend: (Int) throws(StyleModelError) -> Void
  ) throws(StyleModelError) -> KnownValue {
    let data = try numbers("data")
    let scale = try numbers("scale")
    let offset = try optionalNumbers("offset")
    let grid = try BlockGrid(data: data.shape, blocks: scale.shape)
    if let offset, offset.shape != scale.shape {
      throw StyleModelError(
        .badInput, "has an offset of shape \(offset.shape) beside a scale of shape \(scale.shape)")
    }
    return try ScaledIntegers(data: data, scale: scale, scaleGrid: grid, zero: offset, zeroGrid: grid)
      .value(spend)
  }

  // MARK: Palettes

  /// One palette for the tensor, its codes packed into bytes (iOS 16).
  private func packedPalette(
    _ spend: (Int) throws(StyleModelError) -> Void
  ) throws(StyleModelError) -> KnownValue {
    let lut = try numbers("lut")
    let packed = try numbers("indices")
    let shape = try shape("shape")
    guard packed.type == .uint8, lut.shape.rank == 1,
      let type = Self.codeTypes.first(where: { 1 << $0.bits == lut.shape.count })
    else {
      throw StyleModelError(
        .badInput, "has a palette of \(lut.shape.count) values; 2, 4, 16, 64 and 256 are possible")
    }
    let codes = try ProgramTensor(type: type, shape: shape, bytes: packed.bytes)
    return try looked(
      up: codes, lut, BlockGrid(data: shape, blocks: Shape(shape.dimensions.map { _ in 1 })),
      vector: (1, 0), spend)
  }

  /// A palette for each block, perhaps of vectors (iOS 18).
  private func palettes(
    _ spend: (Int) throws(StyleModelError) -> Void
  ) throws(StyleModelError) -> KnownValue {
    let lut = try numbers("lut")
    let codes = try numbers("indices")
    let rank = codes.shape.rank
    guard rank > 0, lut.shape.rank == rank + 2, Self.codeTypes.contains(codes.type),
      lut.shape[rank] == 1 << codes.type.bits, lut.shape[rank + 1] > 0
    else {
      throw StyleModelError(
        .badInput, "has palettes of shape \(lut.shape) for codes \(codes.shape) of \(codes.type)")
    }
    let length = lut.shape[rank + 1]
    let axis =
      arguments["vector_axis"] == nil && length == 1 ? 0 : try axis("vector_axis", rank: rank)
    let grid = try BlockGrid(data: codes.shape, blocks: Shape(Array(lut.shape.dimensions[..<rank])))
    return try looked(up: codes, lut, grid, vector: (length, axis), spend)
  }

  private static let codeTypes: [ProgramType] = [.uint1, .uint2, .uint3, .uint4, .uint6, .uint8]

  /// Each code replaced by its value, or by the numbers of a vector that run along an axis.
  private func looked(
    up codes: ProgramTensor, _ lut: ProgramTensor, _ grid: BlockGrid, vector: (length: Int, axis: Int),
    _ spend: (Int) throws(StyleModelError) -> Void
  ) throws(StyleModelError) -> KnownValue {
    guard lut.type.bits % 8 == 0 else {
      throw StyleModelError(.badInput, "has a palette of \(lut.type) values, which is not read")
    }
    var extents = codes.shape.dimensions
    if vector.length > 1 {
      let (long, overflow) = extents[vector.axis].multipliedReportingOverflow(by: vector.length)
      guard !overflow else { throw StyleModelError(.badInput, "has impossibly long vectors") }
      extents[vector.axis] = long
    }
    guard let shape = Shape(checking: extents), let byteCount = lut.type.byteCount(shape.count) else {
      throw StyleModelError(.badInput, "has an impossible shape \(extents)")
    }
    try spend(shape.count)
    let size = lut.type.bits / 8
    let palette = 1 << codes.type.bits
    let inner = codes.shape.rank == 0 ? 1 : codes.shape.dimensions[(vector.axis + 1)...].reduce(1, *)
    let list = try codes.integers()
    var blocks = grid.walk()
    var bytes = [UInt8](repeating: 0, count: byteCount)
    for (place, code) in list.enumerated() {
      let entry = (blocks.next() * palette + code) * vector.length
      // The code's own place, with room for a vector before it along the axis.
      let first = place / inner * vector.length * inner + place % inner
      for step in 0..<vector.length {
        let target = (first + step * inner) * size
        let source = (entry + step) * size
        for byte in 0..<size { bytes[target + byte] = lut.bytes[source + byte] }
      }
    }
    return .numbers(try ProgramTensor(type: lut.type, shape: shape, bytes: bytes))
  }

  // MARK: Sparse weights

  /// The numbers that are not zero, and a bit for each place that says which they are.
  private func sparse(_ spend: (Int) throws(StyleModelError) -> Void) throws(StyleModelError) -> KnownValue {
    let data = try numbers("nonzero_data")
    let mask = try numbers("mask")
    let shape: Shape
    if arguments["shape"] == nil { shape = mask.shape } else { shape = try self.shape("shape") }
    guard data.type.bits % 8 == 0, let byteCount = data.type.byteCount(shape.count) else {
      throw StyleModelError(.badInput, "is sparse numbers of \(data.type), which are not read")
    }
    let bits = try ProgramTensor(type: .uint1, shape: shape, bytes: mask.bytes)
    try spend(shape.count)
    let size = data.type.bits / 8
    var bytes = [UInt8](repeating: 0, count: byteCount)
    let places = try bits.integers()
    let set = places.reduce(0, +)
    guard set == data.shape.count else {
      throw StyleModelError(
        .badInput, "has a mask of \(grouped(set)) places for \(grouped(data.shape.count)) numbers")
    }
    var next = 0
    for place in places.indices where places[place] == 1 {
      for byte in 0..<size { bytes[place * size + byte] = data.bytes[next * size + byte] }
      next += 1
    }
    return .numbers(try ProgramTensor(type: data.type, shape: shape, bytes: bytes))
  }
}
