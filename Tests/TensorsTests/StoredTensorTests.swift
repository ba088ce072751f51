import Diagnostics
import Testing

@testable import Tensors

@Suite struct StoredTensorTests {
  @Test(arguments: 2...16) func packsAndUnpacksEveryWidth(bits: Int) throws {
    let low = -(1 << (bits - 1))
    let values = (0..<37).map { low + $0 % (1 << bits) }
    let tensor = try StoredTensor(
      shape: [37], encoding: .affine(AffineEncoding(bits: bits, isSigned: true, axis: nil, scales: [0.5])),
      bytes: packIntegers(values, bits: bits))
    #expect(tensor.quantizedIntegers() == values)
    #expect(tensor.floats() == values.map { Float($0) * 0.5 })
  }

  @Test func packingIsLeastSignificantBitFirst() {
    #expect(packIntegers([1, 2, 3, 4], bits: 4) == [0x21, 0x43])
    #expect(packIntegers([1, 2, 3], bits: 6) == [0x81, 0x30, 0x00])
  }

  @Test func scalesRunAlongTheirAxis() throws {
    let encoding = Encoding.affine(
      AffineEncoding(bits: 8, isSigned: false, axis: 1, scales: [1, 10], offsets: [0, 0.25]))
    let tensor = try StoredTensor(shape: [2, 2, 2], encoding: encoding, bytes: [0, 1, 2, 3, 4, 5, 6, 7])
    #expect(tensor.floats() == [0, 1, 20.25, 30.25, 4, 5, 60.25, 70.25])
  }

  @Test func widensHalvesAndBfloatsExactly() throws {
    let half = try StoredTensor(
      shape: [4], encoding: .plain(.float16), bytes: [0x00, 0x3C, 0xFF, 0x7B, 0x01, 0x00, 0x00, 0x80])
    #expect(half.floats() == [1, 65504, 0x1p-24, -0.0])
    #expect(half.floats()[3].sign == .minus)
    let bfloat = try StoredTensor(shape: [2], encoding: .plain(.bfloat16), bytes: [0x80, 0x3F, 0x49, 0xC0])
    #expect(bfloat.floats() == [1, -3.140625])
  }

  @Test func refusesPartsThatDisagree() {
    #expect(throws: StyleModelError.self) {
      try StoredTensor(shape: [3], encoding: .plain(.float32), bytes: [0, 0, 0, 0])
    }
    #expect(throws: StyleModelError.self) {
      let encoding = Encoding.affine(AffineEncoding(bits: 8, isSigned: true, axis: 0, scales: [1]))
      _ = try StoredTensor(shape: [2, 1], encoding: encoding, bytes: [0, 0])
    }
    #expect(throws: StyleModelError.self) {
      let encoding = Encoding.affine(AffineEncoding(bits: 17, isSigned: true, axis: nil, scales: [1]))
      _ = try StoredTensor(shape: [1], encoding: encoding, bytes: [0, 0])
    }
  }

  @Test func shapesRefuseOverflowAndNegatives() {
    #expect(Shape(checking: [Int.max, 2]) == nil)
    #expect(Shape(checking: [-1]) == nil)
    #expect(Shape(checking: [Int.max, 0, 3]) == nil)
    #expect(Shape(checking: [0, 3])?.count == 0)
    #expect(Shape([]).count == 1)
  }
}
