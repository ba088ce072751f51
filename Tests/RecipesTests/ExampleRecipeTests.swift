import Diagnostics
import ModelGraph
import Tensors
import TestSupport
import Testing

@testable import Recipes

/// The recipe that the documentation walks through.
@Suite struct ExampleRecipeTests {
  private func options() throws -> RecipeOptions {
    let text = String(decoding: try fixtureBytes("recipes/separable.recipe"), as: UTF8.self)
    return RecipeOptions(recipes: try Recipe.parse(text))
  }

  @Test(arguments: [5, 2, 0]) func knowsItsNetwork(blocks: Int) throws {
    let tensors = FamilyStateDicts.separable(blocks: blocks)
    let model = try FamilyStateDicts.dict(tensors).recognised(options())
    let graph = model.graph
    #expect(model.recipe.name == "separable" && model.notes == [])
    #expect(graph.constants.count == tensors.count, "every tensor is used")
    #expect(graph.contract.summary.hasPrefix("raw255") && graph.contract.rounding == .truncate)
    let convolutions = graph.nodes.compactMap { node in
      if case .convolution(let convolution) = node.operation { convolution } else { nil }
    }
    #expect(convolutions.count == 2 * (6 + 2 * blocks))
    for (index, convolution) in convolutions.enumerated() {
      let weight = try #require(graph.tensor(convolution.weight)).shape
      let isDepthwise = index % 2 == 0
      #expect(convolution.groups == (isDepthwise ? weight[0] : 1))
      #expect(convolution.paddingMode == .zero && convolution.padding.top == weight[2] / 2)
    }
    #expect(convolutions.filter { $0.stride.vertical == 2 }.count == 2)
    #expect(graph.nodes.filter { $0.operation.mnemonic == "instance_norm" }.count == 5 + 2 * blocks)
    let odd = try graph.shapes(for: PictureSize(width: 97, height: 131))
    #expect(odd[graph.output]?.dimensions == [1, 3, 132, 100])
  }

  /// It runs to pixels that are finite and not all alike.
  @Test func runs() throws {
    let graph = try FamilyStateDicts.dict(FamilyStateDicts.separable(blocks: 1)).recognised(options()).graph
    var random = SeededRandom(seed: 3)
    let pixels = random.floats(3 * 12 * 16, in: 0...255).map(Double.init)
    let output = try PlainExecutor(graph).run(
      PlainExecutor.Map(channels: 3, height: 12, width: 16, values: pixels))
    #expect(output.channels == 3 && output.height == 12 && output.width == 16)
    #expect(output.values.allSatisfy(\.isFinite) && Set(output.values).count > 500)
  }

  @Test func noBuiltInRecipeTakesItForItsOwn() throws {
    let dict = FamilyStateDicts.dict(FamilyStateDicts.separable())
    #expect(throws: StyleModelError.self) { try dict.recognised() }
    // A family's network is not the example's either.
    let other = FamilyStateDicts.dict(FamilyStateDicts.pytorchExamples())
    let options = try options()
    let error = #expect(throws: StyleModelError.self) { try other.recognised(options) }
    #expect(error?.message.contains("the nearest known family is separable") == true)
  }

  @Test func aMissingTensorIsNamed() throws {
    let tensors = FamilyStateDicts.separable().filter { $0.0 != "resblocks.3.conv2.pointwise.bias" }
    let options = try options()
    let error = #expect(throws: StyleModelError.self) {
      try FamilyStateDicts.dict(tensors).recognised(options)
    }
    #expect(error?.message.hasPrefix("tensor 'resblocks.3.conv2.pointwise.bias': is missing") == true)
  }
}
