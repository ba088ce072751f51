import Diagnostics
import Tensors
import Testing

@testable import ModelGraph

@Suite struct GraphTextTests {
  /// One of every operation.
  static let text = """
    graph {
      pixels(imagenet, order: bgr, rounding: truncate, widths: [64, -1], heights: [64, 1024])
      input %x "image"  // a comment
      %a = conv(%x, weight: @"down", bias: @"b8", stride: [2, 2], padding: [1, 1, 1, 1], padding_mode: reflect)
      %b = instance_norm(%a, gamma: @"g8", beta: @"b8", epsilon: 1e-05)
      %c = relu(%b)
      %d = conv(%c, weight: @"depth", padding: [1, 1, 1, 1], groups: 8)
      %e = batch_norm(%d, mean: @"b8", variance: @"g8", epsilon: 0.001)
      %f = add(%e, %c)
      %g = leaky_relu(%f, slope: 0.2)
      %h = conv_transpose(%g, weight: @"up", stride: [2, 2], padding: [1, 1, 1, 1], output_padding: [1, 1])
      %i = pad(%h, amounts: [1, 2, 3, 4], mode: replicate)
      %j = crop(%i, amounts: [1, 2, 3, 4])
      %k = clamp(%j, lower: 0, upper: 6)
      %l = mul(%k, %j)
      %m = tanh(%l)
      %n = linear(%m, scale: 150)
      %o = upsample(%n, factor: [2, 1], mode: nearest)
      %p = conv(%o, weight: @"one", stride: [2, 1])
      %q = sub(%p, %m)
      %r = sigmoid(%q)
      %s = resize(%r, size: [300, 200], placement: corners)
      output %s
    }
    """

  static let constants: [String: StoredTensor] = [
    "down": filled([8, 3, 3, 3]), "b8": filled([8]), "g8": filled([8]), "depth": filled([8, 1, 3, 3]),
    "up": filled([8, 3, 3, 3]), "one": filled([3, 3, 1, 1]),
  ]

  static func filled(_ shape: Shape) -> StoredTensor {
    StoredTensor(shape: shape, floats: (0..<shape.count).map { Float($0 % 7) })
  }

  @Test func printsWhatItReads() throws {
    let graph = try Graph(text: Self.text, constants: Self.constants)
    let again = try Graph(text: graph.text, constants: Self.constants)
    #expect(again.text == graph.text)
    // Conditional norms want styles beside them: ConditionalGraphTests has them.
    #expect(
      Set(graph.nodes.map(\.operation.mnemonic))
        == Set(Operation.mnemonics).subtracting(ConditionalInstanceNorm.mnemonics))
    #expect(graph.contract.channelOrder == .bgr && graph.contract.rounding == .truncate)
    #expect(graph.contract.sizes.description == "width 64 and more, height 64…1024")
    #expect(graph.text.contains("%1 = conv(%0, weight: @\"down\"") == false, "constants are values as well")
    #expect(graph.text.contains("// [1, 8, 128, 128]"))
  }

  @Test func infersShapesAtOddSizes() throws {
    let graph = try Graph(text: Self.text, constants: Self.constants)
    let shapes = try graph.shapes(for: PictureSize(width: 97, height: 131))
    #expect(shapes[graph.nodes[graph.nodes.count - 2].result] == [1, 3, 132, 98])
    #expect(shapes[graph.output] == [1, 3, 300, 200])
    #expect(shapes[graph.nodes[0].result] == [1, 8, 66, 49])
  }

  @Test func keysMayHoldQuotesAndBackslashes() throws {
    let name = #"a"b\c"#
    let text = "graph { input %x %y = conv(%x, weight: @\(quoted(name))) output %y }"
    let graph = try Graph(text: text, constants: [name: Self.filled([3, 3, 1, 1])])
    #expect(graph.constantsInOrder.map(\.constant.name) == [name])
    #expect(try Graph(text: graph.text, constants: [name: Self.filled([3, 3, 1, 1])]).text == graph.text)
  }

  @Test(arguments: [
    ("graph { input %x output %y }", "line 1: %y is not assigned"),
    ("graph { input %x\n%y = relu(%z)\noutput %y }", "line 2: %z is not assigned"),
    ("graph { input %x %y = relu(%x) %y = relu(%x) output %y }", "%y is assigned twice"),
    ("graph { input %x %y = rleu(%x) output %y }", "'rleu' is not known"),
    ("graph { input %x %y = relu(%x, %x) output %y }", "relu is given too many values"),
    ("graph { input %x %y = relu(%x, gamma: %x) output %y }", "does not know 'gamma:'"),
    ("graph { input %x %y = relu(%x, slope: 1) output %y }", "does not know 'slope:'"),
    ("graph { input %x %y = pad(%x, amounts: [1, 1, 1], mode: zero) output %y }", "wants 4 whole numbers"),
    (
      "graph { input %x %y = pad(%x, amounts: [1, 1, 1, 1], mode: symmetric) output %y }",
      "wants one of zero, reflect"
    ),
    (
      "graph { input %x %y = pad(%x, amounts: [256, 0, 0, 0], mode: reflect) output %y }",
      "reflects 256 pixels"
    ),
    ("graph { input %x %y = conv(%x, weight: @\"none\") output %y }", "there is no tensor 'none'"),
    ("graph { input %x %y = conv(%x, weight: @\"b8\") output %y }", "wants weights [C_out"),
    ("graph { input %x %y = conv(%x, weight: @\"depth\") output %y }", "does not fit 3 channels"),
    ("graph { input %x %y = conv(%x, weight: @\"down\") output %y }", "the output has 8 channels"),
    ("graph { input %x %y = relu(%x) }", "'output %name' is missing"),
    ("graph { input %x %y = relu(half(@\"b8\")) output %y }", "an argument that a graph cannot say"),
    ("graph { repeat i from 0 while \"a{i}\" exists { } }", "belongs into a recipe"),
    ("graph { input %x %y = relu(%x output %y }", "stands where ',' is wanted"),
    ("graph { input %x \"", "a quotation mark is missing"),
    ("graph { input %x %y = clamp(%x, lower: 1e99, upper: 2) output %y }", "is not a number"),
    ("graph { " + String(repeating: "repeat i from 0 while \"a\" exists { ", count: 100), "nested too deep"),
    ("graph { input %x %y = f(" + String(repeating: "[", count: 100_000), "nested too deep"),
    ("", "does not hold one graph"),
  ])
  func namesWhatIsWrong(text: String, message: String) {
    do {
      _ = try Graph(text: text, constants: Self.constants)
      Issue.record("read \(text)")
    } catch { #expect(error.message.contains(message), "\(error.message)") }
  }
}
