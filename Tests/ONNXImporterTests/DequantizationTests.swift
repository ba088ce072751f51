import Diagnostics
import ModelGraph
import Tensors
import TestSupport
import Testing

@testable import ONNXImporter

/// Weights behind `DequantizeLinear` are `(q - zero) * scale`, each product rounded once, bit for bit.
@Suite struct DequantizationTests {
  private struct Weights {
    var type: Int
    var scales: [Float]
    var zeros: [Int]
    /// The integers as the file means them.
    var integers: [Int]

    func tensor() throws -> StoredTensor {
      let bytes: [UInt8]
      if type >= 21 {
        bytes = packIntegers(integers, bits: 4)
      } else {
        bytes = integers.map { UInt8(truncatingIfNeeded: $0) }
      }
      let zeroBytes = type >= 21 ? packIntegers(zeros, bits: 4) : zeros.map { UInt8(truncatingIfNeeded: $0) }
      let model = HandMadeModel(
        operatorSet: 21,
        nodes: [
          .init("DequantizeLinear", ["q", "s", "z"], "w", ("axis", .integer(0))),
          .init("Conv", ["x", "w"], "y"),
        ],
        tensors: [
          .init(name: "q", extents: [3, 3, 1, 4], type: type, raw: bytes),
          .floats("s", scales.count == 1 ? [] : [3], scales),
          .init(name: "z", extents: zeros.count == 1 ? [] : [3], type: type, raw: zeroBytes),
        ])
      let graph = try model.network().graph
      return try #require(graph.constant(named: "q").flatMap { graph.tensor($0) })
    }

    var expected: [Float] {
      integers.indices.map { place in
        let channel = scales.count == 1 ? 0 : place / 12
        return Float(integers[place] - zeros[channel]) * scales[channel]
      }
    }
  }

  private static let scales: [Float] = [0.1, 0.017, 3.3e-5]

  @Test func signedWithoutZeroPointsStayAsTheyAre() throws {
    let weights = Weights(
      type: 3, scales: Self.scales, zeros: [0, 0, 0], integers: (0..<36).map { $0 * 7 - 127 })
    let tensor = try weights.tensor()
    #expect(tensor.encoding == .affine(AffineEncoding(bits: 8, isSigned: true, axis: 0, scales: Self.scales)))
    #expect(tensor.quantizedIntegers() == weights.integers)
    #expect(tensor.floats() == weights.expected)
  }

  @Test func unsignedAround128BecomeSigned() throws {
    let weights = Weights(
      type: 2, scales: Self.scales, zeros: [128, 128, 128], integers: (0..<36).map { $0 * 7 + 1 })
    let tensor = try weights.tensor()
    #expect(tensor.encoding == .affine(AffineEncoding(bits: 8, isSigned: true, axis: 0, scales: Self.scales)))
    #expect(tensor.floats() == weights.expected)
  }

  @Test func zeroPointsThatDoNotFitAreDecoded() throws {
    let weights = Weights(
      type: 2, scales: Self.scales, zeros: [3, 200, 77], integers: (0..<36).map { $0 * 7 })
    let tensor = try weights.tensor()
    #expect(tensor.encoding == .plain(.float32))
    #expect(tensor.floats() == weights.expected)
  }

  @Test(arguments: [(22, 0, -8), (21, 8, 0)]) func fourBitsStayFourBits(type: Int, zero: Int, lowest: Int)
    throws
  {
    let weights = Weights(
      type: type, scales: [0.3], zeros: [zero], integers: (0..<36).map { $0 % 16 + lowest })
    let tensor = try weights.tensor()
    #expect(tensor.encoding == .affine(AffineEncoding(bits: 4, isSigned: true, axis: nil, scales: [0.3])))
    #expect(tensor.bytes.count == 18)
    #expect(tensor.floats() == weights.expected)
  }

  /// Training for quantization leaves float weights between the two operators.
  @Test func floatsThatAreQuantizedOnTheWayAreRounded() throws {
    let values: [Float] = (0..<27).map { Float($0) * 0.1 - 1.3 }
    let model = HandMadeModel(
      nodes: [
        .init("QuantizeLinear", ["w", "s", "z"], "q"), .init("DequantizeLinear", ["q", "s", "z"], "d"),
        .init("Conv", ["x", "d"], "y"),
      ],
      tensors: [
        .floats("w", [3, 3, 1, 3], values), .floats("s", [], [0.25]), .init(name: "z", type: 3, raw: [0]),
      ])
    let graph = try model.network().graph
    let tensor = try #require(graph.constant(named: "w").flatMap { graph.tensor($0) })
    #expect(tensor.floats() == values.map { ($0 / 0.25).rounded(.toNearestOrEven) * 0.25 })
  }

  @Test func whatFlowsStaysFloatWithinItsBounds() throws {
    let model = HandMadeModel(
      nodes: [
        .init("QuantizeLinear", ["x", "s", "z"], "q"), .init("DequantizeLinear", ["q", "s", "z"], "y"),
      ],
      tensors: [.floats("s", [], [0.5]), .init(name: "z", type: 2, raw: [10])])
    #expect(try model.operations() == ["clamp lower: -5.0, upper: 122.5"])
    #expect(try model.network().notes.count == 1)
  }
}
