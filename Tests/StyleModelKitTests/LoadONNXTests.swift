import TestSupport
import Testing

@testable import StyleModelKit

/// What stands in for the pixel contract that an ONNX file has not.
@Suite struct LoadONNXTests {
  private let path = fixturePath("onnx/opset17.onnx")

  private func options(_ preset: PixelPreset) -> ImportOptions {
    var contract = ContractOverride()
    contract.preset = preset
    return ImportOptions(contract: contract)
  }

  @Test func withoutAWordOnItsPixelsItIsNotTaken() {
    do {
      _ = try loadModel(path)
      Issue.record("it was taken")
    } catch {
      #expect(error.kind == .badInput)
      #expect(error.file == path)
      #expect(error.problem.hasPrefix("does not say which pixels the network wants and gives"))
      #expect(error.remedy?.contains("--io PRESET") == true)
      #expect(
        error.remedy?.contains("imagenet is likely: on a sample picture its output lies between") == true)
    }
  }

  @Test func halfAWordIsNoneEither() {
    var contract = ContractOverride()
    contract.inputScale = [1, 1, 1]
    #expect(throws: StyleModelError.self) { try loadModel(path, options: ImportOptions(contract: contract)) }
  }

  @Test(arguments: PixelPreset.allCases) func theUsersWordIsTaken(preset: PixelPreset) throws {
    let model = try loadModel(path, options: options(preset))
    #expect(model.graph.contract == preset.contract)
    #expect(!model.pixelsAreUnknown && model.pixelGuess == nil)
    #expect(model.notes == ["the file does not say what its pixels mean: they are as the command line says"])
  }

  @Test func inspectionGoesOnWithAGuess() throws {
    let inspection = try inspectFile(path)
    let model = try inspection.model.get()
    #expect(model.pixelsAreUnknown)
    #expect(model.pixelGuess?.preset == .imagenet)
    #expect(inspection.tensors.count == 62)
    #expect(inspection.sizes.reduce(0) { $0 + $1.byteCount } == inspection.byteCount)
  }

  /// What lies in a file beside is a part of the model: its bytes are counted, and its digest follows them.
  @Test func filesBesideBelongToTheModel() throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let network = try fixtureBytes("onnx/opset17.onnx")
    var weights = try fixtureBytes("onnx/mosaic.weights")
    let path = try folder.write(network, as: "network.onnx")
    func load() -> StyleModelError? { failure { () throws(StyleModelError) in _ = try loadModel(path) } }
    #expect(load()?.kind == .cannotOpen)
    #expect(load()?.file?.hasSuffix("mosaic.weights") == true)
    try folder.write(weights, as: "mosaic.weights")
    let model = try loadModel(path, options: options(.imagenet))
    #expect(model.byteCount == network.count + weights.count)
    #expect(try loadModel(path, options: options(.imagenet)).sha256 == model.sha256)
    weights[weights.count / 2] ^= 1
    try folder.write(weights, as: "mosaic.weights")
    #expect(try loadModel(path, options: options(.imagenet)).sha256 != model.sha256)
    // What was made from it finds it again only as long as both are what they were.
    let small = try convert(model, quantization: .int8)
    let made = try loadModel(try folder.write(small.bytes, as: "network.stylemodel"))
    #expect(
      failure { () throws(StyleModelError) in _ = try loadSource(of: made, at: nil, options: nil) }?.problem
        .contains("its SHA-256 differs") == true)
    weights[weights.count / 2] ^= 1
    try folder.write(weights, as: "mosaic.weights")
    #expect(try loadSource(of: made, at: nil, options: options(.imagenet)).graph == model.graph)
  }

  /// A file of our own says what its pixels mean and where it comes from; nothing needs to be added.
  @Test func ourOwnFilesNeedNoWord() throws {
    let source = try loadModel(fixturePath(mosaic))
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let conversion = try convert(source, quantization: .int8, format: .onnx)
    let path = try folder.write(conversion.bytes, as: "network.onnx")
    let model = try loadModel(path)
    #expect(model.graph.contract == source.graph.contract)
    #expect(model.notes.isEmpty && !model.pixelsAreUnknown)
    #expect(model.provenance?.sourceSHA256 == source.sha256)
    #expect(model.container == "ONNX model, operator set 17, by stylemodel \(stylemodelVersion)")
    // Options for checkpoints do not apply to it.
    #expect(try loadModel(path, checkpointOptions: options(.raw255)).graph.contract == source.graph.contract)
  }

  @Test(arguments: [
    (Activation.Function.tanh, PixelPreset.signed), (.sigmoid, .unit),
    (.clamp(lower: 0, upper: 255), .raw255),
    (.clamp(lower: 0, upper: 1), .unit), (.clamp(lower: -1, upper: 1), .signed),
    (.linear(scale: 1, bias: 0), .raw255), (.linear(scale: 1 / 255, bias: 0), .unit),
    (.linear(scale: 1 / 127.5, bias: -1), .signed), (.linear(scale: 1 / 57, bias: -2), .imagenet),
  ]) func guessesByTheEndOfTheNetwork(function: Activation.Function, expected: PixelPreset) throws {
    var graph = Graph(contract: PixelPreset.raw255.contract)
    graph.append(.activation(Activation(input: graph.input.value, function: function)))
    #expect(PixelGuess(graph)?.preset == expected)
  }
}
