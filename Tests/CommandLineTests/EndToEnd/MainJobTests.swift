import Diagnostics
import Files
import TestSupport
import Testing

@testable import CommandLine

@Suite struct MainJobTests {
  @Test func convertsAndSaysHowGoodTheResultIs() throws {
    let folder = try TemporaryFolder()
    try folder.copy(fixture: "mosaic_small_3000.pth")
    _ = folder.makeFolder("pictures")
    try folder.copy(fixture: "chelsea_96x64.png", as: "pictures/chelsea.png")
    try folder.copy(fixture: "coffee_131x97.png", as: "pictures/coffee.png")
    let result = try folder.tool.run(
      "convert", "mosaic_small_3000.pth", "--int8", "--eval", "--images", "pictures")
    #expect(result.status == 0 && result.diagnostics == "")
    #expect(folder.names == ["mosaic_small_3000.int8.stylemodel", "mosaic_small_3000.pth", "pictures"])
    let size = try readFile(folder.path("mosaic_small_3000.int8.stylemodel")).count
    #expect(size < 454_609 * 27 / 100)
    for text in [
      "read     mosaic_small_3000.pth: PyTorch zip checkpoint, 454,609 bytes\n", "recipe eriklindernoren",
      "weights  int8; they are stored so, and run in float\n",
      "wrote    mosaic_small_3000.int8.stylemodel: 454,609 -> \(grouped(size)) bytes",
      "\(grouped(size))  the file\n", "worst picture", "PSNR of the mean squared error over all pictures",
      "PSNR: peak 255, all channels;",
    ] {
      #expect(result.output.contains(text), "\(text)")
    }
    for line in result.output.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }

  /// Seven pictures, photographs and what breaks networks.
  @Test func evaluatesOnABuiltInSet() throws {
    let folder = try TemporaryFolder()
    try folder.convertedMosaic()
    let result = try folder.tool.run("eval", "m.stylemodel", "--json")
    #expect(result.status == 0 && result.diagnostics == "")
    let json = try readJSON(result.output)
    #expect(json.at("passed") == true)
    let names = (0..<7).map { json.at("models", "0", "pictures", String($0), "name") }
    #expect(names == ["astronaut", "coffee", "chelsea", "gradient", "checker", "flat", "noise"])
    #expect(json.at("models", "0", "worst", "psnr_picture") == "gradient")
  }

  @Test func anyNumberOfThreadsGivesTheSameBytes() throws {
    let folder = try TemporaryFolder()
    try folder.convertedMosaic()
    try folder.copy(fixture: "coffee_131x97.png")
    for threads in ["1", "2", "3"] {
      #expect(
        try folder.tool.run(
          "convert", "mosaic_small_3000.pth", "-o", "\(threads).stylemodel", "--threads", threads
        ).status == 0)
      #expect(
        try folder.tool.run(
          "stylize", "m.stylemodel", "coffee_131x97.png", "-o", "\(threads).npy", "--threads", threads
        ).status == 0)
    }
    for ending in [".stylemodel", ".npy"] {
      let one = try readFile(folder.path("1" + ending))
      #expect(try readFile(folder.path("2" + ending)) == one && readFile(folder.path("3" + ending)) == one)
    }
    #expect(try readFile(folder.path("m.stylemodel")) == readFile(folder.path("1.stylemodel")))
  }

  @Test func jsonIsAllThatIsPrinted() throws {
    let folder = try TemporaryFolder()
    try folder.convertedMosaic()
    _ = folder.makeFolder("pictures")
    try folder.copy(fixture: "chelsea_96x64.png", as: "pictures/a \"b\".png")
    let converted = try folder.tool.run(
      "convert", "m.stylemodel", "--bits", "4", "--eval", "--images", "pictures", "--json")
    let conversion = try readJSON(converted.output)
    #expect(converted.status == 0 && converted.diagnostics == "")
    #expect(conversion.at("output", "path") == "m.int4.stylemodel")
    #expect(conversion.at("scheme") == "int4")
    #expect(conversion.at("evaluation", "pictures", "0", "name") == "a \"b\".png")
    #expect(conversion.at("notes", "15") != nil, "each of the 16 convolutions was quantized before")
    let told = try folder.tool.run("convert", "m.stylemodel", "--bits", "4").output
    #expect(
      told.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(
        "note: 16 tensors: was int8 per channel (axis 0) already, decoded first"))

    let evaluated = try folder.tool.run("eval", "--images", "pictures", "--json")
    #expect(evaluated.status == 0 && evaluated.diagnostics == "")
    let reports = try readJSON(evaluated.output)
    #expect(reports.at("models", "0", "model", "name") == "m.int4.stylemodel")
    #expect(reports.at("models", "1", "model", "name") == "m.stylemodel")
    #expect(reports.at("models", "0", "against", "name") == "m.stylemodel")

    let inspected = try folder.tool.run("inspect", "m.stylemodel", "--json", "--tensors", "--graph")
    let inspection = try readJSON(inspected.output)
    #expect(inspection.at("recipe") == "eriklindernoren")
    #expect(inspection.at("tensors", "0", "stored_as") == "int8 per channel (axis 0)")
    #expect(inspection.at("provenance", "source") == "mosaic_small_3000.pth")

    let timed = try folder.tool.run(
      "bench", "m.stylemodel", "--size", "64x48", "--runs", "3", "--threads", "1", "--json")
    #expect(timed.output.split(separator: "\n").count == 1 && timed.output.hasSuffix("\n"))
    let times = try readJSON(timed.output)
    #expect(times.keys == ["median_seconds", "seconds", "peak_bytes", "threads", "size"])
    #expect(times.at("size") == "64x48" && times.at("threads") == 1)
    #expect(times.at("seconds", "2") != nil && times.at("seconds", "3") == nil)
    if case .integer(let bytes) = times.at("peak_bytes") {
      #expect(bytes > 1 << 20)
    } else {
      Issue.record("no peak_bytes")
    }
  }

  @Test func inspectListsWhatNoRecipeKnows() throws {
    let folder = try TemporaryFolder()
    try folder.copy(fixture: "torch/element_types.pth")
    let result = try folder.tool.run("inspect", "element_types.pth")
    #expect(result.status == 0 && result.diagnostics == "")
    #expect(result.output.contains("  no network: "))
    for name in ["double", "float", "half", "bfloat16", "long", "bool", "scalar", "empty", "nonfinite"] {
      #expect(result.output.contains("\n  \(name) "), "\(name)")
    }
    #expect(result.output.contains("warning: tensor 'nonfinite' has 3 numbers not finite"))
    let json = try readJSON(try folder.tool.run("inspect", "element_types.pth", "--json").output)
    #expect(json.at("error") != nil && json.at("recipe") == nil && json.at("tensor_count") == 13)
    let graph = try folder.tool.run("inspect", "element_types.pth", "--graph")
    #expect(graph.status == 65 && graph.output.contains("\n  half "))
  }

  @Test func aRecipeOfTheUsersOwnIsFoundAgain() throws {
    let folder = try TemporaryFolder()
    try folder.copy(fixture: "torch/state_dict.pth")
    _ = folder.makeFolder("pictures")
    try folder.copy(fixture: "chelsea_96x64.png", as: "pictures/a.png")
    let recipe = """
      recipe "tiny" {
        pixels(unit)
        input %x
        %x = conv(%x, weight: @"conv1.weight", bias: @"conv1.bias", padding: half(@"conv1.weight"))
        %x = instance_norm(%x, gamma: @"in1.weight", beta: @"in1.bias", epsilon: 1e-5)
        %x = conv(%x, weight: @"conv2.weight", bias: @"conv2.bias")
        output %x
      }
      """
    try folder.write(recipe.utf8, as: "tiny.recipe")
    let tool = folder.tool
    #expect(
      try tool.run("convert", "state_dict.pth", "--arch", "./tiny.recipe", "--fp32", "-o", "t.stylemodel")
        .status == 0)
    #expect(try tool.run("eval", "t.stylemodel", "--images", "pictures", "--min-psnr", "100").status == 0)
  }
}
