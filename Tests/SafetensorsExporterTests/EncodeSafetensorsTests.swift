import Diagnostics
import Files
import Glibc
import ModelGraph
import Recipes
import SafetensorsExporter
import SafetensorsImporter
import StyleModelFile
import Tensors
import TestSupport
import Testing

@Suite struct EncodeSafetensorsTests {
  private static let provenance = Provenance(
    sourceName: "mösäïk.pth", sourceByteCount: 255, sourceSHA256: Array(0..<32),
    options: ["--int8", "--keep", "first,\"last\""], tool: "stylemodel 0.1", recipe: "eriklindernoren")

  /// Encodings of a weight of shape [4, 4, 3, 3].
  private static let encodings: [Encoding] =
    ElementType.allCases.map { .plain($0) }
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
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      return try StoredTensor(shape: shape, encoding: encoding, bytes: bytes)
    }
    let integers = (0..<shape.count).map { _ in Int.random(in: 0..<256, using: &random) }
    return try StoredTensor(
      shape: shape, encoding: encoding, bytes: packIntegers(integers, bits: affine.bits))
  }

  /// A chain of convolutions with one weight in each encoding, and layers whose settings must travel.
  private static func model() throws -> StyleModel {
    var random = SeededRandom(seed: 4)
    var tensors: [String: StoredTensor] = [
      "in \"a\" \\ b": random.tensor([4, 3, 1, 1]), "out": random.tensor([3, 4, 1, 1]),
    ]
    var lines = ["%v = conv(%x, weight: @\"in \\\"a\\\" \\\\ b\")", "%v0 = instance_norm(%v, epsilon: 1e-5)"]
    for (index, encoding) in encodings.enumerated() {
      tensors["weight.\(index)"] = try tensor(encoding, &random)
      lines.append(
        "%v\(index + 1) = conv(%v\(index), weight: @\"weight.\(index)\", padding: [1, 1, 1, 1], padding_mode: reflect)"
      )
    }
    let text = """
      graph {
        pixels(order: bgr, input_scale: [0.1, 0.2, 0.3], input_bias: [-1, 0, 1], output_scale: [2, 3, 4],
          output_bias: [5, 6, 7e-9], rounding: truncate, widths: [64, 1024], heights: [32, -1])
        input %x "picture in"
        \(lines.joined(separator: "\n  "))
        %last = conv(%v\(encodings.count), weight: @"out")
        output %last
      }
      """
    return StyleModel(graph: try Graph(text: text, constants: tensors), provenance: provenance)
  }

  @Test func theNetworkComesBackBitForBit() throws {
    let model = try Self.model()
    let bytes = try encodeSafetensors(model)
    #expect(try encodeSafetensors(model) == bytes)
    let again = try #require(try readSafetensors(bytes).model())
    #expect(again.provenance == model.provenance)
    #expect(again.graph.contract == model.graph.contract)
    #expect(again.graph.input.name == "picture in")
    // The same texts of operations, their weights in the same order, and the same weights.
    #expect(again.graph.constantsInOrder.map(\.constant) == model.graph.constantsInOrder.map(\.constant))
    #expect(again.graph.constants.count == Self.encodings.count + 2)
    #expect(
      again.graph.nodes.map(\.operation.call.mnemonic) == model.graph.nodes.map(\.operation.call.mnemonic))
    #expect(
      again.graph.nodes.map(\.operation.call.attributes) == model.graph.nodes.map(\.operation.call.attributes)
    )
    #expect(try encodeStyleModel(again) == encodeStyleModel(model))
    #expect(try encodeSafetensors(again) == bytes)
  }

  /// What an earlier build wrote must stay readable. Set `STYLEMODEL_REWRITE_FIXTURES` to write the file anew, when
  /// the layout changes on purpose.
  @Test func aFileWrittenEarlierIsTheSameNetwork() throws {
    let name = "safetensors/every_encoding.safetensors"
    let model = try Self.model()
    if getenv("STYLEMODEL_REWRITE_FIXTURES") != nil {
      try replaceFile(fixturePath(name), with: encodeSafetensors(model))
    }
    let again = try #require(try readSafetensors(try fixtureBytes(name)).model())
    #expect(try encodeStyleModel(again) == encodeStyleModel(model))
  }

  @Test func anyoneCanDecodeTheIntegers() throws {
    let model = try Self.model()
    let file = try readSafetensors(try encodeSafetensors(model))
    let tensors = Dictionary(uniqueKeysWithValues: file.tensors.entries.map { ($0.name, $0.tensor) })
    for (index, encoding) in Self.encodings.enumerated() {
      guard case .affine(let affine) = encoding else { continue }
      let name = "weight.\(index)"
      let integers = try #require(tensors[name])
      let scale = try #require(tensors[name + ".scale"])
      let offset = tensors[name + ".offset"]
      #expect(integers.encoding == .plain(affine.isSigned ? .int8 : .uint8))
      #expect((offset == nil) == affine.offsets.isEmpty)
      // NAME * NAME.scale + NAME.offset, broadcast as NumPy does.
      let expected = try #require(model.graph.constant(named: name).flatMap(model.graph.tensor)).floats()
      let decoded = integers.floats().enumerated().map { position, integer in
        let factor = broadcastIndex(position, of: integers.shape, in: scale.shape)
        let product = integer * scale.floats()[factor]
        return offset.map { product + $0.floats()[factor] } ?? product
      }
      #expect(decoded == expected, "\(encoding)")
    }
  }

  private func broadcastIndex(_ position: Int, of shape: Shape, in smaller: Shape) -> Int {
    #expect(smaller.rank == shape.rank)
    var rest = position
    var index = 0
    var step = 1
    for axis in shape.dimensions.indices.reversed() {
      if smaller[axis] != 1 {
        index += rest % shape[axis] * step
        step *= smaller[axis]
      }
      rest /= shape[axis]
    }
    return index
  }

  @Test func tensorsAreAlignedToTheirNumbers() throws {
    let bytes = try encodeSafetensors(try Self.model())
    let length = bytes[..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
    #expect(length % 8 == 0)
    let header = try JSONValue(parsing: bytes[8..<(8 + length)])
    #expect(header.members?.first?.key == "__metadata__")
    for member in header.members?.dropFirst() ?? [] {
      let type = try #require(member.value["dtype"]?.string.flatMap(ElementType.init(safetensorsName:)))
      let begin = try #require(member.value["data_offsets"]?.items?.first?.integer)
      #expect(begin % type.byteCount == 0, "\(member.key)")
    }
  }

  @Test func theMetadataSayWhereItComesFrom() throws {
    let file = try readSafetensors(try encodeSafetensors(try Self.model()))
    #expect(file.text("format") == "pt")
    #expect(file.text("stylemodel.tool") == "stylemodel 0.1")
    #expect(file.text("stylemodel.source.name") == "mösäïk.pth")
    #expect(
      file.text("stylemodel.source.sha256")
        == "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")
    #expect(file.text("stylemodel.options") == #"["--int8","--keep","first,\"last\""]"#)
    #expect(file.text("stylemodel.recipe") == "eriklindernoren")
    #expect(file.text("stylemodel.pixels")?.isEmpty == false)
  }

  @Test func aTensorNamedLikeAScaleKeepsItsName() throws {
    var random = SeededRandom(seed: 5)
    var graph = Graph(contract: PixelPreset.unit.contract)
    let encoding = Encoding.affine(AffineEncoding(bits: 4, isSigned: true, axis: 0, scales: [1, 2, 3]))
    let weight = graph.addConstant(
      "w", try StoredTensor(shape: [3, 3, 1, 1], encoding: encoding, bytes: [0x10, 0x32, 0x54, 0x76, 0x08]))
    let bias = graph.addConstant("w.scale", random.tensor([3]))
    graph.append(.convolution(Convolution(input: graph.input.value, weight: weight, bias: bias)))
    let file = try readSafetensors(
      try encodeSafetensors(StyleModel(graph: graph, provenance: Self.provenance)))
    #expect(Set(file.tensors.entries.map(\.name)) == ["w", "w.scale", "w.scale_"])
    #expect(
      try file.model()?.graph.constantsInOrder.map(\.constant) == graph.constantsInOrder.map(\.constant))
  }

  @Test(arguments: [
    (
      "tab\there",
      "text form, line 4: there is no tensor 'tab\\u{9}here'; write a .stylemodel, which can hold any name"
    ),
    ("__metadata__", "tensor '__metadata__': has a name that safetensors keeps for itself"),
  ])
  func refusesNamesThatWouldBeLost(_ name: String, _ message: String) throws {
    var random = SeededRandom(seed: 6)
    var graph = Graph(contract: PixelPreset.unit.contract)
    let weight = graph.addConstant(name, random.tensor([3, 3, 1, 1]))
    graph.append(.convolution(Convolution(input: graph.input.value, weight: weight)))
    let error = #expect(throws: StyleModelError.self) {
      try encodeSafetensors(StyleModel(graph: graph, provenance: Self.provenance))
    }
    #expect(error?.message == message)
  }
}
