import Diagnostics
import ModelGraph
import Tensors
import TestSupport
import Testing

@testable import Passes

@Suite struct FoldBatchNormTests {
  private let tensors = weights([
    "c.weight": [6, 3, 3, 3], "c.bias": [6], "depth": [6, 1, 3, 3], "groups": [4, 3, 3, 3],
    "up": [6, 2, 3, 3],
    "last": [3, 6, 1, 1], "m": [6], "variance": [6], "g": [6], "h": [6], "m4": [4], "4variance": [4],
    "last4": [3, 4, 1, 1], "m3": [3], "3variance": [3], "g3": [3],
  ])
  /// Weights and biases are rounded to float once more; sums of a few dozen of them, relative to the peak.
  private let floatRounding = 1e-6

  @Test func foldsIntoAConvolution() throws {
    let given = """
      %a = conv(%x, weight: @"c.weight", bias: @"c.bias", stride: [2, 1], padding: [1, 1, 1, 1])
      %b = batch_norm(%a, mean: @"m", variance: @"variance", gamma: @"g", beta: @"h", epsilon: 0.001)
      %y = conv(%b, weight: @"last")
      """
    let (_, notes) = try FoldBatchNorm().expect(
      given: given,
      result: """
        %a = conv(%x, weight: @"c.weight", bias: @"c.bias", stride: [2, 1], padding: [1, 1, 1, 1])
        %y = conv(%a, weight: @"last")
        """, tensors)
    #expect(notes.map(\.subject) == ["g"])
    #expect(notes.map(\.text) == [NormCase.storedAfterConvolution.outcome.text])
    try expectPreserves(
      Graph(text: wrapped(given), constants: tensors), within: floatRounding, by: FoldBatchNorm().apply)
  }

  /// By hand: f = 3 / sqrt(3 + 1) = 1.5 and 1 / sqrt(0 + 1) = 1, and (b - m) * f + h.
  @Test func computesWhatTheTextbookSays() throws {
    var tensors = [
      "w": StoredTensor(shape: [2, 3, 1, 1], floats: [1, 2, 3, 4, 5, 6]),
      "b": StoredTensor(shape: [2], floats: [10, 20]), "m": StoredTensor(shape: [2], floats: [8, -1]),
      "v": StoredTensor(shape: [2], floats: [3, 0]), "g": StoredTensor(shape: [2], floats: [3, 1]),
      "h": StoredTensor(shape: [2], floats: [0.5, -21]),
    ]
    tensors["last"] = weights(["last": [3, 2, 1, 1]])["last"]
    let (graph, _) = try FoldBatchNorm().expect(
      given: """
        %a = conv(%x, weight: @"w", bias: @"b")
        %b = batch_norm(%a, mean: @"m", variance: @"v", gamma: @"g", beta: @"h", epsilon: 1)
        %y = conv(%b, weight: @"last")
        """,
      result: "%a = conv(%x, weight: @\"w\", bias: @\"b\")\n%y = conv(%a, weight: @\"last\")", tensors)
    #expect(graph.constant(named: "w").flatMap { graph.tensor($0) }?.floats() == [1.5, 3, 4.5, 4, 5, 6])
    #expect(graph.constant(named: "b").flatMap { graph.tensor($0) }?.floats() == [3.5, 0])
  }

  @Test(arguments: [
    // Without a bias; the norm without gamma and beta.
    """
    %a = conv(%x, weight: @"c.weight", padding: [1, 1, 1, 1], padding_mode: reflect)
    %b = batch_norm(%a, mean: @"m", variance: @"variance", epsilon: 0)
    %y = conv(%b, weight: @"last")
    """,
    // Depthwise.
    """
    %a = conv(%x, weight: @"c.weight")
    %b = conv(%a, weight: @"depth", groups: 6, bias: @"c.bias")
    %c = batch_norm(%b, mean: @"m", variance: @"variance", gamma: @"g", epsilon: 0.01)
    %y = conv(%c, weight: @"last")
    """,
    // In two groups.
    """
    %a = conv(%x, weight: @"c.weight")
    %b = conv(%a, weight: @"groups", groups: 2)
    %c = batch_norm(%b, mean: @"m4", variance: @"4variance", epsilon: 0.01)
    %y = conv(%c, weight: @"last4")
    """,
    // Transposed, in three groups: input channels 0 and 1 make output channels 0 and 1, and so on.
    """
    %a = conv(%x, weight: @"c.weight")
    %b = conv_transpose(%a, weight: @"up", stride: [2, 2], padding: [1, 0, 1, 0], output_padding: [1, 1], groups: 3)
    %c = batch_norm(%b, mean: @"m", variance: @"variance", beta: @"h", epsilon: 0.01)
    %y = conv(%c, weight: @"last")
    """,
    // Transposed, in one group.
    """
    %a = conv(%x, weight: @"c.weight")
    %b = conv_transpose(%a, weight: @"last6x3", bias: @"m3")
    %y = batch_norm(%b, mean: @"m3", variance: @"3variance", gamma: @"g3", epsilon: 0.01)
    """,
    // A chain of norms.
    """
    %a = conv(%x, weight: @"c.weight")
    %b = batch_norm(%a, mean: @"m", variance: @"variance", gamma: @"g", epsilon: 0.01)
    %c = batch_norm(%b, mean: @"h", variance: @"variance", beta: @"h", epsilon: 1000000)
    %d = batch_norm(%c, mean: @"m", variance: @"variance", epsilon: 1)
    %y = conv(%d, weight: @"last")
    """,
    // After a live norm, with and without gamma and beta.
    """
    %a = conv(%x, weight: @"c.weight")
    %b = instance_norm(%a, gamma: @"g", beta: @"h", epsilon: 0.01)
    %c = batch_norm(%b, mean: @"m", variance: @"variance", gamma: @"g", beta: @"h", epsilon: 0.01)
    %d = instance_norm(%c, epsilon: 1)
    %e = batch_norm(%d, mean: @"m", variance: @"variance", epsilon: 0.01)
    %y = conv(%e, weight: @"last")
    """,
  ])
  func everyKindOfFoldPreservesTheNetwork(text: String) throws {
    var tensors = tensors
    tensors["last6x3"] = weights(["w": [6, 3, 2, 2]])["w"]
    let graph = try Graph(text: wrapped(text), constants: tensors)
    let (after, notes) = try expectPreserves(graph, within: floatRounding, by: FoldBatchNorm().apply)
    #expect(notes.allSatisfy { $0.kind == .done })
    #expect(!after.nodes.contains { $0.operation.mnemonic == "batch_norm" })
    #expect(after.constants.values.allSatisfy { $0.tensor.encoding == .plain(.float32) })
  }

  /// The first has nothing to go into and takes the second in.
  @Test func storedNormsFoldIntoEachOther() throws {
    let given = """
      %a = relu(%x)
      %b = batch_norm(%a, mean: @"m3", variance: @"3variance", gamma: @"g3", epsilon: 0.5)
      %y = batch_norm(%b, mean: @"m3", variance: @"3variance", epsilon: 0.5)
      """
    let (_, notes) = try FoldBatchNorm().expect(
      given: given,
      result: """
        %a = relu(%x)
        %y = batch_norm(%a, mean: @"m3", variance: @"3variance", gamma: @"g3", beta: @"m3.beta", epsilon: 0.5)
        """, tensors)
    #expect(notes.map(\.text) == [NormCase.storedAfterOther, .storedAfterNorm].map(\.outcome.text))
    try expectPreserves(
      Graph(text: wrapped(given), constants: tensors), within: floatRounding, by: FoldBatchNorm().apply)
  }

  @Test func zeroGammaFoldsToItsBeta() throws {
    var tensors = tensors
    tensors["g"] = StoredTensor(shape: [6], floats: [0, 1, 0, -2, 0, 3])
    let text = """
      %a = conv(%x, weight: @"c.weight", bias: @"c.bias")
      %b = batch_norm(%a, mean: @"m", variance: @"variance", gamma: @"g", beta: @"h", epsilon: 0.01)
      %y = conv(%b, weight: @"last")
      """
    let graph = try Graph(text: wrapped(text), constants: tensors)
    let (after, _) = try expectPreserves(graph, within: floatRounding, by: FoldBatchNorm().apply)
    let weight = try #require(after.constant(named: "c.weight").flatMap { after.tensor($0) }).floats()
    #expect(weight[..<27].allSatisfy { $0 == 0 } && weight[27..<54].contains { $0 != 0 })
    let bias = try #require(after.constant(named: "c.bias").flatMap { after.tensor($0) }).floats()
    #expect(bias[0] == tensors["h"]?.floats()[0])
  }

  @Test func namesNewTensorsAfterTheirLayer() throws {
    try FoldBatchNorm().expect(
      given: """
        %a = conv(%x, weight: @"c.weight")
        %b = batch_norm(%a, mean: @"m", variance: @"variance", epsilon: 1)
        %c = instance_norm(%b, epsilon: 1)
        %d = batch_norm(%c, mean: @"m", variance: @"variance", epsilon: 1)
        %y = conv(%d, weight: @"last")
        """,
      result: """
        %a = conv(%x, weight: @"c.weight", bias: @"c.bias")
        %c = instance_norm(%a, gamma: @"m.gamma", beta: @"m.beta", epsilon: 1)
        %y = conv(%c, weight: @"last")
        """, tensors)
  }

  @Test func sharedTensorsAreLeftToTheirOthers() throws {
    let given = """
      %a = conv(%x, weight: @"w3", bias: @"m3")
      %b = batch_norm(%a, mean: @"m3", variance: @"3variance", beta: @"m3", epsilon: 1)
      %c = conv(%b, weight: @"w3", bias: @"m3")
      %d = batch_norm(%c, mean: @"g3", variance: @"3variance", epsilon: 1)
      %y = conv(%d, weight: @"w3")
      """
    var tensors = tensors
    tensors["w3"] = weights(["w": [3, 3, 2, 2]])["w"]
    try FoldBatchNorm().expect(
      given: given,
      result: """
        %a = conv(%x, weight: @"w3.folded", bias: @"m3.folded")
        %c = conv(%a, weight: @"w3.folded.2", bias: @"m3.folded.2")
        %y = conv(%c, weight: @"w3")
        """, tensors)
    try expectPreserves(
      Graph(text: wrapped(given), constants: tensors), within: floatRounding, by: FoldBatchNorm().apply)
  }

  @Test(arguments: [
    Encoding.plain(.float16), .affine(AffineEncoding(bits: 8, isSigned: true, axis: nil, scales: [0.125])),
  ])
  func decodesAndSaysSo(encoding: Encoding) throws {
    var tensors = tensors
    let bytes: [UInt8] =
      encoding == .plain(.float16) ? (0..<9).flatMap { _ in [0x00, 0x3C] } : (1...9).map { $0 * 3 }
    let weight = try StoredTensor(shape: [3, 3, 1, 1], encoding: encoding, bytes: bytes)
    tensors["q"] = weight
    let text = """
      %a = conv(%x, weight: @"q")
      %y = batch_norm(%a, mean: @"m3", variance: @"3variance", gamma: @"g3", epsilon: 1)
      """
    let (after, notes) = try expectPreserves(
      Graph(text: wrapped(text), constants: tensors), within: floatRounding, by: FoldBatchNorm().apply)
    #expect(after.constant(named: "q").flatMap { after.tensor($0) }?.encoding == .plain(.float32))
    let words =
      encoding == .plain(.float16) ? "float16 numbers became float32" : "8-bit numbers were decoded first"
    #expect(notes.count == 1 && notes[0].text.hasSuffix(words))
  }

  @Test(arguments: [
    ("%y = batch_norm(%x, mean: @\"m3\", variance: @\"3variance\", epsilon: 1)", NormCase.storedAfterOther),
    (
      "%a = relu(%x)\n%y = batch_norm(%a, mean: @\"m3\", variance: @\"3variance\", epsilon: 1)",
      .storedAfterOther
    ),
    (
      """
      %a = conv(%x, weight: @"w3")
      %b = batch_norm(%a, mean: @"m3", variance: @"3variance", epsilon: 1)
      %y = add(%a, %b)
      """, .storedAfterSharedResult
    ),
    (
      """
      %a = instance_norm(%x, epsilon: 1)
      %b = batch_norm(%a, mean: @"m3", variance: @"3variance", epsilon: 1)
      %y = add(%b, %a)
      """, .storedAfterSharedResult
    ),
    // A variance that cancels epsilon, and one whose root is imaginary.
    (
      """
      %a = conv(%x, weight: @"w3")
      %y = batch_norm(%a, mean: @"m3", variance: @"zero", epsilon: 0)
      """, .storedOutOfRange
    ),
    (
      """
      %a = conv(%x, weight: @"w3")
      %y = batch_norm(%a, mean: @"m3", variance: @"negative", epsilon: 1)
      """, .storedOutOfRange
    ),
    // Finite numbers whose product is not.
    (
      """
      %a = conv(%x, weight: @"w3")
      %y = batch_norm(%a, mean: @"m3", variance: @"3variance", gamma: @"huge", epsilon: 1e-05)
      """, .storedOutOfRange
    ),
    // A gamma that is spoilt already.
    (
      """
      %a = conv(%x, weight: @"w3")
      %y = batch_norm(%a, mean: @"m3", variance: @"3variance", gamma: @"nan", epsilon: 1e-05)
      """, .storedOutOfRange
    ),
  ])
  func leavesAlone(text: String, expected: NormCase) throws {
    var tensors = tensors
    tensors["w3"] = StoredTensor(shape: [3, 3, 1, 1], floats: [Float](repeating: 2, count: 9))
    tensors["zero"] = StoredTensor(shape: [3], floats: [1, 0, 1])
    tensors["negative"] = StoredTensor(shape: [3], floats: [1, 1, -2])
    tensors["huge"] = StoredTensor(shape: [3], floats: [1, 1, 3e38])
    tensors["nan"] = StoredTensor(shape: [3], floats: [1, .nan, 1])
    tensors["3variance"] = StoredTensor(shape: [3], floats: [1, 1, 0.1])
    let graph = try Graph(text: wrapped(text), constants: tensors)
    var after = graph
    let notes = try FoldBatchNorm().apply(&after)
    #expect(after == graph)
    #expect(notes.map(\.text) == [expected.outcome.text])
    #expect(notes.map(\.kind) == [.leftAlone])
  }
}
