import Diagnostics
import Files
import TestSupport
import Testing

@testable import CommandLine

@Suite struct EvalTests {
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.convertedMosaic()
    _ = folder.makeFolder("pictures")
    try folder.copy(fixture: "chelsea_96x64.png", as: "pictures/chelsea.png")
    try folder.copy(fixture: "noise_96x64.png", as: "pictures/noise.png")
    return folder
  }

  @Test func withoutNamesItTakesEveryModelOfTheFolder() throws {
    let folder = try folder()
    let tool = folder.tool
    #expect(try tool.run("convert", "mosaic_small_3000.pth", "--fp16").status == 0)
    let result = try tool.run(
      "eval", "--against", "fp32", "--images", "pictures", "--report", "r.json", "--report", "r.md")
    #expect(result.status == 0 && result.diagnostics == "")
    #expect(result.output.contains("m.stylemodel (int8) against mosaic_small_3000.pth (fp32)"))
    #expect(result.output.contains("mosaic_small_3000.fp16.stylemodel (fp16) against"))
    let json = try readJSON(String(decoding: readFile(folder.path("r.json")), as: UTF8.self))
    #expect(json.at("passed") == true && json.at("models", "1") != nil && json.at("models", "2") == nil)
    #expect(
      json == (try readJSON(tool.run("eval", "--images", "pictures", "--json").output)).withTimes(of: json))
    let markdown = String(decoding: try readFile(folder.path("r.md")), as: UTF8.self)
    #expect(markdown.hasPrefix("### m.stylemodel against"))
    #expect(markdown.contains("\n### mosaic\\_small\\_3000.fp16.stylemodel against"))
  }

  @Test func withoutAnyModelItSaysSo() throws {
    let folder = try TemporaryFolder()
    let result = try folder.tool.run("eval")
    #expect(result.status == 66 && result.output == "")
    #expect(
      result.diagnostics
        == "Error: There is no .stylemodel in the current folder; name a model, or make one with 'convert'\n")
  }

  @Test func theSourceMayBeInTheCurrentFolder() throws {
    let folder = try folder()
    _ = folder.makeFolder("models")
    try folder.write(try readFile(folder.path("m.stylemodel")), as: "models/m.stylemodel")
    #expect(try folder.tool.run("eval", "models/m.stylemodel", "--images", "pictures").status == 0)
    // One of that name beside the model that is another file is passed over.
    try folder.copy(fixture: "hostile/truncated.pth", as: "models/mosaic_small_3000.pth")
    #expect(try folder.tool.run("eval", "models/m.stylemodel", "--images", "pictures").status == 0)
    let elsewhere = Tool(folder: "/")
    let result = try elsewhere.run("eval", folder.path("models/m.stylemodel"))
    #expect(result.status == 65)
    #expect(
      result.diagnostics.contains(
        "models/mosaic_small_3000.pth: is not the file that m.stylemodel was made from"))
    #expect(
      try elsewhere.run(
        "eval", folder.path("models/m.stylemodel"), "--images", folder.path("pictures"), "--source",
        folder.path("mosaic_small_3000.pth")
      ).status == 0)
  }

  /// What cannot be evaluated is a failure in every report, not a gap.
  @Test func oneModelThatFailsDoesNotStopTheOthers() throws {
    let folder = try folder()
    try folder.write("no model".utf8, as: "a.stylemodel")
    let result = try folder.tool.run(
      "eval", "--images", "pictures", "--report", "r.json", "--report", "r.md", "--min-psnr", "1")
    #expect(result.status == 65)
    #expect(result.diagnostics.hasPrefix("Error: a.stylemodel: is "))
    #expect(result.output.contains("m.stylemodel (int8) against"))
    let json = try readJSON(String(decoding: readFile(folder.path("r.json")), as: UTF8.self))
    #expect(json.at("passed") == false && json.at("failures", "0", "file") == "a.stylemodel")
    #expect(json.at("models", "0", "passed") == true)
    #expect(
      String(decoding: try readFile(folder.path("r.md")), as: UTF8.self).contains(
        "### a.stylemodel\n\n**Failed**"))
  }

  @Test func onePictureThatFailsFailsTheModel() throws {
    let folder = try folder()
    try folder.write("no picture".utf8, as: "pictures/broken.png")
    let result = try folder.tool.run("eval", "m.stylemodel", "--images", "pictures", "--report", "r.json")
    #expect(result.status == 65)
    #expect(result.output.contains("failed  broken.png: is "))
    #expect(result.output.contains("  chelsea.png"))
    let json = try readJSON(String(decoding: readFile(folder.path("r.json")), as: UTF8.self))
    #expect(json.at("passed") == false && json.at("models", "0", "passed") == false)
  }

  @Test func aModelAgainstItselfIsIdentical() throws {
    let folder = try folder()
    let result = try folder.tool.run(
      "eval", "m.stylemodel", "--against", "m.stylemodel", "--images", "pictures", "--min-psnr", "inf",
      "--min-ssim",
      "1", "--report", "r.json")
    #expect(result.status == 0 && result.output.contains("worst picture  inf dB"))
    let json = try readJSON(String(decoding: readFile(folder.path("r.json")), as: UTF8.self))
    #expect(json.at("models", "0", "identical") == true)
    #expect(json.at("models", "0", "worst", "psnr_db") == .null)
  }
}

extension JSONValue {
  /// The document with every time taken from another one: no two runs take as long.
  fileprivate func withTimes(of other: JSONValue?) -> JSONValue {
    switch self {
    case .object(let members):
      .object(
        members.map { member in
          let counterpart = other?.at(member.key)
          return Member(
            member.key,
            member.key.hasSuffix("seconds")
              ? counterpart ?? member.value : member.value.withTimes(of: counterpart))
        })
    case .array(let items):
      .array(items.enumerated().map { index, item in item.withTimes(of: other?.at(String(index))) })
    default: self
    }
  }
}
