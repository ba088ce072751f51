import Diagnostics
import TestSupport
import Testing

@testable import StyleModelKit

@Suite struct ConvertTests {
  @Test(arguments: ["int8", "fp16", "int4-affine"]) func givesTheSameBytesEveryTime(scheme: String) throws {
    let folder = try TemporaryFolder()
    try folder.copy(fixture: mosaic)
    let first = try folder.convert(mosaic, to: "a.stylemodel", scheme)
    let second = try folder.convert(mosaic, to: "b.stylemodel", scheme)
    #expect(first.conversion.bytes == second.conversion.bytes)
  }

  @Test(arguments: [
    ("a/b/mosaic_4000.pth", "int8", "a/b/mosaic_4000.int8.stylemodel"),
    ("mosaic.pth", "fp16", "mosaic.fp16.stylemodel"),
    ("./x.pth.tar", "fp32", "./x.pth.fp32.stylemodel"),
    ("/m", "int4-affine-per-tensor", "/m.int4-affine-per-tensor.stylemodel"),
    ("v1.2/net", "int3", "v1.2/net.int3.stylemodel"),
    ("a/.hidden", "int8", "a/.hidden.int8.stylemodel"),
    ("a.int8.stylemodel", "int4", "a.int8.int4.stylemodel"),
    ("mit Leerzeichen é.pth", "int8", "mit Leerzeichen é.int8.stylemodel"),
  ])
  func writesBesideTheInput(input: String, scheme: String, output: String) throws {
    #expect(defaultOutputPath(for: input, scheme: try QuantizationOptions(named: scheme).name) == output)
  }

  @Test func whatIsKeptStaysBitForBitInTheFile() throws {
    let folder = try TemporaryFolder()
    try folder.copy(fixture: mosaic)
    let keep = ["first", "model.4.block.0.norm.weight"]
    let (path, conversion) = try folder.convert(mosaic, to: "m.stylemodel", keep: keep)
    let before = tensors(try optimized(loadModel(fixturePath(mosaic)).graph).graph)
    let after = tensors(try loadModel(path).graph)
    for name in ["model.0.block.1.weight", "model.4.block.0.norm.weight"] {
      #expect(after[name] == before[name], "\(name)")
      #expect(after[name]?.encoding == .plain(.float32))
    }
    #expect(after["model.10.block.1.weight"]?.encoding.description == "int8 per channel (axis 0)")
    #expect(after["model.4.block.1.norm.weight"]?.encoding == .plain(.float16))
    #expect(conversion.quantization.tensors.count { $0.note == "kept as it is" } == 2)
    #expect(
      try loadModel(path).provenance?.options
        == ["--int8", "--keep", "first,model.4.block.0.norm.weight"])
  }

  @Test func recordsItsSourceWithoutFolders() throws {
    let folder = try TemporaryFolder()
    try folder.copy(fixture: mosaic)
    let (path, conversion) = try folder.convert(mosaic, to: "m.stylemodel", "int6")
    let provenance = try #require(try loadModel(path).provenance)
    #expect(provenance.sourceName == mosaic)
    #expect(provenance.sourceByteCount == 454_609)
    #expect(provenance.sourceSHA256 == conversion.source.sha256)
    #expect(provenance.options == ["--bits", "6"])
    #expect(provenance.tool == "stylemodel " + stylemodelVersion)
    #expect(provenance.recipe == "eriklindernoren")
  }

  @Test func theLinesOfTheAccountAddUpToTheFile() throws {
    let folder = try TemporaryFolder()
    try folder.copy(fixture: mosaic)
    for scheme in ["int8", "fp16", "fp32", "int2-affine-per-tensor"] {
      let (path, conversion) = try folder.convert(mosaic, to: "m.stylemodel", scheme)
      let lines = try loadModel(path).sizeLines
      #expect(lines.reduce(0) { $0 + $1.byteCount } == conversion.bytes.count)
      #expect(lines.allSatisfy { $0.byteCount > 0 } && lines.count >= 3)
      #expect(lines == conversion.sizeLines)
    }
  }

  /// 6.7 MB of floats, halved before, must not stay at 3.4 MB.
  @Test func halvesBecomeIntegersOfAQuarterOfTheFloats() throws {
    let folder = try TemporaryFolder()
    try folder.copy(fixture: mosaic)
    let (_, halves) = try folder.convert(mosaic, to: "half.stylemodel", "fp16")
    let (_, integers) = try folder.convert("half.stylemodel", to: "int8.stylemodel", "int8")
    #expect(Double(integers.bytes.count) <= Double(halves.source.byteCount) * 1.8 / 6.7)
    #expect(Double(integers.bytes.count) < 0.6 * Double(halves.bytes.count))
  }

  @Test func filesOfMixedPrecisionBecomeIntegersThroughout() throws {
    let folder = try TemporaryFolder()
    try folder.copy(fixture: mosaic)
    let (_, mixed) = try folder.convert(mosaic, to: "mixed.stylemodel", "fp16", keep: ["first", "last"])
    #expect(Set(mixed.quantization.tensors.map(\.after)) == ["float16", "float32"])
    let (_, integers) = try folder.convert("mixed.stylemodel", to: "int8.stylemodel", "int8")
    let weights = integers.quantization.tensors.filter { $0.shape.rank == 4 }
    #expect(weights.count == 16 && weights.allSatisfy { $0.after == "int8 per channel (axis 0)" })
  }

  /// A folded norm gives each channel a size of its own, which one scale for all of them does not suit.
  @Test(arguments: [("int8-per-tensor", 1), ("int8", 0), ("fp16", 0)])
  func oneScaleAfterFoldingIsWarnedOf(scheme: String, count: Int) throws {
    var random = SeededRandom(seed: 5)
    var tensors = ["w": random.tensor([3, 3, 3, 3])]
    for name in ["mean", "variance"] { tensors[name] = random.tensor([3], in: 0.5...2) }
    let text = """
      graph {
        pixels(raw255)
        input %x "image"
        %a = conv(%x, weight: @"w")
        %b = batch_norm(%a, mean: @"mean", variance: @"variance", epsilon: 1e-5)
        output %b
      }
      """
    let source = Model(
      path: "net.pth", container: "test", byteCount: 1, sha256: [UInt8](repeating: 0, count: 32),
      graph: try Graph(text: text, constants: tensors), notes: [])
    let conversion = try convert(source, quantization: QuantizationOptions(named: scheme))
    #expect(conversion.passNotes.contains { $0.kind == .done })
    #expect(conversion.warnings.count == count)
    // Without a norm there is nothing to warn of.
    let folder = try TemporaryFolder()
    try folder.copy(fixture: mosaic)
    #expect(try folder.convert(mosaic, to: "m.stylemodel", scheme).conversion.warnings == [])
  }

  @Test func integersAreQuantizedAnewAndItIsSaid() throws {
    let folder = try TemporaryFolder()
    try folder.copy(fixture: mosaic)
    let (_, first) = try folder.convert(mosaic, to: "int8.stylemodel", "int8")
    let (path, second) = try folder.convert("int8.stylemodel", to: "int4.stylemodel", "int4")
    #expect(Double(second.bytes.count) < 0.62 * Double(first.bytes.count))
    // One note for all sixteen convolutions.
    let note = "16 tensors: was int8 per channel (axis 0) already, decoded first"
    #expect(second.quantization.summary.contains(note))
    let model = try loadModel(path)
    #expect(model.storage == "int4")
    #expect(model.provenance?.sourceName == "int8.stylemodel")
  }

  @Test func weightsThatAreNotFiniteAreRefused() throws {
    let folder = try TemporaryFolder()
    let options = try folder.tinyNetwork()
    var bytes = try fixtureBytes("torch/legacy.pth.tar")
    // Elements 5, 6 and 7 of the first convolution; the legacy stream has no checksum.
    let weights = (0..<108).map { Float($0 * 7 % 33 - 16) / 16 }.flatMap { littleEndian($0) }
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: weights) })
    for (element, value) in [(5, Float.nan), (6, .infinity), (7, -.nan)] {
      bytes.replaceSubrange(start + 4 * element..<start + 4 * element + 4, with: littleEndian(value))
    }
    let path = try folder.write(bytes, as: "tiny.pth")
    let model = try loadModel(path, options: options)
    for scheme in ["int8", "fp16", "fp32"] {
      let scheme = try QuantizationOptions(named: scheme)
      let error = failure { () throws(StyleModelError) in
        _ = try convert(model, quantization: scheme, importOptions: options)
      }
      #expect(error?.kind == .badInput)
      #expect(
        error?.message
          == "\(path): tensor conv1.weight: holds 3 numbers of 108 that are not finite (2 NaN, 1 infinite); "
          + "the training has diverged; take an earlier checkpoint")
    }
    #expect(try inspectFile(path).tensors.map(\.nonFiniteCount) == [3, 0, 0, 0, 0, 0])
  }

  private func tensors(_ graph: Graph) -> [String: StoredTensor] {
    Dictionary(uniqueKeysWithValues: graph.constantsInOrder.map { ($0.constant.name, $0.constant.tensor) })
  }

  private func littleEndian(_ value: Float) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
  }
}
