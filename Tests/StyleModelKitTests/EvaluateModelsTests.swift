import Diagnostics
import TestSupport
import Testing

@testable import StyleModelKit

@Suite struct EvaluateModelsTests {
  /// A folder with the mosaic network in 8 bits and its source, and pictures in `pictures`.
  private struct Setting {
    let folder: TemporaryFolder
    let model: Model
    var options = EvaluationOptions(imagesFolder: "")

    init(pictures: [String] = ["chelsea_96x64.png"], scheme: String = "int8") throws {
      folder = try TemporaryFolder()
      try folder.copy(fixture: mosaic)
      model = try loadModel(folder.convert(mosaic, to: "m.stylemodel", scheme).path)
      options.imagesFolder = folder.makeFolder("pictures")
      for name in pictures { try folder.copy(fixture: name, as: "pictures/" + name) }
    }

    func report() throws(StyleModelError) -> EvaluationReport { try evaluate(model, options: options) }
  }

  @Test func judgesAnIntegerModelByItsSource() throws {
    let report = try Setting(pictures: ["chelsea_96x64.png", "coffee_131x97.png"]).report()
    #expect(report.passed && report.isComplete)
    #expect(report.pictures.map(\.name) == ["chelsea_96x64.png", "coffee_131x97.png"])
    #expect(report.pictures.map(\.size) == ["96x64", "131x97"])
    #expect(report.candidate.name == "m.stylemodel" && report.candidate.storage == "int8")
    #expect(report.reference.name == mosaic && report.reference.storage == "fp32")
    let worst = try #require(report.worstPSNR)
    #expect(worst.quality.psnr > 40 && worst.quality.psnr < 70)
    #expect(report.sizes.reduce(0) { $0 + $1.byteCount } == report.candidate.byteCount)
    #expect(report.notes == [])
  }

  /// What 8 bits cost is more than what 16 cost, and 3 bits cost more still.
  @Test func ranksTheSchemes() throws {
    let worst = try ["fp16", "int8", "int3"].map {
      try Setting(scheme: $0).report().worstPSNR?.quality.psnr ?? 0
    }
    #expect(worst[0] > worst[1] + 6 && worst[1] > worst[2] + 12)
  }

  @Test func judgesByAnotherModel() throws {
    var setting = try Setting()
    setting.options.reference = .model(setting.model.path)
    let report = try setting.report()
    #expect(report.qualities.allSatisfy { $0.quality.identical })
    #expect(report.passed)
  }

  @Test func judgesByAFolderOfPictures() throws {
    var setting = try Setting(pictures: [])
    try setting.folder.copy(fixture: "chelsea_96x64.png", as: "pictures/chelsea.png")
    let expected = setting.folder.makeFolder("expected")
    try setting.folder.copy(
      fixture: "reference/mosaic_small_3000-chelsea_96x64.npy", as: "expected/chelsea.npy")
    setting.options.reference = .pictures(folder: expected)
    let report = try setting.report()
    #expect(
      report.reference
        == EvaluationReport.Subject(name: expected, storage: "pictures", byteCount: 0, sha256: ""))
    #expect(try #require(report.worstPSNR).quality.psnr > 40)

    // A picture that has no counterpart, and one of another size.
    try setting.folder.copy(fixture: "coffee_131x97.png", as: "pictures/coffee.png")
    try setting.folder.copy(fixture: "flat_64x64.png", as: "pictures/flat.png")
    try setting.folder.copy(fixture: "chelsea_96x64.png", as: "expected/flat.png")
    let failed = try setting.report()
    #expect(!failed.passed && failed.qualities.count == 1)
    #expect(
      errors(failed) == [
        "\(expected): holds no picture 'coffee'; put one of that name there",
        "pictures of 96x64 and 64x64 cannot be compared; compare pictures of one size",
      ])

    try setting.folder.copy(fixture: "chelsea_96x64.png", as: "expected/chelsea.png")
    let twice = failure { () throws(StyleModelError) in _ = try setting.report() }
    #expect(twice?.message == "\(expected): holds two pictures named 'chelsea'; leave one of them there")
  }

  @Test func onePictureThatFailsIsAFailure() throws {
    var setting = try Setting(pictures: ["chelsea_96x64.png"])
    try setting.folder.write("no picture".utf8, as: "pictures/broken.png")
    try setting.folder.write("not looked at".utf8, as: "pictures/readme.txt")
    setting.options.gates.minPSNR = 20
    let report = try setting.report()
    #expect(report.pictures.map(\.name) == ["broken.png", "chelsea_96x64.png"])
    #expect(!report.passed && !report.isComplete && report.gates.map(\.passed) == [false])
    #expect(errors(report).first?.hasPrefix(setting.folder.path("pictures/broken.png") + ": is ") == true)
  }

  @Test func noPictureIsAnError() throws {
    var setting = try Setting(pictures: [])
    let error = failure { () throws(StyleModelError) in _ = try setting.report() }
    #expect(error?.kind == .badInput)
    #expect(
      error?.message
        == "\(setting.folder.path("pictures")): holds no picture; put .png, .jpg or .npy files into it")
    setting.options.imagesFolder = setting.folder.path("none")
    let missing = failure { () throws(StyleModelError) in _ = try setting.report() }
    #expect(missing?.kind == .cannotOpen)
  }

  @Test func anOutputThatIsNotFiniteFailsTheGate() throws {
    var setting = try Setting()
    var model = setting.model
    model.graph.contract.outputScale = [3e38, 3e38, 3e38]
    setting.options.reference = .fp32
    let report = try evaluate(model, options: setting.options)
    guard case .failure(let error) = report.pictures[0].outcome else {
      Issue.record("\(report.pictures[0].outcome)")
      return
    }
    #expect(error.kind == .gateFailed && error.message.contains("are not finite numbers"))
    #expect(!report.passed)
  }

  @Test func aPictureThatIsTooSmallForTheNetworkFails() throws {
    let setting = try Setting(pictures: [])
    try setting.folder.copy(fixture: "pictures/rgb_4x3.png", as: "pictures/rgb_4x3.png")
    let report = try setting.report()
    #expect(errors(report).first?.contains("a picture of 4x3 is too small for the network") == true)
    #expect(errors(report).first?.contains("use a picture of at least 5x5") == true)
  }

  /// A float model of another format of pixels than its family's is evaluated in that format.
  @Test func usesTheContractOfTheConversionAgain() throws {
    let folder = try TemporaryFolder()
    try folder.copy(fixture: mosaic)
    var contract = ContractOverride()
    contract.preset = .signed
    let importOptions = ImportOptions(contract: contract)
    let (path, _) = try folder.convert(mosaic, to: "m.stylemodel", "fp32", importOptions: importOptions)
    let pictures = folder.makeFolder("pictures")
    try folder.copy(fixture: "chelsea_96x64.png", as: "pictures/a.png")
    let model = try loadModel(path)
    #expect(model.provenance?.options == ["--fp32", "--io", "signed"])
    let same = try evaluate(model, options: EvaluationOptions(imagesFolder: pictures))
    #expect(try #require(same.worstPSNR).quality.psnr > 100)
    let other = try evaluate(
      model, options: EvaluationOptions(imagesFolder: pictures, sourceImportOptions: ImportOptions()))
    #expect(try #require(other.worstPSNR).quality.psnr < 40)
  }

  @Test func aStylemodelThatIsJudgedByKnowsItsOwnPixels() throws {
    var setting = try Setting()
    var contract = ContractOverride()
    contract.outputScale = [1, 1, 1]
    setting.options.reference = .model(setting.model.path)
    setting.options.sourceImportOptions = ImportOptions(contract: contract)
    #expect(try setting.report().qualities.allSatisfy { $0.quality.identical })
  }

  @Test(arguments: [
    ("fp32", "fp32"), ("fp16", "fp16"), ("int8", "int8"), ("int4-affine", "int4-affine"),
    ("int8-per-tensor", "int8-per-tensor"), ("int2-affine-per-tensor", "int2-affine-per-tensor"),
  ])
  func namesTheStorage(scheme: String, storage: String) throws {
    #expect(try Setting(scheme: scheme).model.storage == storage)
  }

  private func errors(_ report: EvaluationReport) -> [String] {
    report.pictures.compactMap { if case .failure(let error) = $0.outcome { error.message } else { nil } }
  }
}
