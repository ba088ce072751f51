import Diagnostics
import ModelGraph
import StyleModelFile
import Tensors
import TestSupport
import Testing

@testable import CoreMLExporter

/// A network of these operations on three channels, from `%x` to `%y`.
private func model(
  _ operations: String, _ tensors: [String: StoredTensor] = [:],
  pixels: String = "pixels(raw255, sizes: [[64, 48]])", styles: String = "", input: String = "picture"
) throws(StyleModelError) -> StyleModel {
  let text = "graph {\n\(pixels)\n\(styles)\ninput %x \"\(input)\"\n\(operations)\noutput %y\n}"
  let provenance = Provenance(
    sourceName: "mösäïk.pth", sourceByteCount: 255, sourceSHA256: Array(0..<32), options: ["--int8"],
    tool: "stylemodel 0.1", recipe: "eriklindernoren")
  return StyleModel(graph: try Graph(text: text, constants: tensors), provenance: provenance)
}

/// The numbers of a layer's own fields are its name, inputs and outputs; the one beyond 99 is its kind.
extension WireMessage {
  fileprivate var layers: [WireMessage] { at(500).messages(1) }
  fileprivate var kind: Int { fields.map(\.number).first { $0 >= 100 } ?? 0 }
  fileprivate var parameters: WireMessage { at(kind) }
  fileprivate var version: Int { number(1) }
}

private func written(_ model: StyleModel) throws -> WireMessage { WireMessage(try encodeMLModel(model)) }

@Suite struct EncodeMLModelTests {
  private static let seeded: [String: StoredTensor] = {
    var random = SeededRandom(seed: 9)
    var tensors: [String: StoredTensor] = [:]
    for (name, shape) in [
      ("c.weight", [3, 3, 3, 3]), ("c.bias", [3]), ("d.weight", [3, 3, 4, 4]), ("g", [3]), ("h", [3]),
      ("m", [3]),
      ("table", [2, 3]),
    ] as [(String, [Int])] { tensors[name] = random.tensor(Shape(shape), in: 0.1...1) }
    return tensors
  }()

  // MARK: Operations

  /// Each operation by the kinds of the layers that say it, and the lowest version that knows them. The last layer is
  /// the output's.
  @Test(arguments: [
    ("conv(%x, weight: @\"c.weight\", bias: @\"c.bias\", padding: [1, 0, 1, 2])", [100], 1),
    ("conv(%x, weight: @\"c.weight\", padding: [1, 1, 1, 1], padding_mode: reflect)", [200, 100], 1),
    ("conv(%x, weight: @\"c.weight\", same: lower, padding_mode: replicate)", [200, 100], 1),
    ("conv(%x, weight: @\"c.weight\", same: upper, stride: [2, 2])", [100], 1),
    (
      "conv_transpose(%x, weight: @\"d.weight\", stride: [2, 2], padding: [1, 1, 1, 1], output_padding: [1, 1])",
      [100], 1
    ),
    (
      "conv_transpose(%x, weight: @\"d.weight\", bias: @\"c.bias\", stride: [2, 2], output_padding: [1, 0])",
      [100, 200, 250], 1
    ),
    ("pad(%x, amounts: [1, 2, 3, 4], mode: zero)", [200], 1), ("crop(%x, amounts: [1, 2, 3, 4])", [190], 1),
    ("instance_norm(%x, gamma: @\"g\", epsilon: 0.001)", [160], 1),
    ("batch_norm(%x, mean: @\"m\", variance: @\"h\", epsilon: 0)", [160], 1),
    ("resize(%x, size: [30, 40], placement: start)", [211], 3), ("relu(%x)", [130], 1),
    ("leaky_relu(%x, slope: 0.2)", [130], 1), ("sigmoid(%x)", [130], 1),
    ("tanh(%x)", [130], 1),
    ("linear(%x, scale: 2, bias: 1)", [130], 1), ("clamp(%x, lower: 0, upper: 6)", [660], 4),
    ("add(%x, %x)", [230], 1),
    ("sub(%x, %x)", [130, 230], 1), ("mul(%x, %x)", [231], 1),
    ("upsample(%x, factor: [2, 3], mode: nearest)", [210], 1),
    ("upsample(%x, factor: [2, 2], mode: bilinear)", [210], 5),
  ])
  func everyOperationIsLayers(operation: String, kinds: [Int], version: Int) throws {
    let file = try written(try model("%y = " + operation, Self.seeded))
    #expect(Array(file.layers.map(\.kind).dropLast()) == kinds)
    #expect(file.version == version)
    // Wired from the picture to the output, each blob written once and before it is read.
    var known: Set<String> = ["picture"]
    for layer in file.layers {
      #expect(layer.texts(2).allSatisfy(known.contains))
      #expect(layer.texts(3).allSatisfy { known.insert($0).inserted })
    }
    #expect(file.layers.last?.texts(3) == ["stylizedImage"])
    #expect(Set(file.layers.map { $0.text(1) }).count == file.layers.count)
  }

  @Test func everyKindOfOperationIsInTheTable() {
    #expect(Operation.mnemonics.count == 18)
  }

  @Test func whatTheFormatCannotSayIsRefusedByName() throws {
    for (operation, sizes, message) in [
      ("resize(%x, size: [30, 40], placement: centers)", "sizes: [[64, 48]]", "about pixel centres"),
      ("conv_transpose(%x, weight: @\"d.weight\", dilation: [2, 2])", "sizes: [[64, 48]]", "with dilation"),
      (
        "conv(%x, weight: @\"c.weight\", same: upper, stride: [2, 2], padding_mode: reflect)",
        "widths: [64, 128], heights: [64, 128]", "pads by the picture's size"
      ),
    ] {
      let model = try model("%y = " + operation, Self.seeded, pixels: "pixels(raw255, \(sizes))")
      let error = #expect(throws: StyleModelError.self) { try encodeMLModel(model) }
      #expect(error?.kind == .badInput)
      #expect(error?.place?.contains(" = \(operation.prefix(6))") == true)
      #expect(error?.problem.contains(message) == true)
      #expect(error?.remedy != nil)
    }
  }

  @Test func convolutionsSayTheirGeometry() throws {
    let file = try written(
      try model(
        "%y = conv(%x, weight: @\"c.weight\", bias: @\"c.bias\", stride: [2, 1], padding: [1, 2, 3, 4], dilation: [1, 2])",
        Self.seeded))
    let layer = file.layers[0]
    #expect(layer.text(1) == "c")
    let convolution = layer.parameters
    #expect((convolution.number(1), convolution.number(2), convolution.number(10)) == (3, 3, 1))
    #expect(convolution.smallNumbers(20) == [3, 3])
    #expect(convolution.smallNumbers(30) == [2, 1])
    #expect(convolution.smallNumbers(40) == [1, 2])
    let edges = convolution.at(50, 1).messages(10)
    #expect(edges.map { [$0.number(1), $0.number(2)] } == [[1, 3], [2, 4]])
    #expect(convolution.number(70) == 1)
    #expect(convolution.at(90).floats(1) == Self.seeded["c.weight"]?.floats())
    #expect(convolution.at(91).floats(1) == Self.seeded["c.bias"]?.floats())
  }

  /// Every flag of a norm is what decides elsewhere how it is read.
  @Test func normsSayWhatTheyAre() throws {
    let live = try written(try model("%y = instance_norm(%x, beta: @\"h\", epsilon: 0.5)", Self.seeded))
      .layers[0].parameters
    #expect((live.number(5), live.number(6), live.float(10)) == (1, 1, 0.5))
    #expect(live.at(15).floats(1) == [1, 1, 1])
    #expect(live.at(16).floats(1) == Self.seeded["h"]?.floats())
    let stored = try written(
      try model("%y = batch_norm(%x, mean: @\"m\", variance: @\"h\", epsilon: 0)", Self.seeded)
    ).layers[0].parameters
    #expect((stored.number(5), stored.number(6)) == (0, 0))
    // 0 would be read as the usual 1e-5.
    #expect(stored.float(10) == .leastNormalMagnitude)
    #expect(stored.at(17).floats(1) == Self.seeded["m"]?.floats())
    #expect(stored.at(18).floats(1) == Self.seeded["h"]?.floats())
  }

  // MARK: Weights

  @Test func integersArePackedFromTheTop() {
    #expect(packedFromTheTop([1, 2, 3, 4], bits: 4) == [0x12, 0x34])
    #expect(packedFromTheTop([1, 2, 3], bits: 6) == [0x04, 0x20, 0xc0])
    #expect(packedFromTheTop([5, 2], bits: 3) == [0b1010_1000])
    #expect(packedFromTheTop([255, 0, 7], bits: 8) == [255, 0, 7])
  }

  /// What the file says, by Core ML's own rule, is what the tensor says: word * scale + bias.
  @Test(arguments: [2, 3, 4, 5, 6, 7, 8], [true, false])
  func integersDecodeToTheSameWeights(bits: Int, isSigned: Bool) throws {
    var random = SeededRandom(seed: UInt64(bits))
    let range = isSigned ? -(1 << (bits - 1))...((1 << (bits - 1)) - 1) : 0...((1 << bits) - 1)
    let integers = (0..<81).map { _ in Int.random(in: range, using: &random) }
    let encoding = AffineEncoding(
      bits: bits, isSigned: isSigned, axis: 0, scales: [0.5, 0.011, 3],
      offsets: isSigned ? [] : [0.25, -1, 0])
    let weight = try StoredTensor(
      shape: [3, 3, 3, 3], encoding: .affine(encoding), bytes: packIntegers(integers, bits: bits))
    let file = try written(
      try model("%y = conv(%x, weight: @\"w\")", ["w": weight]))
    #expect(file.version == 3)
    let stored = file.layers[0].parameters.at(90)
    #expect(stored.at(40).number(1) == bits)
    let (scales, biases) = (stored.at(40, 101).floats(1), stored.at(40, 101).floats(2))
    var flags = stored.bytes(30).flatMap { byte in (0..<8).map { Int(byte >> UInt8(7 - $0) & 1) } }[...]
    for (index, expected) in weight.floats().enumerated() {
      let word = flags.prefix(bits).reduce(0) { $0 << 1 | $1 }
      flags = flags.dropFirst(bits)
      let found = Float(word) * scales[index / 27] + biases[index / 27]
      #expect(abs(found - expected) <= 1e-6 * scales[index / 27] * Float(1 << bits))
    }
    #expect(flags.count < 8)
  }

  /// Halves stay halves where a whole layer is of them, and beside integers; beside floats they become floats.
  @Test func aLayerDoesNotMixFloatsAndHalves() throws {
    func half(_ shape: Shape) throws -> StoredTensor {
      try StoredTensor(
        shape: shape, encoding: .plain(.float16), bytes: (0..<shape.count).flatMap { _ in [0x00, 0x3c] })
    }
    var tensors = Self.seeded
    tensors["hw"] = try half([3, 3, 1, 1])
    tensors["hb"] = try half([3])
    func convolution(_ weight: String, _ bias: String) throws -> (WireMessage, version: Int) {
      let file = try written(try model("%y = conv(%x, weight: @\"\(weight)\", bias: @\"\(bias)\")", tensors))
      return (file.layers[0].parameters, file.version)
    }
    let both = try convolution("hw", "hb")
    #expect(both.0.at(90).bytes(2).count == 18 && both.0.at(91).bytes(2).count == 6 && both.version == 2)
    let mixed = try convolution("hw", "c.bias")
    #expect(mixed.0.at(90).floats(1) == [Float](repeating: 1, count: 9) && mixed.version == 1)
    let other = try convolution("c.weight", "hb")
    #expect(other.0.at(91).floats(1) == [1, 1, 1] && other.version == 1)
    let norm = try written(try model("%y = instance_norm(%x, gamma: @\"hb\", epsilon: 1)", tensors)).layers[0]
      .parameters
    #expect(norm.at(15).floats(1) == [1, 1, 1])
  }

  /// The groups of a transposed convolution share scales here and not there.
  @Test func groupedTransposedKernelsBecomeFloats() throws {
    let encoding = AffineEncoding(bits: 8, isSigned: true, axis: 1, scales: [0.5])
    let weight = try StoredTensor(shape: [3, 1, 1, 1], encoding: .affine(encoding), bytes: [1, 2, 255])
    let file = try written(try model("%y = conv_transpose(%x, weight: @\"w\", groups: 3)", ["w": weight]))
    #expect(file.layers[0].parameters.at(90).floats(1) == [0.5, 1, -0.5])
    #expect(file.layers[0].parameters.number(1) == 3)
  }

  @Test func integersWiderThanAByteBecomeFloats() throws {
    let encoding = AffineEncoding(bits: 12, isSigned: true, axis: nil, scales: [0.5])
    let weight = try StoredTensor(
      shape: [3, 3, 1, 1], encoding: .affine(encoding),
      bytes: packIntegers((0..<9).map { 100 * $0 }, bits: 12))
    let file = try written(try model("%y = conv(%x, weight: @\"w\")", ["w": weight]))
    #expect(file.layers[0].parameters.at(90).floats(1) == (0..<9).map { 50 * Float($0) })
    #expect(file.version == 1)
  }

  // MARK: Pixels and sizes

  private static let relu = "%y = relu(%x)"

  @Test func oneScaleIsTheScalerWithBiasesByColour() throws {
    let bgr = """
      pixels(order: bgr, input_scale: [2, 2, 2], input_bias: [1, 2, 3], output_scale: [4, 4, 4], output_bias: [5, 5, 5], \
      sizes: [[64, 48]])
      """
    let file = try written(try model(Self.relu, pixels: bgr))
    let scaler = file.at(500, 2, 10)
    // Blue stands first in the network's order.
    #expect([10, 20, 21, 22].map { scaler.float($0) } == [2, 1, 2, 3])
    #expect(file.at(500, 2).text(1) == "picture")
    #expect(file.layers.map(\.kind) == [130, 130])
    #expect(file.layers.last?.at(130, 5).float(1) == 4)
    #expect(file.layers.last?.at(130, 5).float(2) == 5)
    #expect(file.at(2).messages(1)[0].at(3, 4).number(3) == 30)
    #expect(file.at(2).messages(10)[0].at(3, 4).number(3) == 30)
  }

  /// ImageNet's deviations differ by channel: three stay three, on both ends.
  @Test func threeScalesAreALayer() throws {
    let contract = PixelPreset.imagenet.contract
    let file = try written(try model(Self.relu, pixels: "pixels(imagenet, sizes: [[64, 48]])"))
    #expect(file.at(500).messages(2).isEmpty)
    #expect(file.layers.map(\.kind) == [245, 130, 245])
    #expect(file.layers[0].at(245, 2).floats(1) == contract.inputScale)
    #expect(file.layers[0].at(245, 5).floats(1) == contract.inputBias)
    #expect(file.layers[2].at(245, 2).floats(1) == contract.outputScale)
    #expect(file.layers[2].at(245, 5).floats(1) == contract.outputBias)
  }

  @Test func sizesAreOneOrListedOrARange() throws {
    func pictures(_ sizes: String) throws -> (input: WireMessage, output: WireMessage, version: Int) {
      let file = try written(try model(Self.relu, pixels: "pixels(raw255\(sizes))"))
      return (file.at(2).messages(1)[0].at(3, 4), file.at(2).messages(10)[0].at(3, 4), file.version)
    }
    let fixed = try pictures(", sizes: [[64, 48]]")
    #expect((fixed.input.number(1), fixed.input.number(2), fixed.version) == (64, 48, 1))
    #expect(fixed.input.messages(21).isEmpty && fixed.input.messages(31).isEmpty)
    let listed = try pictures(", sizes: [[64, 48], [48, 64]]")
    for picture in [listed.input, listed.output] {
      #expect(picture.at(21).messages(1).map { [$0.number(1), $0.number(2)] } == [[64, 48], [48, 64]])
    }
    #expect(listed.version == 3)
    let range = try pictures(", widths: [64, -1], heights: [48, 512]")
    for picture in [range.input, range.output] {
      #expect([picture.at(31, 1).number(1), picture.at(31, 1).number(2)] == [64, -1])
      #expect([picture.at(31, 2).number(1), picture.at(31, 2).number(2)] == [48, 512])
      #expect((picture.number(1), picture.number(2)) == (256, 256))
    }
    let any = try pictures("")
    #expect([any.input.at(31, 1).number(1), any.input.at(31, 1).number(2)] == [64, -1])
  }

  /// What strides have added is cut off: by a fixed amount where that is one, else by the picture's own size.
  @Test(arguments: [
    ("sizes: [[64, 48]]", 0, 1), ("sizes: [[63, 47]]", 1, 1), ("widths: [32, 99], heights: [32, 99]", 1, 2),
  ])
  func whatStridesHaveAddedIsCutOff(sizes: String, crops: Int, inputs: Int) throws {
    let operations = """
      %a = conv(%x, weight: @"c.weight", stride: [2, 2], padding: [1, 1, 1, 1])
      %y = upsample(%a, factor: [2, 2], mode: nearest)
      """
    let file = try written(try model(operations, Self.seeded, pixels: "pixels(raw255, \(sizes))"))
    let layers = file.layers.filter { $0.kind == 190 }
    #expect(layers.count == crops)
    for layer in layers { #expect(layer.texts(2).count == inputs) }
    let output = file.at(2).messages(10)[0].at(3, 4)
    let input = file.at(2).messages(1)[0].at(3, 4)
    #expect((output.number(1), output.number(2)) == (input.number(1), input.number(2)))
  }

  // MARK: Styles, origin

  @Test func stylesAreASecondInput() throws {
    let file = try written(
      try model(
        "%y = conditional_instance_norm(%x, gamma: @\"table\", beta: @\"table\", epsilon: 0.1)", Self.seeded,
        styles: "styles(input: \"index\", count: 2, names: [\"a\", \"b\"])"))
    #expect(file.layers.map(\.kind) == [160, 140, 140, 231, 230, 130])
    let vector = file.at(2).messages(1)[1]
    #expect(vector.text(1) == "index")
    #expect(vector.at(3, 5).smallNumbers(1) == [2])
    #expect(vector.at(3, 5).number(2) == 65600)
    let product = file.layers[1].parameters
    #expect((product.number(1), product.number(2), product.number(10)) == (2, 3, 0))
    let table = try #require(Self.seeded["table"]?.floats())
    // [C, styles] of [styles, C].
    #expect(product.at(20).floats(1) == [table[0], table[3], table[1], table[4], table[2], table[5]])
    #expect(file.layers[1].texts(2) == ["index"])
    #expect(file.version == 1)
  }

  @Test func theOriginStandsInTheMetadata() throws {
    let file = try written(try model(Self.relu))
    var entries: [String: String] = [:]
    for entry in file.at(2, 100).messages(100) { entries[entry.text(1)] = entry.text(2) }
    let provenance = try model(Self.relu).provenance
    for (key, text) in provenance.metadata { #expect(entries[key] == text) }
    #expect(file.at(2, 100).text(1).contains("mösäïk.pth"))
  }

  @Test func theSameModelGivesTheSameBytes() throws {
    let text = "%y = conv(%x, weight: @\"c.weight\", bias: @\"c.bias\")"
    #expect(try encodeMLModel(model(text, Self.seeded)) == encodeMLModel(model(text, Self.seeded)))
  }

  @Test func namesThatClashAreRefused() throws {
    let named = try model(Self.relu, input: "stylizedImage")
    let error = #expect(throws: StyleModelError.self) { try encodeMLModel(named) }
    #expect(error?.problem.contains("alike") == true)
  }
}
