import Diagnostics
import ModelGraph
import Runtime
import TestSupport
import Testing

@testable import StyleModelKit

@Suite struct FrozenNormsTests {
  /// Frozen over one picture, the network gives that picture as it was; another one changes.
  @Test func oneCalibrationPictureIsKept() throws {
    let folder = try TemporaryFolder()
    _ = folder.makeFolder("calibration")
    try folder.copy(fixture: "chelsea_96x64.png", as: "calibration/chelsea.png")
    let source = try loadModel(fixturePath(mosaic))
    let frozen = try FrozenNorms(source, picturesIn: folder.path("calibration"))
    #expect(frozen.pictures.map(\.name) == ["chelsea.png"])
    #expect(frozen.worst?.quality.psnr ?? 0 > 80)
    #expect(frozen.notes.count { $0.kind == .done } == 15)
    let conversion = try convert(source, quantization: .fp32, frozen: frozen)
    // Every norm has gone into its convolution.
    let kinds = Set(conversion.graph.nodes.map(\.operation.mnemonic))
    #expect(kinds.isDisjoint(with: ["instance_norm", "batch_norm"]))
    let path = try folder.write(conversion.bytes, as: "frozen.stylemodel")
    #expect(try loadModel(path).provenance?.options == ["--fp32", "--freeze-norm", "calibration"])
    let other = try picture("coffee_131x97.png")
    let live = try Engine(model: source).run(other)
    let still = try Engine(model: loadModel(path)).run(other)
    #expect(try compare(live, still).psnr < 40)
  }

  /// Over two pictures the statistics are those of both together.
  @Test func everyPictureCounts() throws {
    let folder = try TemporaryFolder()
    _ = folder.makeFolder("two")
    try folder.copy(fixture: "chelsea_96x64.png", as: "two/a.png")
    try folder.copy(fixture: "noise_96x64.png", as: "two/b.png")
    let frozen = try FrozenNorms(loadModel(fixturePath(mosaic)), picturesIn: folder.path("two"))
    #expect(frozen.pictures.count == 2)
    #expect(frozen.pictures.allSatisfy { $0.quality.psnr < 60 })
    #expect(frozen.summary.hasPrefix("15 norms over 2 pictures of "))
  }

  @Test func aNetworkWithoutLiveNormsIsRefused() throws {
    let folder = try TemporaryFolder()
    _ = folder.makeFolder("one")
    try folder.copy(fixture: "chelsea_96x64.png", as: "one/a.png")
    var model = try loadModel(fixturePath(mosaic))
    model.graph = Graph(contract: PixelPreset.unit.contract)
    let error = failure { () throws(StyleModelError) in
      _ = try FrozenNorms(model, picturesIn: folder.path("one"))
    }
    #expect(error?.problem.contains("none to freeze") == true)
  }
}
