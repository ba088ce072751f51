import Diagnostics
import Tensors
import Testing

@testable import MLProgramImporter

private func tensor(_ type: ProgramType, _ shape: [Int], _ bytes: [UInt8]) throws -> KnownValue {
  .numbers(try ProgramTensor(type: type, shape: Shape(shape), bytes: bytes))
}

private func floats(_ shape: [Int], _ values: [Float]) throws -> KnownValue {
  try tensor(.float32, shape, values.withUnsafeBytes { Array($0) })
}

private func shape(_ extents: [UInt8]) throws -> KnownValue {
  try tensor(.uint32, [extents.count], extents.flatMap { [$0, 0, 0, 0] })
}

/// Every compressed form against numbers worked out by hand.
@Suite struct CompressedWeightTests {
  private func decoded(_ type: String, _ arguments: [String: KnownValue]) throws -> StoredTensor {
    try CompressedWeight(type: type, arguments: arguments).value { _ in }.stored()
  }

  @Test func integersKeepTheirScales() throws {
    let weight = try decoded(
      "constexpr_affine_dequantize",
      [
        "quantized_data": tensor(.int8, [2, 2], [1, 0xFF, 3, 0x80]), "zero_point": tensor(.int8, [], [0]),
        "scale": floats([2], [0.5, 2]), "axis": tensor(.int32, [], [0, 0, 0, 0]),
      ])
    #expect(weight.encoding == .affine(AffineEncoding(bits: 8, isSigned: true, axis: 0, scales: [0.5, 2])))
    #expect(weight.floats() == [0.5, -0.5, 6, -256])
  }

  @Test func zeroPointsThatFitAreTakenOff() throws {
    let weight = try decoded(
      "constexpr_affine_dequantize",
      [
        "quantized_data": tensor(.uint8, [3], [128, 0, 255]), "zero_point": tensor(.uint8, [], [128]),
        "scale": floats([], [2]), "axis": tensor(.int32, [], [0, 0, 0, 0]),
      ])
    #expect(weight.encoding == .affine(AffineEncoding(bits: 8, isSigned: true, axis: nil, scales: [2])))
    #expect(weight.floats() == [0, -256, 254])
  }

  @Test func zeroPointsThatDoNotFitAreDecoded() throws {
    let weight = try decoded(
      "constexpr_affine_dequantize",
      [
        "quantized_data": tensor(.int8, [2], [127, 0x80]), "zero_point": floats([], [-0.5]),
        "scale": floats([], [2]), "axis": tensor(.int32, [], [0, 0, 0, 0]),
      ])
    #expect(weight.encoding == .plain(.float32))
    #expect(weight.floats() == [255, -255])
  }

  @Test func scalesForBlocksAreDecoded() throws {
    // Four columns in two blocks, each row its own: (q - offset) * scale.
    let weight = try decoded(
      "constexpr_blockwise_shift_scale",
      [
        "data": tensor(.int4, [2, 4], [0x21, 0x43, 0xFE, 0x98]),
        "scale": floats([2, 2], [1, 10, 100, 1000]),
        "offset": tensor(.int4, [2, 2], [0x10, 0xF0]),
      ])
    #expect(weight.floats() == [1, 2, 20, 30, -200, -100, -7000, -6000])
  }

  @Test func codesLieLeastSignificantBitFirst() throws {
    let weight = try decoded(
      "constexpr_lut_to_dense",
      [
        "indices": tensor(.uint8, [2], [0b01_10_11_00, 0b11]), "lut": floats([4], [10, 11, 12, 13]),
        "shape": shape([5]),
      ])
    #expect(weight.floats() == [10, 13, 12, 11, 13])
  }

  @Test func eachGroupHasItsPalette() throws {
    // The example of the format's own documentation.
    let codes: [Int] = [2, 3, 3, 0, 1, 0, 3, 0, 2, 1, 0, 3]
    let weight = try decoded(
      "constexpr_lut_to_dense",
      [
        "indices": tensor(.uint2, [6, 2], packIntegers(codes, bits: 2)),
        "lut": floats([2, 1, 4, 1], [1, 5, 9, 13, 2, 10, 18, 26]),
      ])
    #expect(weight.floats() == [9, 13, 13, 1, 5, 1, 26, 2, 18, 10, 2, 26])
  }

  @Test(
    arguments: [
      (1, [0, 0, 1, 1, 2, 2, 3, 0, 4, 1, 5, 2], [2, 3, 2] as [Int]),
      (2, [0, 1, 2, 0, 1, 2, 3, 4, 5, 0, 1, 2], [2, 1, 6]),
    ] as [(UInt8, [Float], [Int])]) func vectorsRunAlongTheirAxis(
      axis: UInt8, expected: [Float], extents: [Int]
    ) throws
  {
    let weight = try decoded(
      "constexpr_lut_to_dense",
      [
        "indices": tensor(.uint1, [2, 1, 2], [0b0100]), "lut": floats([1, 1, 1, 2, 3], [0, 1, 2, 3, 4, 5]),
        "vector_axis": tensor(.int32, [], [axis, 0, 0, 0]),
      ])
    #expect(weight.shape == Shape(extents))
    #expect(weight.floats() == expected)
  }

  @Test func sparseNumbersTakeTheirPlaces() throws {
    let arguments = [
      "nonzero_data": try floats([3], [1, 2, 3]), "mask": try tensor(.uint8, [1], [0b10110]),
      "shape": try shape([5]),
    ]
    #expect(try decoded("constexpr_sparse_to_dense", arguments).floats() == [0, 1, 2, 0, 3])
    let newer = ["nonzero_data": try floats([3], [1, 2, 3]), "mask": try tensor(.uint1, [5], [0b10110])]
    #expect(try decoded("constexpr_sparse_to_dense", newer).floats() == [0, 1, 2, 0, 3])
  }

  /// A palette of integers that a scale then multiplies: two forms, one in the other.
  @Test func integersOfAPaletteAreScaled() throws {
    let inner = CompressedWeight(
      type: "constexpr_lut_to_dense",
      arguments: [
        "indices": try tensor(.uint2, [2, 2], packIntegers([0, 1, 2, 3], bits: 2)),
        "lut": try tensor(.int8, [1, 1, 4, 1], [0xFE, 0xFF, 0, 1]),
      ])
    let weight = try decoded(
      "constexpr_blockwise_shift_scale",
      ["data": inner.value { _ in }, "scale": floats([2, 1], [1, 10])])
    #expect(weight.floats() == [-2, -1, 0, 10])
    #expect(weight.encoding == .affine(AffineEncoding(bits: 8, isSigned: true, axis: 0, scales: [1, 10])))
  }

  @Test(
    arguments: [
      ("constexpr_affine_dequantize", ["scale": [2], "quantized_data": [3]], "lacks its 'zero_point'"),
      (
        "constexpr_lut_to_dense", ["lut": [3], "indices": [3], "shape": [1]],
        "has a palette of 3 values; 2, 4, 16, 64 and 256 are possible"
      ),
      (
        "constexpr_blockwise_shift_scale", ["data": [4], "scale": [3]],
        "divides weights of shape [4] into blocks of shape [3]"
      ),
      (
        "constexpr_blockwise_shift_scale", ["data": [4], "scale": [0]],
        "divides weights of shape [4] into blocks of shape [0]"
      ),
      (
        "constexpr_sparse_to_dense", ["nonzero_data": [2], "mask": [9]],
        "has a mask of 0 places for 2 numbers"
      ),
    ] as [(String, [String: [Int]], String)]) func whatDoesNotFitIsRefused(
      type: String, shapes: [String: [Int]], problem: String
    ) throws
  {
    var arguments: [String: KnownValue] = [:]
    for (role, shape) in shapes {
      let count = shape.reduce(1, *)
      arguments[role] =
        role == "mask"
        ? try tensor(.uint1, shape, [UInt8](repeating: 0, count: (count + 7) / 8))
        : role == "shape"
          ? try self.shape(shape) : try floats(shape, [Float](repeating: 0, count: count))
    }
    let error = #expect(throws: StyleModelError.self) { try decoded(type, arguments) }
    #expect(error?.problem == problem)
  }

  private func shape(_ extents: [Int]) throws -> KnownValue {
    try tensor(.uint32, [extents.count], extents.flatMap { [UInt8($0), 0, 0, 0] })
  }

  /// What is decoded is announced before memory is taken.
  @Test func decodingIsCounted() throws {
    let weight = CompressedWeight(
      type: "constexpr_sparse_to_dense",
      arguments: [
        "nonzero_data": try floats([0], []),
        "mask": try tensor(.uint1, [64], [UInt8](repeating: 0, count: 8)),
      ])
    #expect(throws: StyleModelError.self) {
      try weight.value { (count) throws(StyleModelError) in
        #expect(count == 64)
        throw StyleModelError(.badInput, "enough")
      }
    }
  }
}
