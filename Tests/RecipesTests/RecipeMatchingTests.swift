import Diagnostics
import ModelGraph
import Tensors
import Testing

@testable import Recipes

@Suite struct RecipeMatchingTests {
  private typealias Dicts = FamilyStateDicts

  @Test(arguments: [
    ("eriklindernoren", FamilyStateDicts.eriklindernoren(), 16, 15, "imagenet"),
    ("pytorch-examples", FamilyStateDicts.pytorchExamples(), 16, 15, "raw255"),
    ("ternerss", FamilyStateDicts.ternerss, 29, 28, "imagenet"),
    ("mmalotin", FamilyStateDicts.mmalotin, 29, 28, "raw255"),
    ("rrmina-resnext", FamilyStateDicts.rrmina(resNext: true), 21, 20, "raw255"),
    ("rrmina", FamilyStateDicts.rrmina(resNext: false), 16, 15, "raw255"),
  ])
  func recognisesEveryFamily(
    name: String, tensors: [(String, [Int])], convolutions: Int, norms: Int, pixels: String
  ) throws {
    let model = try Dicts.dict(tensors).recognised()
    #expect(model.recipe.name == name)
    #expect(model.graph.constants.count == tensors.count, "every tensor is used")
    let kinds = model.graph.nodes.map(\.operation.mnemonic)
    #expect(kinds.filter { $0.hasPrefix("conv") }.count == convolutions)
    #expect(kinds.filter { $0 == "instance_norm" }.count == norms)
    #expect(model.graph.contract.summary.hasPrefix(pixels))
    #expect(model.notes.isEmpty)
    let odd = try model.graph.shapes(for: PictureSize(width: 97, height: 131))
    #expect(odd[model.graph.output]?.dimensions == [1, 3, 132, 100])
  }

  @Test func recognisesWeightsOfKeras1() throws {
    let model = try Dicts.dict(Dicts.titu1994(blocks: 2)).recognised()
    #expect(model.recipe.name == "titu1994")
    #expect(model.notes == ["18 obsolete running-statistics tensors ignored (instance norm)"])
    #expect(model.graph.constants.count == Dicts.titu1994(blocks: 2).count - 18)
    let kinds = model.graph.nodes.map(\.operation.mnemonic)
    #expect(kinds.filter { $0 == "conv" }.count == 8 && kinds.filter { $0 == "conv_transpose" }.count == 2)
    let odd = try model.graph.shapes(for: PictureSize(width: 97, height: 131))
    #expect(odd[model.graph.output]?.dimensions == [1, 3, 132, 100])
    #expect(throws: StyleModelError.self) {
      try Dicts.dict(Dicts.titu1994().filter { $0.0 != "batchnorm4_gamma" }).recognised()
    }
  }

  @Test func blockCountsAndWidthsComeFromTheTensors() throws {
    let model = try Dicts.dict(Dicts.eriklindernoren(blocks: 2, width: 3)).recognised()
    #expect(model.graph.nodes.filter { $0.operation.mnemonic == "add" }.count == 2)
    #expect(try model.graph.shapes(for: Graph.probeSize).values.contains([1, 12, 64, 64]))
  }

  @Test func channelOrderAndRoundingComeFromTheFamily() throws {
    #expect(try Dicts.dict(Dicts.rrmina(resNext: true)).recognised().graph.contract.channelOrder == .bgr)
    #expect(try Dicts.dict(Dicts.pytorchExamples()).recognised().graph.contract.rounding == .truncate)
    #expect(try Dicts.dict(Dicts.eriklindernoren()).recognised().graph.contract.rounding == .halfUp)
  }

  @Test func oldNormNamesBringTheirEpsilon() throws {
    func epsilons(_ dict: StateDict) throws -> Set<Float> {
      Set(
        try dict.recognised().graph.nodes.compactMap { node in
          if case .instanceNorm(let norm) = node.operation { norm.epsilon } else { nil }
        })
    }
    #expect(try epsilons(Dicts.dict(Dicts.pytorchExamples(norm: ("scale", "shift")))) == [1e-9])
    #expect(try epsilons(Dicts.dict(Dicts.pytorchExamples())) == [1e-5])
  }

  private var withRunningStatistics: StateDict {
    var tensors = Dicts.pytorchExamples()
    for (name, shape) in tensors where name.contains("in") && name.hasSuffix(".weight") && shape.count == 1 {
      let path = name.dropLast(".weight".count)
      tensors += [("\(path).running_mean", shape), ("\(path).running_var", shape)]
      tensors.append(("\(path).num_batches_tracked", []))
    }
    return Dicts.dict(tensors)
  }

  @Test func obsoleteRunningStatisticsAreIgnoredWithOneNote() throws {
    let model = try withRunningStatistics.recognised()
    #expect(model.notes.count == 1)
    #expect(model.notes[0].hasPrefix("30 obsolete running-statistics tensors ignored (instance norm)"))
    #expect(!model.graph.nodes.contains { $0.operation.mnemonic == "batch_norm" })
  }

  /// By their sibling and not by what their layer is called.
  @Test(arguments: [
    ("eriklindernoren", FamilyStateDicts.eriklindernoren(), ".norm"),
    ("ternerss", FamilyStateDicts.ternerss, ".in2"),
    ("rrmina", FamilyStateDicts.rrmina(resNext: false), ".norm_layer"),
    ("pytorch-examples", FamilyStateDicts.pytorchExamples(norm: ("scale", "shift")), "in4"),
  ])
  func obsoleteStatisticsAreFoundUnderAnyName(family: String, tensors: [(String, [Int])], norm: String) throws
  {
    var all = tensors
    for (name, shape) in tensors where shape.count == 1 {
      guard let dot = name.lastIndex(of: "."), name[..<dot].hasSuffix(norm) else { continue }
      if ["weight", "scale"].contains(name[name.index(after: dot)...]) {
        all += [("\(name[..<dot]).running_mean", shape), ("\(name[..<dot]).running_var", shape)]
      }
    }
    #expect(all.count > tensors.count)
    let model = try Dicts.dict(all).recognised()
    #expect(model.recipe.name == family)
    #expect(
      model.notes.first?.hasPrefix("\(all.count - tensors.count) obsolete running-statistics tensors ignored")
        == true)
    expectError(
      Dicts.dict(tensors + [("nobody.running_mean", [8])]),
      "tensor 'nobody.running_mean' [8]: has no place in it")
  }

  @Test func runningStatisticsAreUsedWhenAskedFor() throws {
    let model = try withRunningStatistics.recognised(RecipeOptions(keepsRunningStatistics: true))
    #expect(model.graph.nodes.filter { $0.operation.mnemonic == "batch_norm" }.count == 15)
    #expect(!model.graph.nodes.contains { $0.operation.mnemonic == "instance_norm" })
    #expect(model.notes == ["15 norms use their running statistics, as batch norms do"])
  }

  @Test func aModuleTrainedWithRunningStatisticsUsesThem() throws {
    var dict = withRunningStatistics
    var settings = StateDict.LayerSettings(className: "torch.nn.modules.instancenorm.InstanceNorm2d")
    settings.tracksRunningStatistics = true
    settings.epsilon = 1e-3
    dict.layers["in1"] = settings
    let model = try dict.recognised()
    let norms = model.graph.nodes.compactMap { node in
      if case .batchNorm(let norm) = node.operation { norm.epsilon } else { nil }
    }
    #expect(norms == [1e-3])
  }

  @Test func aWholeModuleOverrulesTheRecipe() throws {
    var settings = StateDict.LayerSettings(className: "torch.nn.modules.conv.Conv2d")
    settings.stride = [1, 1]
    settings.padding = [1, 1]
    settings.paddingMode = "replicate"
    let dict = Dicts.dict(Dicts.eriklindernoren(), layers: ["model.1.block.1": settings])
    let model = try dict.recognised()
    #expect(model.notes.count == 1 && model.notes[0].contains("model.1.block.1"))
    let shapes = try model.graph.shapes(for: PictureSize(width: 64, height: 64))
    #expect(shapes[model.graph.output] == [1, 3, 132, 132])
    settings.paddingMode = "circular"
    #expect(throws: StyleModelError.self) {
      try Dicts.dict(Dicts.eriklindernoren(), layers: ["model.1.block.1": settings]).recognised()
    }
    settings.paddingMode = "zeros"
    settings.stride = [0, -1]
    #expect(throws: StyleModelError.self) {
      try Dicts.dict(Dicts.eriklindernoren(), layers: ["model.1.block.1": settings]).recognised()
    }
  }

  @Test(arguments: ["netG.", "generator.net.", "model."]) func looksThroughWrappers(prefix: String) throws {
    let model = try Dicts.dict(Dicts.eriklindernoren(prefix: prefix)).recognised()
    #expect(model.recipe.name == "eriklindernoren")
    #expect(model.notes.count == prefix.split(separator: ".").count)
    #expect(model.notes.last?.contains("was stripped") == true)
  }

  @Test func namesTheNearestFamilyAndWhatDoesNotFit() {
    var missing = Dicts.eriklindernoren()
    missing.removeAll { $0.0 == "model.1.norm.bias" }
    expectError(
      Dicts.dict(missing),
      "tensor 'model.1.norm.bias': is missing; the nearest known family is eriklindernoren")
    expectError(
      Dicts.dict(Dicts.mmalotin + [("attention.query.weight", [2, 2])]),
      "tensor 'attention.query.weight' [2, 2]: has no place in it; the nearest known family is mmalotin")
    expectError(
      Dicts.dict([("downsamples.0.block.2.weight", [8])]),
      "tensor 'downsamples.0.block.2.weight' [8]: belongs to no known family")
    expectError(Dicts.dict([]), "holds no tensors")
  }

  @Test func namesTheTensorWhoseShapeDoesNotFit() {
    var tensors = Dicts.eriklindernoren()
    tensors = tensors.map { $0.0 == "model.2.block.1.weight" ? ($0.0, [8, 5, 3, 3]) : $0 }
    expectError(Dicts.dict(tensors), "tensor 'model.2.block.1.weight' [8, 5, 3, 3] (recipe, line")
  }

  private func expectError(
    _ dict: StateDict, _ message: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    do {
      _ = try dict.recognised()
      Issue.record("recognised", sourceLocation: sourceLocation)
    } catch { #expect(error.message.contains(message), "\(error.message)", sourceLocation: sourceLocation) }
  }
}
