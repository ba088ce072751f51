import Diagnostics
import MLProgramImporter
import ModelGraph
import StyleModelFile
import Tensors
import TestSupport
import Testing

@testable import MLProgramExporter

private let provenance = Provenance(
  sourceName: "mösäïk.pth", sourceByteCount: 255, sourceSHA256: Array(0..<32), options: ["--int8"],
  tool: "stylemodel 0.1", recipe: "own")

/// The network that is read back from a package.
private func readBack(_ files: [(name: String, bytes: [UInt8])]) throws -> MLProgramNetwork {
  let model = try #require(files.first { $0.name.hasSuffix("model.mlmodel") })
  return try readMLProgram(model.bytes) { (name) throws(StyleModelError) in
    guard let file = files.first(where: { $0.name == "Data/com.apple.CoreML/" + name }) else {
      throw StyleModelError(.cannotOpen, file: name, "is not there")
    }
    return file.bytes
  }.network.get()
}

/// A graph with every operation, in every form once at least.
private func everyOperation(sizes: PixelContract.Sizes) throws -> Graph {
  var random = SeededRandom(seed: 22)
  var tensors: [String: StoredTensor] = [:]
  for (name, shape) in [
    ("a.weight", [8, 3, 3, 3]), ("a.bias", [8]), ("norm.gamma", [8]), ("norm.beta", [8]), ("mean", [8]),
    ("gamma", [8]), ("beta", [8]), ("up.weight", [8, 4, 3, 3]), ("up.bias", [8]),
    ("wide.weight", [8, 8, 2, 2]),
    ("deep.weight", [8, 1, 3, 3]), ("same.weight", [8, 8, 4, 4]), ("out.weight", [3, 8, 3, 3]),
  ] {
    tensors[name] = StoredTensor(shape: Shape(shape), floats: random.floats(shape.reduce(1, *)))
  }
  tensors["variance"] = StoredTensor(shape: [8], floats: random.floats(8, in: 0.5...2))
  let text = """
    graph {
      pixels(order: bgr, input_scale: [0.1, 0.2, 0.3], input_bias: [-1, 0, 1], output_scale: [2, 3, 4],
        output_bias: [5, 6, 7], rounding: truncate)
      input %x "picture in"
      %a = pad(%x, amounts: [4, 3, 2, 1], mode: reflect)
      %b = conv(%a, weight: @"a.weight", bias: @"a.bias", stride: [2, 1], padding: [1, 1, 1, 1], padding_mode: replicate)
      %c = instance_norm(%b, gamma: @"norm.gamma", beta: @"norm.beta", epsilon: 1e-5)
      %d = relu(%c)
      %e = leaky_relu(%d, slope: 0.2)
      %f = clamp(%e, lower: 0, upper: 6)
      %g = batch_norm(%f, mean: @"mean", variance: @"variance", gamma: @"gamma", beta: @"beta", epsilon: 0.001)
      %h = sigmoid(%g)
      %i = tanh(%h)
      %j = linear(%i, scale: 150, bias: 127.5)
      %k = conv_transpose(%j, weight: @"up.weight", bias: @"up.bias", stride: [2, 2], padding: [1, 1, 1, 1], output_padding: [1, 1], groups: 2)
      %l = conv(%k, weight: @"deep.weight", dilation: [2, 2], groups: 8)
      %m = add(%l, %l)
      %n = sub(%m, %l)
      %o = mul(%n, %l)
      %s = conv(%o, weight: @"same.weight", stride: [2, 2], same: upper)
      %p = upsample(%s, factor: [2, 3], mode: bilinear)
      %q = crop(%p, amounts: [1, 2, 3, 0])
      %t = conv_transpose(%q, weight: @"wide.weight", bias: @"norm.beta", stride: [3, 3], output_padding: [1, 2])
      %u = upsample(%t, factor: [2, 1], mode: nearest)
      %r = conv(%u, weight: @"out.weight")
      %v = instance_norm(%r, epsilon: 0.5)
      output %v
    }
    """
  var graph = try Graph(text: text, constants: tensors)
  graph.contract.sizes = sizes
  return graph
}

private func run(_ graph: Graph, _ size: PictureSize) throws -> [Double] {
  var random = SeededRandom(seed: 7)
  let values = random.floats(3 * size.height * size.width, in: 0...255).map(Double.init)
  return try PlainExecutor(graph).run(
    PlainExecutor.Map(channels: 3, height: size.height, width: size.width, values: values)
  ).values
}

@Suite struct EncodeMLPackageTests {
  static let sizes: [PixelContract.Sizes] = [
    .any, .listed([PictureSize(width: 20, height: 16)]),
    .listed([PictureSize(width: 20, height: 16), PictureSize(width: 16, height: 22)]),
    .range(width: ClosedSizeRange(lower: 12, upper: 40), height: ClosedSizeRange(lower: 12, upper: nil)),
  ]

  /// What is read back computes the same for every size that is allowed, with the same pixels and sizes.
  @Test(arguments: sizes) func everyOperationIsReadBack(_ sizes: PixelContract.Sizes) throws {
    let graph = try everyOperation(sizes: sizes)
    let files = try encodeMLPackage(StyleModel(graph: graph, provenance: provenance))
    let network = try readBack(files)
    var expected = graph.contract
    if sizes == .any {
      // The least size that the operations can take, which is tried out.
      guard case .range(let width, let height) = network.graph.contract.sizes else {
        Issue.record("no range")
        return
      }
      #expect(width == height && width.upper == nil)
      #expect(throws: Never.self) {
        try graph.shapes(for: PictureSize(width: width.lower, height: width.lower))
      }
      #expect(throws: StyleModelError.self) {
        try graph.shapes(for: PictureSize(width: width.lower - 1, height: width.lower - 1))
      }
      expected.sizes = network.graph.contract.sizes
    }
    #expect(network.graph.contract == expected)
    #expect(network.saysPixels && network.provenance == provenance)
    for size in [PictureSize(width: 20, height: 16), PictureSize(width: 16, height: 22)]
    where expected.sizes.allow(size) {
      let before = try run(graph, size)
      let after = try run(network.graph, size)
      #expect(before.count == after.count)
      // Beyond its reach a transposed convolution's bias is added in another place.
      #expect(zip(before, after).allSatisfy { abs($0 - $1) < 1e-6 })
    }
  }

  @Test func theSameModelGivesTheSameBytes() throws {
    let model = StyleModel(graph: try everyOperation(sizes: .any), provenance: provenance)
    let first = try encodeMLPackage(model)
    let second = try encodeMLPackage(model)
    #expect(first.map(\.name) == second.map(\.name) && first.map(\.bytes) == second.map(\.bytes))
    var other = model
    other.graph.contract.inputBias = [1, 2, 3]
    #expect(try encodeMLPackage(other)[2].bytes != first[2].bytes)
  }

  private static let encodings: [(Encoding, Int)] =
    [
      (.plain(.float32), 6), (.plain(.float16), 7),
      (.affine(AffineEncoding(bits: 8, isSigned: true, axis: 0, scales: [0.5, 0.25, 3])), 7),
      (.affine(AffineEncoding(bits: 8, isSigned: true, axis: nil, scales: [0.5])), 7),
      (.affine(AffineEncoding(bits: 12, isSigned: true, axis: 0, scales: [0.5, 0.25, 3])), 6),
      (.affine(AffineEncoding(bits: 7, isSigned: false, axis: 0, scales: [0.5, 0.25, 3])), 7),
      (
        .affine(AffineEncoding(bits: 8, isSigned: false, axis: 1, scales: [1, 2, 4], offsets: [-3, 0, 1])), 7
      ),
    ]
    + [2, 3, 4, 5, 6].flatMap { bits in
      [
        (.affine(AffineEncoding(bits: bits, isSigned: true, axis: 0, scales: [0.5, 0.25, 3])), 9),
        (.affine(AffineEncoding(bits: bits, isSigned: true, axis: nil, scales: [0.7])), 9),
        (
          .affine(
            AffineEncoding(bits: bits, isSigned: false, axis: 0, scales: [1, 2, 4], offsets: [-3, 0, 1])), 9
        ),
      ]
    }

  /// Whatever form a weight is stored in, it comes back as the same floats from the oldest operators that know the form.
  @Test(arguments: encodings.indices) func weightsComeBackAsTheSameFloats(_ index: Int) throws {
    let (encoding, version) = Self.encodings[index]
    var random = SeededRandom(seed: 3)
    var bytes = (0..<(try #require(try StoredTensor.byteCount(shape: [3, 3, 3, 1], encoding: encoding)))).map
    { _ in
      UInt8.random(in: 0...0x3B, using: &random)
    }
    // The bits left over in the last byte are zeros.
    if case .affine(let affine) = encoding, affine.bits != 8 {
      bytes = packIntegers((0..<27).map { $0 * 5 }, bits: affine.bits)
    }
    var graph = Graph(contract: PixelPreset.unit.contract)
    let tensor = try StoredTensor(shape: [3, 3, 3, 1], encoding: encoding, bytes: bytes)
    let weight = graph.addConstant("a weight", tensor)
    graph.append(.convolution(Convolution(input: graph.input.value, weight: weight)))
    let files = try encodeMLPackage(StyleModel(graph: graph, provenance: provenance))
    #expect(files[0].bytes.starts(with: [0x08, UInt8(version)]))
    let network = try readBack(files)
    let back = try #require(network.graph.constants.values.first).tensor
    #expect(back.floats() == tensor.floats())
    // Symmetric integers of the format's own widths come back as such.
    if case .affine(let affine) = encoding, affine.offsets.isEmpty, affine.bits == 4 || affine.bits == 8 {
      #expect(back.encoding == encoding)
    }
  }

  /// Names that programs cannot have are spelt with what they can, and stay apart.
  @Test func namesAreSpeltAsTheFormatCan() throws {
    var graph = Graph(inputName: "1 image", contract: PixelPreset.unit.contract)
    for name in ["a.b", "a b", "ä", "stylizedImage"] {
      let weight = graph.addConstant(
        name, StoredTensor(shape: [3, 3, 1, 1], floats: (0..<9).map { Float($0) }))
      graph.append(.convolution(Convolution(input: graph.output, weight: weight)))
    }
    let files = try encodeMLPackage(StyleModel(graph: graph, provenance: provenance))
    let network = try readBack(files)
    #expect(network.graph.input.name == "_1_image")
    #expect(
      network.graph.constantsInOrder.map(\.constant.name) == ["a_b", "a_b_2", "_", "stylizedImage_2"])
  }
}
