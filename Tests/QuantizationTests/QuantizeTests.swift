import Diagnostics
import ModelGraph
import Tensors
import TestSupport
import Testing

@testable import Quantization

@Suite struct QuantizeTests {
  /// Two convolutions with norms between them, and one that enlarges: 3 → 8 → 8 → 3 channels.
  private func network(
    edit: (inout [String: StoredTensor]) throws -> Void = { _ in }
  ) throws -> Graph {
    var random = SeededRandom(seed: 11)
    var tensors: [String: StoredTensor] = [:]
    for (name, shape) in [
      ("down.weight", [8, 3, 3, 3]), ("down.bias", [8]), ("norm.gamma", [8]), ("norm.beta", [8]),
      ("up.weight", [8, 4, 3, 3]), ("up.bias", [8]), ("out.weight", [3, 8, 3, 3]), ("out.bias", [3]),
    ] {
      let shape = Shape(shape)
      tensors[name] = StoredTensor(shape: shape, floats: random.floats(shape.count))
    }
    try edit(&tensors)
    let text = """
      graph {
        pixels(order: rgb, input_scale: [1, 1, 1], input_bias: [0, 0, 0], output_scale: [1, 1, 1],
          output_bias: [0, 0, 0], rounding: nearest_even)
        input %x "image"
        %a = conv(%x, weight: @"down.weight", bias: @"down.bias", padding: [1, 1, 1, 1])
        %b = instance_norm(%a, gamma: @"norm.gamma", beta: @"norm.beta", epsilon: 1e-5)
        %c = conv_transpose(%b, weight: @"up.weight", bias: @"up.bias", padding: [1, 1, 1, 1], groups: 2)
        %d = conv(%c, weight: @"out.weight", bias: @"out.bias", padding: [1, 1, 1, 1])
        output %d
      }
      """
    return try Graph(text: text, constants: tensors)
  }

  private func tensor(_ name: String, _ graph: Graph) throws -> StoredTensor {
    let value = try #require(graph.constant(named: name))
    return try #require(graph.tensor(value))
  }

  @Test func onlyConvolutionsBecomeIntegers() throws {
    let (graph, report) = try quantized(network(), options: QuantizationOptions())
    #expect(
      report.tensors.map { "\($0.name) \($0.after)" } == [
        "down.weight int8 per channel (axis 0)", "down.bias float16", "norm.gamma float16",
        "norm.beta float16",
        "up.weight int8 per channel (axis 1)", "up.bias float16", "out.weight int8 per channel (axis 0)",
        "out.bias float16",
      ])
    #expect(report.notes == [])
    // The groups of a transposed convolution share the four scales of its axis 1.
    guard case .affine(let encoding) = try tensor("up.weight", graph).encoding else {
      Issue.record("up.weight is not quantized")
      return
    }
    #expect(encoding.scales.count == 4)
    #expect(report.tensors[0].bytesBefore == 4 * 216)
    #expect(report.tensors[0].bytesAfter == 216 + 4 * 8)
    #expect(report.bytesAfter == report.tensors.map(\.bytesAfter).reduce(0, +))
    try graph.verify()
  }

  @Test(
    arguments: [
      ("int8-affine", "uint8 affine per channel (axis 0)"), ("int8-per-tensor", "int8 per tensor"),
      ("int4-affine-per-tensor", "uint4 affine per tensor"), ("int3", "int3 per channel (axis 0)"),
      ("fp16", "float16"), ("fp32", "float32"),
    ])
  func followsTheScheme(name: String, type: String) throws {
    let (_, report) = try quantized(network(), options: try QuantizationOptions(named: name))
    #expect(report.tensors[0].after == type)
  }

  @Test func tinyWeightsBecomeHalves() throws {
    // 3 → 1 numbers a channel: a byte and a 4-byte scale are more than a half.
    var graph = Graph(contract: PixelPreset.unit.contract)
    let weight = graph.addConstant(
      "w", StoredTensor(shape: [3, 1, 1, 1], floats: [0.5, 0.25, 2]))
    graph.append(.convolution(Convolution(input: graph.input.value, weight: weight, groups: 3)))
    let (result, report) = try quantized(graph, options: QuantizationOptions())
    #expect(result.tensor(weight)?.encoding == .plain(.float16))
    #expect(report.notes == ["w: too small to gain by int8 per channel (axis 0), stored as a float"])
  }

  /// Decoding and rounding once more would move the last bits of some scales.
  @Test(arguments: ["int8", "int8-affine", "int8-per-tensor", "int4", "int3-affine-per-tensor"])
  func aTensorInTheFormWantedStaysBitForBit(name: String) throws {
    let options = try QuantizationOptions(named: name)
    let (first, _) = try quantized(network(), options: options)
    let (second, report) = try quantized(first, options: options)
    #expect(second == first)
    let kept = report.tensors.filter { $0.note?.hasSuffix(" already, kept bit for bit") == true }
    #expect(!kept.isEmpty)
    #expect(kept.allSatisfy { $0.before == $0.after && $0.after.contains("int") })
    let alike = kept.count { $0.after == kept[0].after }
    let others = alike > 1 ? " and \(alike - 1) more" : ""
    #expect(report.notes.first == "\(kept[0].name)\(others): is \(kept[0].after) already, kept bit for bit")
  }

  @Test func quantizedInputIsDecodedFirstAndSaysSo() throws {
    let (first, _) = try quantized(network(), options: try QuantizationOptions(named: "int8-affine"))
    let (second, report) = try quantized(first, options: try QuantizationOptions(named: "int4"))
    #expect(report.tensors[0].note == "was uint8 affine per channel (axis 0) already, decoded first")
    #expect(report.tensors[0].after == "int4 per channel (axis 0)")
    let direct = try quantizeToIntegers(
      tensor("down.weight", first).floats(), shape: [8, 3, 3, 3],
      form: IntegerForm(bits: 4, isAffine: false, axis: 0))
    #expect(try tensor("down.weight", second) == direct)
    let (third, decoded) = try quantized(second, options: try QuantizationOptions(named: "fp32"))
    #expect(decoded.tensors[0].note == "was int4 per channel (axis 0), decoded")
    #expect(try tensor("down.weight", third).floats() == tensor("down.weight", second).floats())
  }

  @Test func halvesBecomeIntegersOfWhatTheyHold() throws {
    let (halves, first) = try quantized(network(), options: try QuantizationOptions(named: "fp16"))
    let (integers, second) = try quantized(halves, options: QuantizationOptions())
    #expect(first.tensors[0].bytesAfter == 2 * 216)
    #expect(second.tensors[0].bytesBefore == 2 * 216)
    let direct = try quantizeToIntegers(
      tensor("down.weight", halves).floats(), shape: [8, 3, 3, 3],
      form: IntegerForm(bits: 8, isAffine: false, axis: 0))
    #expect(try tensor("down.weight", integers) == direct)
    // The norms are halves already and stay the very same.
    #expect(try tensor("norm.beta", integers) == tensor("norm.beta", halves))
  }

  @Test func keptTensorsStayBitForBit() throws {
    let bfloats = StoredTensor(shape: [8], floats: [Float](repeating: 1, count: 8))
    let graph = try network { tensors in
      tensors["norm.gamma"] = try StoredTensor(
        shape: [8], encoding: .plain(.bfloat16), bytes: Array(0..<16))
      tensors["norm.beta"] = bfloats
    }
    let options = QuantizationOptions(keep: ["first", "last", "norm.gamma"])
    let (result, report) = try quantized(graph, options: options)
    for name in ["down.weight", "down.bias", "out.weight", "out.bias", "norm.gamma"] {
      #expect(try tensor(name, result) == tensor(name, graph), "\(name)")
    }
    #expect(try tensor("up.weight", result) != tensor("up.weight", graph))
    #expect(report.tensors.filter { $0.note == "kept as it is" }.count == 5)
  }

  @Test func notesThatSayTheSameAreOneLineOfTheSummary() throws {
    let (first, none) = try quantized(network(), options: QuantizationOptions())
    #expect(none.summary == [])
    let (_, report) = try quantized(
      first, options: QuantizationOptions(storage: .integers(bits: 4), keep: ["up.weight"]))
    #expect(
      report.summary == [
        "2 tensors: was int8 per channel (axis 0) already, decoded first", "up.weight: kept as it is",
      ])
  }

  @Test func unknownNamesToKeepAreAnswered() throws {
    let graph = try network()
    let error = #expect(throws: StyleModelError.self) {
      try quantized(graph, options: QuantizationOptions(keep: ["down.weigth"]))
    }
    #expect(error?.kind == .usage)
    #expect(
      error?.message == "there is no tensor 'down.weigth' to keep; did you mean 'down.weight'?")
  }

  @Test func whatHalvesCannotHoldStaysFloat() throws {
    let graph = try network { tensors in
      tensors["norm.gamma"] = StoredTensor(shape: [8], floats: [1, 2, 3, 4, 5, 6, 7, 70000])
      tensors["norm.beta"] = StoredTensor(shape: [8], floats: [1, 2, 3, 4, 5, 6, 7, 1e-20])
    }
    let (result, report) = try quantized(graph, options: QuantizationOptions())
    #expect(try tensor("norm.gamma", result) == tensor("norm.gamma", graph))
    #expect(try tensor("norm.beta", result) == tensor("norm.beta", graph))
    #expect(
      report.notes == [
        "norm.gamma: reaches 70000.0, beyond float16's 65504; stored as float32",
        "norm.beta: holds 1e-20, which float16 holds too coarsely; stored as float32",
      ])
  }

  @Test func affineChannelsBeyondTheFloatsStayFloat() throws {
    var floats = [Float](repeating: 0, count: 216)
    floats[0] = 3e38
    floats[1] = -3e38
    let graph = try network { $0["down.weight"] = StoredTensor(shape: [8, 3, 3, 3], floats: floats) }
    let (result, report) = try quantized(graph, options: try QuantizationOptions(named: "int8-affine"))
    #expect(try tensor("down.weight", result) == tensor("down.weight", graph))
    #expect(report.notes == ["down.weight: spans more than a float can, stored as float32"])
  }

  @Test func aWeightUsedAlongTwoAxesHasOneScale() throws {
    var graph = Graph(contract: PixelPreset.unit.contract)
    var random = SeededRandom(seed: 4)
    let weight = graph.addConstant(
      "w", StoredTensor(shape: [3, 3, 3, 3], floats: random.floats(81)))
    let first = graph.append(.convolution(Convolution(input: graph.input.value, weight: weight)))
    graph.append(.transposedConvolution(TransposedConvolution(input: first, weight: weight)))
    let (result, report) = try quantized(graph, options: QuantizationOptions())
    #expect(result.tensor(weight)?.encoding.description == "int8 per tensor")
    #expect(report.notes == ["w: used along two axes, hence one scale for the tensor"])
  }

  @Test(arguments: ["fp32", "fp16", "int8"]) func nonFiniteWeightsAreRefused(name: String) throws {
    let graph = try network { tensors in
      tensors["norm.gamma"] = StoredTensor(shape: [8], floats: [1, .nan, 3, .infinity, 5, .nan, 7, 8])
      tensors["out.bias"] = StoredTensor(shape: [3], floats: [0, 0, -.infinity])
    }
    let options = try QuantizationOptions(named: name)
    let error = #expect(throws: StyleModelError.self) { try quantized(graph, options: options) }
    #expect(error?.kind == .badInput)
    #expect(
      error?.message
        == "tensor norm.gamma: holds 3 numbers of 8 that are not finite (2 NaN, 1 infinite), like 1 other tensor; the training has diverged; take an earlier checkpoint"
    )
    #expect(throws: try #require(error)) { try requireFiniteWeights(graph) }
  }
}
