import StyleModelFile
import StyleModelKit
import TestSupport
import Testing

@Suite struct OutputFormatTests {
  @Test(arguments: [
    ("mosaic.stylemodel", ".stylemodel"), ("a/b.c/mosaic.SAFETENSORS", ".safetensors"),
    (defaultOutputPath(for: "a/mosaic.pth", quantization: QuantizationOptions()), ".stylemodel"),
    (defaultOutputPath(for: "a/arrays/", quantization: QuantizationOptions()), ".stylemodel"),
  ])
  func theNameSaysTheFormat(_ name: String, _ suffix: String) throws {
    #expect(try OutputFormat.named(by: name).suffix == suffix)
  }

  @Test(arguments: ["mosaic", "mosaic.pth", "stylemodel", "mosaic.safetensors.zip"])
  func otherNamesAreRefused(_ name: String) {
    let error = #expect(throws: StyleModelError.self) { try OutputFormat.named(by: name) }
    #expect(error?.kind == .usage)
    for format in OutputFormat.all { #expect(error?.message.contains(format.suffix) == true) }
  }

  @Test func theDefaultNameStandsBesideTheInput() {
    let options = QuantizationOptions(storage: .integers(bits: 4), isAffine: true)
    #expect(
      defaultOutputPath(for: "a/mosaic.pth", quantization: options) == "a/mosaic.int4-affine.stylemodel")
    #expect(defaultOutputPath(for: "a/arrays//", quantization: options) == "a/arrays.int4-affine.stylemodel")
  }

  static let schemes = ["fp32", "fp16", "int8", "int4-affine", "int3-per-tensor"]

  /// A network written in either format reads back as the very same network.
  @Test(arguments: schemes) func formatsHoldTheSameNetwork(_ scheme: String) throws {
    let source = try loadModel(fixturePath("mosaic_small_3000.pth"))
    let options = try QuantizationOptions(named: scheme)
    var models: [Model] = []
    for format in OutputFormat.all {
      let conversion = try convert(source, quantization: options, format: format)
      #expect(conversion.sizeLines.reduce(0) { $0 + $1.byteCount } == conversion.bytes.count)
      let folder = try TemporaryFolder()
      defer { withExtendedLifetime(folder) {} }
      let path = try folder.write(conversion.bytes, as: "network" + format.suffix)
      let model = try loadModel(path)
      #expect(
        model.graph.constantsInOrder.map(\.constant) == conversion.graph.constantsInOrder.map(\.constant))
      #expect(model.graph.contract == conversion.graph.contract)
      #expect(model.recipeName == source.recipeName)
      #expect(try inspectFile(path).sizes.reduce(0) { $0 + $1.byteCount } == conversion.bytes.count)
      models.append(model)
    }
    #expect(models.count == OutputFormat.all.count)
    for model in models {
      #expect(model.provenance == models[0].provenance)
      #expect(model.provenance?.sourceSHA256 == source.sha256)
      #expect(
        model.graph.nodes.map(\.operation.call.attributes)
          == models[0].graph.nodes.map(\.operation.call.attributes))
    }
  }

  /// From one format to the next and the next: the same network bit for bit, also where its weights are quantized, and
  /// the same picture.
  @Test(arguments: ["mosaic_small_3000.pth", "hdf5/layers_keras2.h5", "hdf5/layers_keras3.keras"], schemes)
  func aChainOfConversionsLosesNothing(_ source: String, _ scheme: String) throws {
    let source = try loadModel(fixturePath(source))
    let options = try QuantizationOptions(named: scheme)
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let direct = try convert(source, quantization: options)
    var path = source.path
    var last = direct
    for format in [OutputFormat.onnx, .styleModel, .safetensors, .styleModel] {
      last = try convert(try loadModel(path), quantization: options, format: format)
      path = try folder.write(last.bytes, as: "network" + format.suffix)
    }
    let arrived = try loadModel(path)
    #expect(arrived.graph.constantsInOrder.map(\.constant) == direct.graph.constantsInOrder.map(\.constant))
    #expect(arrived.graph.contract == direct.graph.contract)
    let provenance = try #require(arrived.provenance)
    func file(_ graph: Graph) throws -> [UInt8] {
      try encodeStyleModel(StyleModel(graph: graph, provenance: provenance))
    }
    #expect(try file(arrived.graph) == file(direct.graph))
    let photo = try picture("coffee_131x97.png")
    #expect(try Engine(arrived.graph).run(photo).samples == Engine(direct.graph).run(photo).samples)
  }
}
