import Diagnostics
import TestSupport
import Testing

@testable import StyleModelKit

/// In these tests the current folder holds no source; `Tests/CommandLineTests/EndToEnd` covers that it is looked into.
@Suite struct FindSourceTests {
  @Test func findsTheSourceBesideTheFile() throws {
    let folder = try TemporaryFolder()
    try folder.copy(fixture: mosaic)
    let (path, conversion) = try folder.convert(mosaic, to: "m.stylemodel")
    let source = try loadSource(of: loadModel(path), at: nil, options: nil)
    #expect(source.path == folder.path(mosaic))
    #expect(source.sha256 == conversion.source.sha256)
  }

  @Test func takesTheSourceThatIsGiven() throws {
    let folder = try TemporaryFolder()
    try folder.copy(fixture: mosaic)
    let elsewhere = try TemporaryFolder()
    let (_, conversion) = try folder.convert(mosaic, to: "m.stylemodel")
    let path = try elsewhere.write(conversion.bytes, as: "m.stylemodel")
    #expect(
      try loadSource(of: loadModel(path), at: folder.path(mosaic), options: nil).path == folder.path(mosaic))
  }

  @Test func saysWhatToPassWhereItIsMissing() throws {
    let folder = try TemporaryFolder()
    try folder.copy(fixture: mosaic, as: "gone.pth")
    let (_, conversion) = try folder.convert("gone.pth", to: "m.stylemodel")
    let elsewhere = try TemporaryFolder()
    let path = try elsewhere.write(conversion.bytes, as: "m.stylemodel")
    let model = try loadModel(path)
    let error = failure { () throws(StyleModelError) in _ = try loadSource(of: model, at: nil, options: nil) }
    #expect(error?.kind == .cannotOpen)
    #expect(
      error?.message
        == "\(path): was made from 'gone.pth', which is neither beside it nor in the current folder; "
        + "pass it with --source PATH")
    let given = failure { () throws(StyleModelError) in
      _ = try loadSource(of: model, at: elsewhere.path("none.pth"), options: nil)
    }
    #expect(given?.kind == .cannotOpen)
    #expect(given?.file == elsewhere.path("none.pth"))
  }

  /// Retrained, replaced by something else altogether, or cut short: the message is about the file's identity, and
  /// never about what is wrong inside.
  @Test(arguments: ["mosaic_4000.pth", "chelsea_96x64.png", "hostile/truncated.pth"])
  func saysWhatToPassWhereItHasChanged(other: String) throws {
    let folder = try TemporaryFolder()
    try folder.copy(fixture: mosaic)
    let (path, _) = try folder.convert(mosaic, to: "m.stylemodel")
    try folder.copy(fixture: other, as: mosaic)
    let model = try loadModel(path)
    let error = failure { () throws(StyleModelError) in _ = try loadSource(of: model, at: nil, options: nil) }
    #expect(error?.kind == .badInput)
    #expect(
      error?.message
        == "\(folder.path(mosaic)): is not the file that m.stylemodel was made from: its SHA-256 differs; "
        + "pass the right one with --source PATH, or convert again")
  }

  @Test func aCheckpointHasNoSource() throws {
    let model = try loadModel(fixturePath(mosaic))
    let error = failure { () throws(StyleModelError) in _ = try loadSource(of: model, at: nil, options: nil) }
    #expect(error?.kind == .badInput)
    #expect(error?.message.contains("--against MODEL") == true)
  }

  @Test func usesTheOptionsOfTheConversionAgain() throws {
    let folder = try TemporaryFolder()
    var options = try folder.tinyNetwork()
    options.contract.outputScale = [200, 210, 220]
    let (path, _) = try folder.convert("tiny.pth", to: "m.stylemodel", importOptions: options)
    let model = try loadModel(path)
    #expect(
      model.provenance?.options
        == ["--int8", "--arch", "tiny.recipe", "--output-scale", "200.0,210.0,220.0"])
    let source = try loadSource(of: model, at: nil, options: nil)
    #expect(source.recipeName == "tiny")
    #expect(source.graph.contract == model.graph.contract)
    #expect(source.graph.contract.outputScale == [200, 210, 220])
  }

  @Test func saysWhatToPassWhereTheRecipeIsMissing() throws {
    let folder = try TemporaryFolder()
    let options = try folder.tinyNetwork()
    let (_, conversion) = try folder.convert("tiny.pth", to: "m.stylemodel", importOptions: options)
    let elsewhere = try TemporaryFolder()
    let path = try elsewhere.write(conversion.bytes, as: "m.stylemodel")
    let model = try loadModel(path)
    let error = failure { () throws(StyleModelError) in
      _ = try loadSource(of: model, at: folder.path("tiny.pth"), options: nil)
    }
    #expect(error?.kind == .cannotOpen)
    #expect(error?.message.hasPrefix("\(path): was made with a recipe 'tiny.recipe'") == true)
    #expect(error?.message.hasSuffix("pass it with --arch PATH") == true)
    #expect(try loadSource(of: model, at: folder.path("tiny.pth"), options: options).recipeName == "tiny")
  }
}
