import StyleModelFile
import StyleModelKit
import TestSupport
import Testing

@Suite struct OutputFormatTests {
  @Test(arguments: [
    ("mosaic.stylemodel", ".stylemodel"), ("m.mlpackage", ".mlpackage"), ("a/m.mlpackage/", ".mlpackage"),
    ("a/b.c/mosaic.SAFETENSORS", ".safetensors"),
    (defaultOutputPath(for: "a/mosaic.pth", scheme: "int8"), ".stylemodel"),
    (defaultOutputPath(for: "a/arrays/", scheme: "int8"), ".stylemodel"),
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
      defaultOutputPath(for: "a/mosaic.pth", scheme: options.name) == "a/mosaic.int4-affine.stylemodel")
    #expect(defaultOutputPath(for: "a/arrays//", scheme: options.name) == "a/arrays.int4-affine.stylemodel")
  }

  static let schemes = ["fp32", "fp16", "int8", "int4-affine", "int3-per-tensor"]

  /// Those that hold any network exactly. Core ML's formats have names, forms of weights and layers of their own.
  static let exactFormats = OutputFormat.all.filter {
    !$0.suffix.hasPrefix(".ml")
  }

  /// A network written in any of these formats reads back as the very same network.
  @Test(arguments: schemes) func formatsHoldTheSameNetwork(_ scheme: String) throws {
    let source = try loadModel(fixturePath("mosaic_small_3000.pth"))
    let options = try QuantizationOptions(named: scheme)
    var models: [Model] = []
    for format in Self.exactFormats {
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
    #expect(models.count == Self.exactFormats.count && models.count == 3)
    for model in models {
      #expect(model.provenance == models[0].provenance)
      #expect(model.provenance?.sourceSHA256 == source.sha256)
      #expect(
        model.graph.nodes.map(\.operation.call.attributes)
          == models[0].graph.nodes.map(\.operation.call.attributes))
    }
  }

  /// What Core ML's files hold of a palette is the floats that our own stands for, to the bit.
  @Test(arguments: [
    ("palette1", true), ("palette3", true), ("palette4", true), ("palette5", true), ("palette8", true),
    ("palette4-group8", false), ("palette2-group2", false),
  ])
  func palettesAreTheSameEverywhere(_ scheme: String, isPerTensor: Bool) throws {
    let source = try loadModel(fixturePath("mosaic_small_3000.pth"))
    let options = try QuantizationOptions(named: scheme)
    let folder = try TemporaryFolder()
    let ours = try convert(source, quantization: options)
    let weights = ours.graph.constantsInOrder.map(\.constant).filter { $0.tensor.shape.rank == 4 }
    for format in [OutputFormat.styleModel, .mlModel, .mlPackage] {
      if format.suffix == ".mlmodel", !isPerTensor {
        let error = #expect(throws: StyleModelError.self) {
          try convert(source, quantization: options, format: format)
        }
        #expect(error?.message.contains("has one palette a tensor") == true)
        continue
      }
      let conversion = try convert(source, quantization: options, format: format)
      #expect(conversion.sizeLines.reduce(0) { $0 + $1.byteCount } == conversion.output.byteCount)
      let path = folder.path("network" + format.suffix)
      try conversion.write(to: path)
      let read = try loadModel(path).graph.constantsInOrder.map(\.constant.tensor).filter {
        $0.shape.rank == 4
      }
      #expect(read.count == weights.count)
      for (tensor, constant) in zip(read, weights) {
        #expect(tensor.floats() == constant.tensor.floats(), "\(format.suffix), \(constant.name)")
      }
    }
  }

  @Test(arguments: [OutputFormat.onnx.suffix, OutputFormat.safetensors.suffix])
  func otherFormatsHaveNoPalettes(_ suffix: String) throws {
    let source = try loadModel(fixturePath("mosaic_small_3000.pth"))
    let error = #expect(throws: StyleModelError.self) {
      try convert(
        source, quantization: QuantizationOptions(named: "palette4"),
        format: OutputFormat.named(by: "a" + suffix))
    }
    #expect(error?.kind == .usage)
    #expect(error?.message.contains("has no palettes") == true)
  }

  /// A package gives the same picture as the .stylemodel, and knows where it comes from.
  @Test(arguments: schemes) func packagesGiveTheSamePicture(_ scheme: String) throws {
    let source = try loadModel(fixturePath("mosaic_small_3000.pth"))
    let options = try QuantizationOptions(named: scheme)
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path("network.mlpackage")
    let conversion = try convert(source, quantization: options, format: .mlPackage)
    #expect(conversion.sizeLines.reduce(0) { $0 + $1.byteCount } == conversion.output.byteCount)
    for _ in 0..<2 { try conversion.write(to: path) }
    #expect(folder.names == ["network.mlpackage"])
    let model = try loadModel(path)
    #expect(model.byteCount == conversion.output.byteCount)
    #expect(model.provenance?.sourceSHA256 == source.sha256)
    #expect(model.recipeName == source.recipeName)
    var contract = conversion.graph.contract
    contract.sizes = model.graph.contract.sizes
    #expect(model.graph.contract == contract)
    let photo = try picture("coffee_131x97.png")
    let difference = try compare(
      try Engine(model.graph).run(photo), try Engine(conversion.graph).run(photo))
    // Only zero points in place of offsets round otherwise.
    #expect(scheme.contains("affine") ? difference.psnr > 100 : difference.psnr == .infinity)
    // Its inner file is as good.
    let inner = try loadModel(path + "/Data/com.apple.CoreML/model.mlmodel")
    #expect(inner.graph == model.graph)
    #expect(try inspectFile(path).sizes.reduce(0) { $0 + $1.byteCount } == model.byteCount)
    let again = try convert(model, quantization: options, format: .mlPackage)
    #expect(again.graph.contract == model.graph.contract)
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
