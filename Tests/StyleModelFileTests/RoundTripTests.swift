import Diagnostics
import ModelGraph
import Tensors
import Testing

@testable import StyleModelFile

@Suite struct RoundTripTests {
  private func expectSame(_ first: StyleModel, _ second: StyleModel) {
    #expect(operations(first.graph) == operations(second.graph))
    #expect(first.graph.constantsInOrder.map(\.constant) == second.graph.constantsInOrder.map(\.constant))
    #expect(first.graph.contract == second.graph.contract)
    #expect(first.graph.input.name == second.graph.input.name)
    #expect(first.graph.styles == second.graph.styles)
    #expect(first.provenance == second.provenance)
  }

  /// The files of the first version hold all the operations of their time; this one came later.
  @Test(arguments: Resize.Placement.allCases) func resamplingComesBack(placement: Resize.Placement) throws {
    var graph = Graph(contract: PixelPreset.unit.contract)
    graph.append(.resize(Resize(input: graph.output, size: Pair(65536, 1), placement: placement)))
    graph.append(.resize(Resize(input: graph.output, size: Pair(30, 40), placement: placement)))
    let model = StyleModel(graph: graph, provenance: sampleProvenance)
    expectSame(model, try decodeStyleModel(encodeStyleModel(model)))
  }

  @Test(
    arguments: [
      .any, .listed([PictureSize(width: 640, height: 960), PictureSize(width: 960, height: 640)]),
      .range(width: ClosedSizeRange(lower: 64, upper: nil), height: ClosedSizeRange(lower: 64, upper: 1024)),
    ] as [PixelContract.Sizes])
  func allOperationsComeBack(sizes: PixelContract.Sizes) throws {
    let model = try modelOfAllOperations(sizes: sizes)
    // What is tested must not grow short when operations are added.
    #expect(
      Set(model.graph.nodes.map(\.operation.mnemonic))
        == Set(Operation.mnemonics).subtracting(ConditionalInstanceNorm.mnemonics + Resize.mnemonics))
    let bytes = try encodeStyleModel(model)
    let decoded = try decodeStyleModel(bytes)
    expectSame(model, decoded)
    #expect(try encodeStyleModel(decoded) == bytes)
    #expect(try decodeStyleModel(encodeStyleModel(decoded)) == decoded)
  }

  @Test(arguments: [["wave", "scream", "night"], []])
  func stylesComeBack(names: [String]) throws {
    let model = try modelOfStyles(names: names)
    let bytes = try encodeStyleModel(model)
    #expect(bytes[12] == 4)
    expectSame(model, try decodeStyleModel(bytes))
    #expect(try decodeStyleModel(bytes).graph.styles?.names == names)
  }

  @Test func allEncodingsComeBackBitForBit() throws {
    let model = try modelOfAllEncodings()
    expectSame(model, try decodeStyleModel(encodeStyleModel(model)))
  }

  @Test func theSameModelGivesTheSameBytes() throws {
    #expect(try encodeStyleModel(modelOfAllOperations()) == encodeStyleModel(modelOfAllOperations()))
  }

  @Test func unusedPartsAreLeftOut() throws {
    var model = try smallModel()
    let bytes = try encodeStyleModel(model)
    let output = model.graph.output
    _ = model.graph.addConstant("idle", StoredTensor(shape: [9], floats: [Float](repeating: 1, count: 9)))
    model.graph.append(.activation(Activation(input: output, function: .relu)))
    model.graph.output = output
    #expect(try encodeStyleModel(model) == bytes)
  }

  @Test func sizesAddUpToTheFile() throws {
    for model in [try smallModel(), try modelOfAllEncodings(), try modelOfAllOperations()] {
      let bytes = try encodeStyleModel(model)
      let sizes = try styleModelSizes(of: bytes)
      #expect(sizes.totalByteCount == bytes.count)
      #expect(sizes.preambleByteCount == Preamble.length)
      #expect((0..<(8 * sizes.payloads.count)).contains(sizes.paddingByteCount))
      let constants = model.graph.constantsInOrder.map(\.constant)
      #expect(sizes.payloads.map(\.name) == constants.map(\.name))
      #expect(sizes.rawByteCount == constants.reduce(0) { $0 + $1.tensor.storedByteCount })
      #expect(sizes.payloads.allSatisfy { $0.isCompressed == ($0.storedByteCount < $0.rawByteCount) })
    }
  }

  @Test func whatCompressesIsCompressed() throws {
    var graph = Graph(contract: PixelPreset.unit.contract)
    let weight = graph.addConstant(
      "w", StoredTensor(shape: [3, 3, 5, 5], floats: [Float](repeating: 0.5, count: 225)))
    graph.append(.convolution(Convolution(input: graph.input.value, weight: weight)))
    let bytes = try encodeStyleModel(StyleModel(graph: graph, provenance: sampleProvenance))
    let payload = try styleModelSizes(of: bytes).payloads[0]
    #expect(payload.isCompressed)
    #expect(payload.storedByteCount < payload.rawByteCount / 4)
  }

  /// What unfolds to more than a reader allows is stored raw.
  @Test func emptinessIsNotCompressedBeyondTheBound() throws {
    var graph = Graph(contract: PixelPreset.unit.contract)
    let zeros = [Float](repeating: 0, count: 3 * 3 * 64 * 64)
    let weight = graph.addConstant("w", StoredTensor(shape: [3, 3, 64, 64], floats: zeros))
    graph.append(.convolution(Convolution(input: graph.input.value, weight: weight)))
    let model = StyleModel(graph: graph, provenance: sampleProvenance)
    let bytes = try encodeStyleModel(model)
    #expect(try styleModelSizes(of: bytes).payloads[0].isCompressed == false)
    expectSame(model, try decodeStyleModel(bytes))
  }

  @Test func whatIsNotKnownOfTheOriginStaysUnknown() throws {
    var model = try smallModel()
    model.provenance.recipe = nil
    model.provenance.options = []
    expectSame(model, try decodeStyleModel(encodeStyleModel(model)))
  }

  @Test func whatReadersRefuseIsNotWritten() throws {
    var model = try smallModel()
    model.provenance.sourceName = "../secret.pth"
    #expect(throws: StyleModelError.self) { try encodeStyleModel(model) }
    model = try smallModel()
    model.provenance.tool = "nul\0tool"
    #expect(throws: StyleModelError.self) { try encodeStyleModel(model) }
    model = try smallModel()
    model.graph.contract.sizes = .listed([PictureSize(width: 70_000, height: 2)])
    let error = #expect(throws: StyleModelError.self) { try encodeStyleModel(model) }
    #expect(error?.message.contains("cannot be stored") == true)
    model = try smallModel()
    model.graph.contract.inputScale[0] = .infinity
    #expect(throws: StyleModelError.self) { try encodeStyleModel(model) }
  }
}
