import Diagnostics
import ModelGraph
import Tensors
import Testing

@testable import Recipes

@Suite struct RecipeLanguageTests {
  private let weights: [(String, [Int])] = [
    ("a.0.w", [3, 3, 3, 5]), ("a.1.w", [3, 3, 1, 1]), ("last", [3, 3, 1, 1]),
  ]

  @Test func turnsKernelsRound() throws {
    let recipe = """
      recipe "test" {
        pixels(unit)
        input %x
        %x = conv(%x, weight: swapped(flipped(@"w")), padding: half(@"w"))
        output %x
      }
      """
    let options = RecipeOptions(recipes: try Recipe.parse(recipe))
    let floats = (0..<54).map { Float($0) }
    let dict = StateDict(
      entries: [.init(name: "w", tensor: StoredTensor(shape: [3, 3, 1, 6], floats: floats))],
      container: "test")
    let model = try dict.recognised(options)
    let kernel = try #require(model.graph.constantsInOrder.first).constant.tensor
    #expect(model.graph.constants.count == 1)
    // Kernel [0, 1] is what [1, 0] was, which begins at 18; its numbers run backwards.
    #expect(kernel.floats()[6..<12] == [23, 22, 21, 20, 19, 18])
    #expect(kernel.floats()[..<6] == [5, 4, 3, 2, 1, 0])
    let scalar = StateDict(
      entries: [.init(name: "w", tensor: StoredTensor(shape: [3], floats: [1, 2, 3]))], container: "test")
    let error = #expect(throws: StyleModelError.self) { try scalar.recognised(options) }
    #expect(error?.problem.contains("wants a kernel") == true)
  }

  @Test func loopsHalvesAndChoices() throws {
    let recipe = """
      recipe "test" {
        pixels(unit)
        input %x
        repeat i from 0 while "a.{i}.w" exists {
          %x = pad(%x, amounts: half(@"a.{i}.w"), mode: reflect)
          %x = conv(%x, weight: @"a.{i}.w", bias: optional(@"a.{i}.b"), groups: auto)
        }
        %x = conv(%x, weight: @"a.{i}.w" | @"last")
        %x = leaky_relu(%x, slope: when(@"a.1.w", 0.5, 0.1))
        output %x
      }
      """
    let options = RecipeOptions(recipes: try Recipe.parse(recipe))
    let model = try FamilyStateDicts.dict(weights).recognised(options)
    let lines = model.graph.nodes.map { model.graph.line(for: $0) }
    #expect(lines[0].contains("amounts: [1, 2, 1, 2]"))
    #expect(lines[4].contains("weight: @\"last\""))
    #expect(lines[5].contains("slope: 0.5"))
    #expect(lines.count == 6)
  }

  @Test func blocksStandWhereTheyAreUsed() throws {
    let recipe = """
      recipe "test" {
        pixels(unit)
        input %x
        block plain(%out, %in, key, s) {
          %out = conv(%in, weight: @"{key}.w", stride: s, padding: half(@"{key}.w"))
        }
        block named(%out, s, key) { use plain(%out, %out, s, key) }
        block twice(%v, first, act) {
          use named(%v, first, 1)
          %w = relu(%v)
          %v = clamp(%w, lower: act, upper: 6)
        }
        repeat i from 0 while "a.{i}.w" exists { use twice(%x, "a.{i}", 0.5) }
        %x = conv(%x, weight: @"last")
        output %x
      }
      """
    let options = RecipeOptions(recipes: try Recipe.parse(recipe))
    let graph = try FamilyStateDicts.dict(weights).recognised(options).graph
    let lines = graph.nodes.map { graph.line(for: $0) }
    #expect(lines.count == 7)
    #expect(lines[0].contains("weight: @\"a.0.w\", padding: [1, 2, 1, 2])"))
    #expect(lines[2].contains("lower: 0.5, upper: 6.0"))
    #expect(lines[3].contains("weight: @\"a.1.w\")"))
  }

  @Test(arguments: [
    ("block b() { use b() } use b()", "there is no block 'b' before this"),
    ("use b()", "there is no block 'b' before this"),
    ("block b() { } block b() { }", "there are two blocks 'b'"),
    ("block b(%x, p) { } use b(%x)", "'b' wants 2 arguments, not 1"),
    ("block b(%x) { } use b(\"a\")", "is given a value where a text or number is wanted"),
    ("block b(p) { } use b(%x)", "is given a value where a text or number is wanted"),
    ("block b(1) { }", "stands where a parameter such as %x or p is wanted"),
    (
      "block a() { %x = relu(%x) %x = relu(%x) } block b() { "
        + String(repeating: "use a() ", count: 200) + "} block c() { "
        + String(repeating: "use b() ", count: 200) + "}",
      "grow beyond all measure"
    ),
  ])
  func mistakesInBlocksAreNamed(statements: String, message: String) {
    do {
      _ = try Recipe.parse("recipe \"a\" { pixels(unit) input %x \(statements) output %x }")
      Issue.record("accepted \(statements)")
    } catch { #expect(error.message.contains(message), "\(error.message)") }
  }

  @Test(arguments: [
    ("", "holds no recipe"),
    ("graph { }", "a recipe starts with"),
    ("recipe { }", "a recipe starts with"),
    ("recipe \"a\" { titel \"b\" }", "'titel' is not a statement"),
    ("recipe \"a\" {\nrepeat i from 0 while \"b\" exists { } }", "line 2: the key 'b' does not count"),
    ("recipe \"a\" { input %x output %x }", "does not say what pixels"),
    (
      "recipe \"a\" { pixels(unit) input %x %x = conv(%x, weight: @\"last{i}\") output %x }", "no loop counts"
    ),
    ("recipe \"a\" { pixels(unit) input %x %x = conv(%x, weight: @\"last{\") output %x }", "lacks a '}'"),
    (
      "recipe \"a\" { pixels(unit) input %x %x = conv(%x, weight: twice(@\"last\")) output %x }",
      "is not understood"
    ),
    ("recipe \"a\" { pixels(umit) input %x output %x }", "wants one of imagenet, raw255, unit, signed"),
    (
      "recipe \"a\" { pixels(unit) input %x %x = conv(%x, weight: @\"last\", stride: 0) output %x }",
      "wants 2 whole"
    ),
  ])
  func mistakesAreNamedWithTheirLine(text: String, message: String) {
    do {
      let options = RecipeOptions(recipes: try Recipe.parse(text))
      _ = try FamilyStateDicts.dict([("last", [3, 3, 1, 1])]).recognised(options)
      Issue.record("accepted \(text)")
    } catch { #expect(error.message.contains(message), "\(error.message)") }
  }
}
