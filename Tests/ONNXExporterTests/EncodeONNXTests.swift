import Diagnostics
import Files
import Glibc
import ModelGraph
import ONNXImporter
import StyleModelFile
import Tensors
import TestSupport
import Testing

@testable import ONNXExporter

@Suite struct EncodeONNXTests {
  private static let provenance = Provenance(
    sourceName: "mösäïk.pth", sourceByteCount: 255, sourceSHA256: Array(0..<32),
    options: ["--int8", "--keep", "first,\"last\""], tool: "stylemodel 0.1", recipe: "eriklindernoren")

  /// A network of these operations on three channels, from `%x` to `%y`.
  static func model(
    _ operations: String, _ tensors: [String: StoredTensor] = [:],
    pixels: String = "pixels(imagenet, rounding: truncate, widths: [64, 1024], heights: [32, -1])",
    input: String = "picture in"
  ) throws(StyleModelError) -> StyleModel {
    let text = """
      graph {
        \(pixels)
        input %x "\(input)"
        \(operations)
        output %y
      }
      """
    return StyleModel(graph: try Graph(text: text, constants: tensors), provenance: provenance)
  }

  static func network(_ bytes: [UInt8]) throws(StyleModelError) -> ONNXNetwork {
    try readONNX(bytes) { name throws(StyleModelError) in
      throw StyleModelError(.cannotOpen, file: name, "is not there")
    }.network.get()
  }

  /// Expects that a model is written and read back as the same network, weights bit for bit, and written again as the
  /// same bytes.
  static func expectRoundTrip(
    _ model: StyleModel, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let bytes = try encodeONNX(model)
    let again = try network(bytes)
    #expect(again.saysPixels && again.notes.isEmpty, sourceLocation: sourceLocation)
    #expect(again.provenance == model.provenance, sourceLocation: sourceLocation)
    #expect(again.graph.contract == model.graph.contract, sourceLocation: sourceLocation)
    #expect(again.graph.input.name == model.graph.input.name, sourceLocation: sourceLocation)
    let same = StyleModel(graph: again.graph, provenance: provenance)
    #expect(try encodeStyleModel(same) == encodeStyleModel(model), sourceLocation: sourceLocation)
    #expect(try encodeONNX(same) == bytes, sourceLocation: sourceLocation)
  }

  // MARK: Operations

  /// Each operation with its settings, on three channels.
  @Test(arguments: [
    "%y = conv(%x, weight: @\"w\")", "%y = conv(%x, weight: @\"w\", bias: @\"v\")",
    "%y = conv(%x, weight: @\"w\", bias: @\"v\", stride: [2, 1], padding: [1, 2, 3, 4], dilation: [1, 2])",
    "%y = conv(%x, weight: @\"w\", padding: [1, 2, 0, 1], padding_mode: reflect)",
    "%y = conv(%x, weight: @\"w\", padding: 1, padding_mode: replicate)",
    "%y = conv(%x, weight: @\"w\", stride: 2, same: upper)",
    "%y = conv(%x, weight: @\"w\", stride: 2, same: lower)",
    "%y = conv(%x, weight: @\"depthwise\", groups: 3)",
    "%y = conv_transpose(%x, weight: @\"w\")",
    "%y = conv_transpose(%x, weight: @\"w\", bias: @\"v\", stride: 2, padding: [1, 0, 1, 2], output_padding: [1, 0])",
    "%y = conv_transpose(%x, weight: @\"depthwise\", groups: 3, dilation: 2)",
    "%y = pad(%x, amounts: [1, 2, 3, 4], mode: zero)", "%y = pad(%x, amounts: 1, mode: reflect)",
    "%y = pad(%x, amounts: [0, 2, 0, 0], mode: replicate)",
    "%a = pad(%x, amounts: 1, mode: reflect)\n%y = conv(%a, weight: @\"w\")",
    "%y = crop(%x, amounts: [1, 2, 3, 4])", "%y = crop(%x, amounts: [0, 2, 0, 0])",
    "%y = upsample(%x, factor: [2, 3], mode: nearest)", "%y = upsample(%x, factor: 2, mode: bilinear)",
    "%y = instance_norm(%x, epsilon: 1e-5)", "%y = instance_norm(%x, gamma: @\"v\", epsilon: 0.001)",
    "%y = instance_norm(%x, beta: @\"v\", epsilon: 1e-9)",
    "%y = instance_norm(%x, gamma: @\"v\", beta: @\"u\", epsilon: 1e-5)",
    "%y = instance_norm(%x, gamma: @\"ones\", beta: @\"zeros\", epsilon: 1e-5)",
    "%y = batch_norm(%x, mean: @\"u\", variance: @\"v\", epsilon: 0)",
    "%y = batch_norm(%x, mean: @\"u\", variance: @\"v\", gamma: @\"v\", beta: @\"u\", epsilon: 0.001)",
    "%y = relu(%x)", "%y = leaky_relu(%x, slope: 0.2)", "%y = clamp(%x, lower: -1.5, upper: 6)",
    "%y = sigmoid(%x)", "%y = tanh(%x)", "%y = linear(%x, scale: 127.5, bias: -3.25)",
    "%y = linear(%x, scale: 1, bias: 1e-9)", "%y = linear(%x, scale: 0.5, bias: 0)",
    "%a = linear(%x, scale: 2, bias: 0)\n%y = linear(%a, scale: 1, bias: 3)",
    "%a = relu(%x)\n%y = add(%a, %x)", "%a = relu(%x)\n%y = sub(%a, %x)", "%a = relu(%x)\n%y = mul(%x, %a)",
    "%a = relu(%x)\n%y = mul(%a, %a)",
  ])
  func operationsComeBack(_ operations: String) throws {
    var random = SeededRandom(seed: 3)
    let model = try Self.model(
      operations,
      [
        "w": random.tensor([3, 3, 3, 3]), "depthwise": random.tensor([3, 1, 3, 3]),
        "v": StoredTensor(shape: [3], floats: [0.5, 1.25, 2]),
        "u": StoredTensor(shape: [3], floats: [-1, 0.1, 7]),
        "ones": StoredTensor(shape: [3], floats: [1, 1, 1]),
        "zeros": StoredTensor(shape: [3], floats: [0, 0, 0]),
      ].filter { operations.contains("@\"\($0.key)\"") })
    try Self.expectRoundTrip(model)
  }

  @Test(arguments: [
    "%y = conv(%x, weight: @\"w\", stride: 2, dilation: 2, same: upper)",
    "%y = conv(%x, weight: @\"w\", stride: 4, same: lower)",
    "%y = conv(%x, weight: @\"w\", stride: 2, same: upper, padding_mode: reflect)",
  ])
  func whatCannotBeSaidIsNamed(_ operation: String) throws {
    let model = try Self.model(
      operation, ["w": StoredTensor(shape: [3, 3, 2, 2], floats: .init(repeating: 1, count: 36))])
    let error = #expect(throws: StyleModelError.self) { try encodeONNX(model) }
    #expect(error?.kind == .badInput)
    #expect(error?.place?.contains("conv(") == true)
    #expect(error?.problem.contains("which ONNX cannot say") == true)
  }

  /// A network of several styles is written once one of them is chosen.
  @Test func severalStylesWantAChoice() throws {
    let rows = StoredTensor(shape: [2, 3], floats: [1, 2, 3, 4, 5, 6])
    let model = try Self.model(
      "styles(input: \"index\", count: 2, names: [\"a\", \"b\"])\n%y = conditional_instance_norm(%x, gamma: @\"g\", beta: @\"h\", epsilon: 1e-5)",
      ["g": rows, "h": rows])
    let error = #expect(throws: StyleModelError.self) { try encodeONNX(model) }
    #expect(error?.remedy?.contains("--style") == true)
  }

  @Test func aNetworkWithoutOperationsIsOneToo() throws {
    var graph = Graph(contract: PixelPreset.raw255.contract)
    #expect(
      try Self.network(try encodeONNX(StyleModel(graph: graph, provenance: Self.provenance))).graph == graph)
    graph.contract = PixelPreset.signed.contract
    #expect(
      try Self.network(try encodeONNX(StyleModel(graph: graph, provenance: Self.provenance))).graph == graph)
  }

  // MARK: Pixels

  @Test(arguments: [
    "pixels(raw255)", "pixels(imagenet)", "pixels(unit, order: bgr)", "pixels(signed, rounding: half_up)",
    "pixels(raw255, order: bgr, input_bias: [-103.939, -116.779, -123.68], sizes: [[640, 960], [96, 64]])",
    "pixels(order: bgr, input_scale: [0.1, 0.2, 0.3], input_bias: [0, 0, 0], output_scale: [1, 1, 1], "
      + "output_bias: [5, 6, 7e-9], rounding: truncate, widths: [64, 1024], heights: [32, -1])",
  ])
  func contractsComeBack(_ pixels: String) throws {
    try Self.expectRoundTrip(try Self.model("%y = tanh(%x)", pixels: pixels))
  }

  /// Where another program has folded the processing, what is left is a network of RGB pixels of 0…255.
  @Test func processingThatWasChangedIsPartOfTheNetwork() throws {
    let model = try Self.model(
      "%y = tanh(%x)", pixels: "pixels(signed, rounding: truncate, sizes: [[64, 32]])")
    var bytes = try encodeONNX(model)
    // One of the factors of 127.5 becomes another.
    let factor = withUnsafeBytes(of: Float(127.5).bitPattern.littleEndian) { Array($0) }
    let place = try #require(
      bytes.indices.dropLast(4).first { Array(bytes[$0..<$0 + 4]) == factor })
    bytes.replaceSubrange(
      place..<place + 4, with: withUnsafeBytes(of: Float(120).bitPattern.littleEndian) { Array($0) })
    let network = try Self.network(bytes)
    var expected = PixelPreset.raw255.contract
    expected.rounding = .truncate
    expected.sizes = .listed([PictureSize(width: 64, height: 32)])
    #expect(network.graph.contract == expected)
    #expect(
      network.graph.nodes.map(\.operation.mnemonic) == [
        "batch_norm", "batch_norm", "tanh", "batch_norm", "batch_norm",
      ])
  }

  /// A network whose strides round odd sizes up gives a picture of the size that it was given, as the engine here does.
  @Test func whatStridesAddIsCutOff() throws {
    var random = SeededRandom(seed: 5)
    let weights = ["w": random.tensor([3, 3, 3, 3])]
    let rounding = try Self.model(
      "%a = conv(%x, weight: @\"w\", stride: 2, padding: 1)\n%y = upsample(%a, factor: 2, mode: nearest)",
      weights
    )
    #expect(String(decoding: try encodeONNX(rounding), as: UTF8.self).contains("picture_size"))
    try Self.expectRoundTrip(rounding)
    let enlarging = try Self.model("%y = upsample(%x, factor: 2, mode: nearest)")
    #expect(!String(decoding: try encodeONNX(enlarging), as: UTF8.self).contains("picture_size"))
  }

  // MARK: Weights

  /// Encodings of a weight of shape [4, 4, 3, 3].
  private static let encodings: [Encoding] =
    [.plain(.float32), .plain(.float16), .plain(.bfloat16), .plain(.float64)]
    + (2...8).flatMap { bits in
      [nil, 0, 1].flatMap { axis in
        [(true, false), (false, true), (false, false), (true, true)].map { isSigned, hasOffsets in
          let count = axis == nil ? 1 : 4
          return .affine(
            AffineEncoding(
              bits: bits, isSigned: isSigned, axis: axis,
              scales: (0..<count).map { Float($0 + 1) * 0.013 },
              offsets: hasOffsets ? (0..<count).map { Float($0) * 0.7 - 1.1 } : []))
        }
      }
    }

  private static func tensor(_ encoding: Encoding, _ random: inout SeededRandom) throws -> StoredTensor {
    let shape: Shape = [4, 4, 3, 3]
    guard case .affine(let affine) = encoding else {
      let count = try #require(try StoredTensor.byteCount(shape: shape, encoding: encoding))
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...60, using: &random) }
      return try StoredTensor(shape: shape, encoding: encoding, bytes: bytes)
    }
    let integers = (0..<shape.count).map { _ in Int.random(in: 0..<256, using: &random) }
    return try StoredTensor(
      shape: shape, encoding: encoding, bytes: packIntegers(integers, bits: affine.bits))
  }

  /// A chain of convolutions with one weight in each encoding.
  private static func everyEncoding(_ encodings: [Encoding]) throws -> StyleModel {
    var random = SeededRandom(seed: 4)
    var tensors: [String: StoredTensor] = [
      "in \"a\" \\ b": random.tensor([4, 3, 1, 1]), "out": random.tensor([3, 4, 1, 1]),
    ]
    var lines = ["%v0 = conv(%x, weight: @\"in \\\"a\\\" \\\\ b\")"]
    for (index, encoding) in encodings.enumerated() {
      tensors["weight.\(index)"] = try tensor(encoding, &random)
      lines.append("%v\(index + 1) = conv(%v\(index), weight: @\"weight.\(index)\", padding: 1)")
    }
    lines.append("%y = conv(%v\(encodings.count), weight: @\"out\")")
    return try model(lines.joined(separator: "\n"), tensors)
  }

  @Test func weightsComeBackInTheirEncodings() throws {
    try Self.expectRoundTrip(try Self.everyEncoding(Self.encodings))
  }

  @Test func theOperatorSetIsTheLowestThatSaysIt() throws {
    func container(_ encodings: [Encoding]) throws -> String {
      let bytes = try encodeONNX(try Self.everyEncoding(encodings))
      return try readONNX(bytes) { name throws(StyleModelError) in
        throw StyleModelError(.cannotOpen, file: name, "is not there")
      }.container
    }
    func integers(_ bits: Int) -> Encoding {
      .affine(AffineEncoding(bits: bits, isSigned: true, axis: 0, scales: [1, 2, 3, 4]))
    }
    let by = "by stylemodel 0.1"
    #expect(
      try container([.plain(.float16), integers(8), integers(5)]) == "ONNX model, operator set 17, \(by)")
    #expect(try container([integers(8), integers(4)]) == "ONNX model, operator set 21, \(by)")
    #expect(try container([integers(2)]) == "ONNX model, operator set 21, \(by)")
  }

  /// A single channel with a scale along an axis is not the same as one scale for everything.
  @Test(arguments: [nil, 0, 1]) func aSingleChannelKeepsItsAxis(axis: Int?) throws {
    let weight = try StoredTensor(
      shape: [3, 1, 1, 1],
      encoding: .affine(
        AffineEncoding(bits: 8, isSigned: true, axis: axis, scales: axis == 0 ? [1, 2, 3] : [0.5])),
      bytes: [1, 2, 255])
    try Self.expectRoundTrip(try Self.model("%y = conv(%x, weight: @\"w\", groups: 3)", ["w": weight]))
  }

  /// All integers above zero, signed all the same.
  @Test func signedIntegersStaySigned() throws {
    let weight = try StoredTensor(
      shape: [3, 3, 1, 1],
      encoding: .affine(AffineEncoding(bits: 8, isSigned: true, axis: nil, scales: [0.5])),
      bytes: [1, 2, 3, 4, 5, 6, 7, 8, 9])
    try Self.expectRoundTrip(try Self.model("%y = conv(%x, weight: @\"w\")", ["w": weight]))
  }

  // MARK: Names

  /// Names that the file has no room for, and those that it keeps for itself.
  @Test func namesThatClashComeBack() throws {
    let vector = StoredTensor(shape: [3], floats: [1, 1, 1])
    let other = StoredTensor(shape: [3], floats: [2, 3, 4])
    try Self.expectRoundTrip(
      try Self.model(
        """
        %a = instance_norm(%x, gamma: @"picture in", beta: @"", epsilon: 1e-5)
        %b = instance_norm(%a, gamma: @"styled", beta: @"relu", epsilon: 1e-5)
        %c = relu(%b)
        %d = instance_norm(%c, gamma: @"network_input.scale", epsilon: 1e-5)
        %y = instance_norm(%d, epsilon: 1e-5)
        """,
        ["picture in": vector, "": other, "styled": other, "relu": vector, "network_input.scale": vector]))
  }

  @Test func namesWithZerosAreRefused() throws {
    var graph = try Self.model("%y = relu(%x)").graph
    graph.input.name = "a\u{0}b"
    let model = StyleModel(graph: graph, provenance: Self.provenance)
    let error = #expect(throws: StyleModelError.self) { try encodeONNX(model) }
    #expect(error?.problem == "has a name that cannot stand in an ONNX file")
  }

  /// What an earlier build wrote must stay readable. Set `STYLEMODEL_REWRITE_FIXTURES` to write the file anew, when
  /// the layout changes on purpose.
  @Test func aFileWrittenEarlierIsTheSameNetwork() throws {
    let name = "onnx/every_encoding.onnx"
    let model = try Self.everyEncoding(Self.encodings)
    if getenv("STYLEMODEL_REWRITE_FIXTURES") != nil {
      try replaceFile(fixturePath(name), with: encodeONNX(model))
    }
    let again = StyleModel(graph: try Self.network(try fixtureBytes(name)).graph, provenance: Self.provenance)
    #expect(try encodeStyleModel(again) == encodeStyleModel(model))
  }
}
