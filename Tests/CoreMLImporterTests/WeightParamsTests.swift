import Diagnostics
import ModelGraph
import ProtobufSupport
import Tensors
import Testing

@testable import CoreMLImporter

/// How weights are stored: the most significant bit first, scales along output channels.
@Suite struct WeightParamsTests {
  /// The weights of a 1×1 convolution `[3, 3, 1, 1]` that are stored so.
  private static func weights(_ fields: @escaping HandMadeModel.Fields) throws(StyleModelError)
    -> StoredTensor
  {
    let model = HandMadeModel([
      HandMadeModel.Layer(100, ["x"], ["y"]) {
        $0.number(1, 3)
        $0.number(2, 3)
        $0.numbers(20, [1, 1])
        $0.message(90, fields)
      }
    ])
    let graph = try readCoreML(model.bytes).network.get().graph
    guard let tensor = graph.constants.values.first?.tensor else {
      throw StyleModelError(.internalFault, "has no weights")
    }
    return tensor
  }

  private static func words(_ bits: Int, _ bytes: [UInt8], _ quantization: @escaping HandMadeModel.Fields)
    -> HandMadeModel.Fields
  {
    {
      $0.block(30, bytes)
      $0.message(40) {
        $0.number(1, bits)
        quantization(&$0)
      }
    }
  }

  private static func linear(_ scales: [Float], _ biases: [Float]) -> HandMadeModel.Fields {
    {
      $0.message(101) {
        $0.floats(1, scales)
        $0.floats(2, biases)
      }
    }
  }

  @Test(
    arguments: [
      (4, [0x12, 0x34, 0x56, 0x78, 0x90]), (8, [1, 2, 3, 4, 5, 6, 7, 8, 9]),
      // 1 2 3 4 5 6 7 8 9 in six bits each.
      (6, [0x04, 0x20, 0xC4, 0x14, 0x61, 0xC8, 0x24]),
    ] as [(Int, [UInt8])]) func mostSignificantBitsComeFirst(bits: Int, bytes: [UInt8]) throws
  {
    let tensor = try Self.weights(Self.words(bits, bytes, Self.linear([1], [])))
    #expect(tensor.floats() == [1, 2, 3, 4, 5, 6, 7, 8, 9].map { Float($0) })
    #expect(tensor.encoding.description == "uint\(bits) per tensor")
  }

  @Test func singleBitsAreStoredInTwo() throws {
    let tensor = try Self.weights(Self.words(1, [0b1010_1010, 0b1000_0000], Self.linear([2], [-1])))
    #expect(tensor.floats() == [1, -1, 1, -1, 1, -1, 1, -1, 1])
  }

  @Test func scalesRunAlongOutputChannels() throws {
    let tensor = try Self.weights(
      Self.words(8, [1, 1, 1, 1, 1, 1, 1, 1, 1], Self.linear([1, 10, 100], [0.5, 0, 0])))
    #expect(tensor.floats() == [1.5, 1.5, 1.5, 10, 10, 10, 100, 100, 100])
  }

  @Test func scalesOfATransposedConvolutionInGroupsRunAlongItsOutputs() throws {
    // Two groups of one input and two outputs each: [2, 2, 1, 1], four output channels.
    let model = HandMadeModel([
      .convolution("x", "a", outputs: 2, taps: 1),
      HandMadeModel.Layer(100, ["a"], ["b"]) {
        $0.number(1, 4)
        $0.number(2, 2)
        $0.number(10, 2)
        $0.numbers(20, [1, 1])
        $0.number(60, 1)
        $0.message(90, Self.words(8, [1, 1, 1, 1], Self.linear([1, 2, 3, 4], [])))
      }, .convolution("b", "y", inputs: 4, taps: 1),
    ])
    let constants = try model.network().graph.constants.values
    #expect(constants.contains { $0.tensor.floats() == [1, 2, 3, 4] && $0.tensor.shape == [2, 2, 1, 1] })
  }

  @Test func tablesAreLookedUp() throws {
    let tensor = try Self.weights(
      Self.words(2, [0b00_01_10_11, 0b11_10_01_00, 0b01_00_00_00]) {
        $0.message(102) { $0.floats(1, [0, 5, 7, -9]) }
      })
    #expect(tensor.floats() == [0, 5, 7, -9, -9, 7, 5, 0, 5])
  }

  @Test func halvesStayHalves() throws {
    let tensor = try Self.weights { $0.block(2, [UInt8](repeating: 0, count: 16) + [0x00, 0x3C]) }
    #expect(tensor.encoding == .plain(.float16) && tensor.floats().last == 1)
  }

  static let refused: [(String, HandMadeModel.Fields)] = [
    ("has 8 weights where its shape [3, 3, 1, 1] wants 9", { $0.floats(1, [1, 2, 3, 4, 5, 6, 7, 8]) }),
    ("has 4 bytes of 4-bit weights, too few", words(4, [1, 2, 3, 4], linear([1], []))),
    ("has weights of 9 bits", words(9, [UInt8](repeating: 1, count: 20), linear([1], []))),
    (
      "has 2 scales and 0 biases for 3 output channels",
      words(8, [UInt8](repeating: 1, count: 9), linear([1, 2], []))
    ),
    (
      "has scales or biases of its quantization that are not finite",
      words(8, [UInt8](repeating: 1, count: 9), linear([.nan], []))
    ),
    (
      "has a lookup table that is empty: its weights are lost",
      words(4, [1, 2, 3, 4, 5]) { $0.message(102) { _ in } }
    ),
    (
      "has a lookup table of 3 values for words of 2 bits",
      words(2, [1, 2, 3]) { $0.message(102) { $0.floats(1, [1, 2, 3]) } }
    ),
    ("has quantized weights without scales or a table", words(4, [1, 2, 3, 4, 5]) { _ in }),
    ("has quantized weights without their quantization", { $0.block(30, [1, 2, 3, 4, 5, 6, 7, 8, 9]) }),
    ("has weights for a layer that quantizes its input too", { $0.block(31, [1, 2, 3, 4, 5, 6, 7, 8, 9]) }),
    (
      "has weights stored in two ways at once",
      {
        $0.floats(1, [1]); $0.block(2, [0, 0])
      }
    ),
    ("has halves that end in the middle of one", { $0.block(2, [0, 0, 0]) }),
  ]

  @Test(arguments: refused.indices) func unsoundWeightsAreRefused(_ index: Int) throws {
    let (expected, fields) = Self.refused[index]
    do throws(StyleModelError) {
      _ = try Self.weights(fields)
      Issue.record("is read")
    } catch {
      #expect(error.message.hasPrefix("layer 0 (convolution), weights: " + expected), "\(error.message)")
    }
  }
}
