import Tensors
import Testing

@testable import PyTorchImporter

@Suite struct ByteOrderGuessTests {
  @Test(arguments: [ElementType.float64, .float32, .float16, .bfloat16, .int64, .int32, .int16])
  func tellsWeightsFromTheirMirrorImage(type: ElementType) {
    let size = type.byteCount
    let bits: [UInt64] = (1...50).map { index in
      let value = Double(index * 7 % 33 - 16) / 16
      return switch type {
      case .float64: value.bitPattern
      case .float32: UInt64(Float(value).bitPattern)
      case .float16: UInt64(index % 2 << 15 | 0x3400 + index)
      case .bfloat16: UInt64(Float(value).bitPattern >> 16)
      default: UInt64(index)
      }
    }
    let little = bits.flatMap { word in (0..<size).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) } }
    let big = bits.flatMap { word in
      (0..<size).reversed().map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }
    }
    #expect(!ByteOrderGuess.looksBigEndian(little[...], of: type))
    #expect(ByteOrderGuess.looksBigEndian(big[...], of: type))
  }

  @Test func zerosAndBytesAreLittleEndian() {
    #expect(!ByteOrderGuess.looksBigEndian([UInt8](repeating: 0, count: 64)[...], of: .float32))
    #expect(!ByteOrderGuess.looksBigEndian([1, 2, 3][...], of: .uint8))
  }
}
