import Diagnostics
import Tensors
import TestSupport
import Testing

@testable import ModelGraph

@Suite struct StyleSetTests {
  private let set = StyleSet(inputName: "index", count: 3, names: ["wave", "the scream", "1"])

  @Test(
    arguments: [
      ("0", [1, 0, 0]), ("2", [0, 0, 1]), ("wave", [1, 0, 0]), ("the scream", [0, 1, 0]),
      // A number comes before a name.
      ("1", [0, 1, 0]),
    ] as [(String, [Float])])
  func aStyleIsNamedOrNumbered(selector: String, expected: [Float]) throws {
    #expect(try StyleBlend(style: selector).weights(in: set) == expected)
  }

  @Test(arguments: ["3", "-1", "", "Wave", "0 ", "99999999999999999999"])
  func whatIsNoStyleIsRefusedWithTheList(selector: String) throws {
    let error = #expect(throws: StyleModelError.self) { try StyleBlend(style: selector).weights(in: set) }
    #expect(error?.kind == .usage)
    #expect(error?.remedy?.contains("3 styles, chosen by 'index': 0 (wave), 1 (the scream), 2 (1)") == true)
  }

  @Test(
    arguments: [
      ("0:0.5,2:0.5", [0.5, 0, 0.5]), ("wave:2", [2, 0, 0]), ("0:-1,the scream:1e-3", [-1, 0.001, 0]),
    ] as [(String, [Float])])
  func aBlendIsReadAndTakenAsItIs(text: String, expected: [Float]) throws {
    let blend = try #require(StyleBlend(text))
    #expect(try blend.weights(in: set) == expected)
    #expect(StyleBlend(blend.text) == blend)
  }

  @Test(arguments: ["", "0", ":1", "0:", "0:x", "0:1,", "0:inf", "0:nan", ",0:1"])
  func whatIsNoBlendIsNotRead(text: String) { #expect(StyleBlend(text) == nil) }

  @Test func aStyleCannotStandTwice() {
    let error = #expect(throws: StyleModelError.self) {
      try StyleBlend("0:0.5,wave:0.5")?.weights(in: set)
    }
    #expect(error?.problem == "style 0 stands twice in a blend")
  }

  @Test func equalBlendsAreWrittenAlike() throws {
    #expect(try StyleBlend("the scream:0.5,wave:0.5")?.resolved(in: set) == StyleBlend("0:0.5,1:0.5"))
    #expect(StyleBlend(style: 2).arguments == ["--style", "2"])
    #expect(StyleBlend("0:0.5,1:0.5")?.arguments == ["--blend", "0:0.5,1:0.5"])
    #expect(StyleBlend("0:1")?.arguments == ["--style", "0"])
  }

  @Test func labelsAreFitForFileNames() {
    #expect(set.label(of: 1) == "style1-the-scream")
    #expect(StyleSet(inputName: "i", count: 2).label(of: 1) == "style1")
    #expect(StyleSet(inputName: "i", count: 1, names: ["../a b\n"]).label(of: 0) == "style0----a-b-")
  }
}

@Suite struct ConditionalGraphTests {
  private let text = """
    graph {
      pixels(raw255)
      styles(input: "in\\"dex", count: 2, names: ["a", "b, c"])
      input %x
      %y = conditional_instance_norm(%x, gamma: @"g", beta: @"b", epsilon: 1e-05)
      output %y
    }
    """
  private var tensors: [String: StoredTensor] {
    var random = SeededRandom(seed: 3)
    return ["g": random.tensor([2, 3], in: 0...1), "b": random.tensor([2, 3], in: -1...1)]
  }

  @Test func theTextFormIsReadBack() throws {
    let graph = try Graph(text: text, constants: tensors)
    #expect(graph.styles == StyleSet(inputName: "in\"dex", count: 2, names: ["a", "b, c"]))
    #expect(try Graph(text: graph.text, constants: tensors) == graph)
  }

  @Test(arguments: [
    ("count: 2", "count: 3", "has 2 names for 3 styles"),
    ("count: 2, names: [\"a\", \"b, c\"]", "count: 3", "a row for each of 3 styles"),
    ("count: 2", "count: 0", "has 0 styles"), ("count: 2", "count: 1.5", "another kind"),
    ("count: 2, ", "", "wants 'input:' and 'count:'"),
    ("count: 2", "count: 2, index: 1", "does not know 'index:'"),
    ("styles(input: \"in\\\"dex\", count: 2, names: [\"a\", \"b, c\"])", "", "does not say which there are"),
    (
      "conditional_instance_norm(%x, gamma: @\"g\", beta: @\"b\"", "instance_norm(%x",
      "styles that nothing depends on"
    ),
    ("epsilon: 1e-05", "epsilon: 0", "epsilon above zero"), (", beta: @\"b\"", "", "lacks 'beta:'"),
  ])
  func whatDoesNotFitIsRefused(old: String, new: String, message: String) {
    let changed = text.replacing(old, with: new)
    #expect(changed != text)
    let error = #expect(throws: StyleModelError.self) { try Graph(text: changed, constants: tensors) }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [[3], [2, 4], [3, 2], [2, 3, 1], [0, 3]])
  func tablesOfOtherShapesAreRefused(shape: [Int]) {
    var tensors = tensors
    tensors["b"] = StoredTensor(shape: Shape(shape), floats: [Float](repeating: 0, count: Shape(shape).count))
    #expect(throws: StyleModelError.self) { try Graph(text: text, constants: tensors) }
  }

  @Test func aGraphOfOneStyleAsksForNone() throws {
    let error = #expect(throws: StyleModelError.self) {
      try Graph(text: text, constants: tensors).requireOneStyle()
    }
    #expect(error?.kind == .usage)
    #expect(error?.message.contains("has 2 styles") == true)
    #expect(error?.remedy?.contains("--style K") == true)
    #expect(throws: Never.self) { try Graph(contract: PixelPreset.unit.contract).requireOneStyle() }
  }
}
