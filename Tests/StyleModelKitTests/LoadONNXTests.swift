import StyleModelKit
import TestSupport
import Testing

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
    // The weights lie in a file beside.
    #expect(inspection.sizes.map(\.byteCount) == [inspection.byteCount])
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
