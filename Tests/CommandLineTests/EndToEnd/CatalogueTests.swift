import Diagnostics
import Files
import Glibc
import StyleModelKit
import TestSupport
import Testing

@testable import CommandLine

/// Work that is divided among processes gives what one process gives.
@Suite struct CatalogueTests {
  private func text(_ folder: TemporaryFolder, _ name: String) throws -> String {
    String(decoding: try readFile(folder.path(name)), as: UTF8.self)
  }

  /// A report without what no two runs have in common.
  private func timeless(_ folder: TemporaryFolder, _ name: String) throws -> String {
    try text(folder, name).replacing(/("(?:reference_)?seconds"): [0-9.e-]+/) { "\($0.1): 0" }
      .replacing(#/ time="[0-9.]+"/#, with: " time=\"0\"")
  }

  private func reports(_ name: String, _ formats: [String]) -> [String] {
    formats.flatMap { ["--report", "\(name).\($0)"] }
  }

  /// Two networks, one file that is none, and three pictures of which one is broken.
  private func catalogue() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in ["styles", "photos"] { _ = folder.makeFolder(name) }
    try folder.copy(fixture: mosaicFixture, as: "styles/a.pth")
    try folder.copy(fixture: "safetensors/mosaic_small_3000.safetensors", as: "styles/c.safetensors")
    try folder.copy(fixture: "hostile/page.html.pth", as: "styles/b.pth")
    try folder.copy(fixture: "chelsea_96x64.png", as: "photos/chelsea.png")
    try folder.copy(fixture: "noise_96x64.png", as: "photos/noise.png")
    try folder.write("no picture".utf8, as: "photos/broken.png")
    return folder
  }
  private let mosaicFixture = "mosaic_small_3000.pth"
  private let sweep = ["sweep", "styles/*", "--schemes", "int8,int4", "--images", "photos"]

  @Test func aSweepInShardsIsTheSweep() throws {
    let folder = try catalogue()
    let formats = ["json", "md", "xml", "html", "csv", "svg"]
    let gates = ["--min-psnr", "25", "--max-bytes", "100000"]
    let whole = try folder.tool.run(sweep + gates + reports("whole", formats))
    #expect(whole.status == 66 || whole.status == 65, "\(whole.diagnostics)")
    #expect(whole.diagnostics.contains("styles/b.pth: is an HTML page"))
    #expect(try text(folder, "whole.csv").contains("b.pth,int4,,,,,,,,3,3,min-psnr"))
    // One shard says by itself where it stands, the others get it from an engine; one of them shares a cache.
    for (index, environment) in [[:], ["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "4"], [:], [:]].enumerated() {
      var tool = folder.tool
      tool.environment = environment
      let shard = environment.isEmpty ? "\(index + 1)/4" : "auto"
      let done = try tool.run(
        sweep + gates + ["--shard", shard, "--threads", "1"] + (index == 3 ? ["--cache", "cache"] : []))
      #expect(done.status == 0, "\(done.diagnostics)")
      #expect(done.output.hasPrefix("shard \(index + 1)/4 of plan "))
    }
    let merged = try folder.tool.run(["report", "merge", "parts"] + reports("merged", formats))
    #expect(merged == whole)
    for format in formats {
      #expect(try timeless(folder, "merged.\(format)") == timeless(folder, "whole.\(format)"), "\(format)")
    }
    // The printed JSON is the report.
    let json = try folder.tool.run("report", "merge", "parts/part-4-of-4.json", "parts", "--json")
    #expect(json.status == 65 && json.diagnostics.contains("units as parts/part-4-of-4.json does"))
    #expect(try folder.tool.run("report", "merge", "parts", "--json").output == text(folder, "merged.json"))
  }

  @Test func evaluationsInShardsAreTheEvaluation() throws {
    let folder = try catalogue()
    for scheme in ["int8", "int4"] {
      let made = try folder.tool.run(
        "convert", "styles/a.pth", "--bits", scheme == "int8" ? "8" : "4", "-o", "styles/\(scheme).stylemodel"
      )
      try #require(made.status == 0)
    }
    let formats = ["json", "md", "xml", "html", "csv"]
    let eval = ["eval", "styles/*.stylemodel", "gone.stylemodel", "--images", "photos", "--min-ssim", "0.9"]
    let more = ["--temporal", "--compute", "fp16", "--max-ratio", "30%"]
    let whole = try folder.tool.run(eval + more + reports("whole", formats))
    #expect(whole.status == 66 && whole.diagnostics.contains("gone.stylemodel: cannot be opened"))
    for shard in 1...3 {
      let done = try folder.tool.run(eval + more + ["--with-pictures", "--shard", "\(shard)/3"])
      #expect(done.status == 0, "\(done.diagnostics)")
    }
    let merged = try folder.tool.run(["report", "merge", "parts"] + reports("merged", formats))
    #expect(merged == whole)
    for format in formats {
      #expect(try timeless(folder, "merged.\(format)") == timeless(folder, "whole.\(format)"), "\(format)")
    }
    #expect(try MarkupReader.html(text(folder, "merged.html")).all("article").count == 4)
  }

  /// A baseline holds for parts as for one run, and must be the one of the plan.
  @Test func aBaselineBelongsToThePlan() throws {
    let folder = try TemporaryFolder()
    try folder.convertedMosaic()
    _ = folder.makeFolder("photos")
    try folder.copy(fixture: "chelsea_96x64.png", as: "photos/chelsea.png")
    let eval = ["eval", "m.stylemodel", "--images", "photos"]
    #expect(try folder.tool.run(eval + ["--report", "base.json"]).status == 0)
    let held = eval + ["--baseline", "base.json"]
    let whole = try folder.tool.run(held)
    #expect(try folder.tool.run(held + ["--shard", "1/1"]).status == 0)
    #expect(try folder.tool.run("report", "merge", "parts") == whole)
    try folder.write((try text(folder, "base.json") + "\n").utf8, as: "base.json")
    let changed = try folder.tool.run("report", "merge", "parts")
    #expect(changed.status == 65 && changed.diagnostics.contains("the baseline has changed since"))
  }

  @Test func aPlanListsItsUnits() throws {
    let folder = try catalogue()
    let table = try folder.tool.run(sweep + ["--plan-only", "--shards", "3"])
    #expect(table.status == 0 && table.diagnostics.contains("Warning: styles/b.pth cannot be read"))
    let lines = table.output.split(separator: "\n")
    #expect(lines.count == 2 + 18 + 1 && lines[0].contains("3 models x 2 schemes x 3 pictures, 18 units, "))
    #expect(lines[20].hasPrefix("3 shards, "))
    let json = try readJSON(try folder.tool.run(sweep + ["--plan-only", "--json"]).output)
    #expect(json.at("schema") == "stylemodel-plan-1" && json.at("units", "17", "model") == 2)
    #expect(lines[2].contains("a.pth") && lines[2].hasPrefix("  "))
    // A saved plan is the plan, whatever has become of the files that it was made of.
    #expect(try folder.tool.run(sweep + ["--save-plan", "plan.json"]).status == 0)
    rename(folder.path("styles/c.safetensors"), folder.path("c.safetensors"))
    let again = try folder.tool.run("sweep", "--plan", "plan.json", "--plan-only", "--shards", "3")
    #expect(again.output == table.output)
    let shard = try folder.tool.run("sweep", "--plan", "plan.json", "--plan-only", "--shard", "2/3")
    #expect(shard.output.split(separator: "\n").count < 2 + 18)
  }

  /// A list of models, with what a list may hold.
  @Test func modelsComeFromListsToo() throws {
    let folder = try catalogue()
    try folder.write("# mine\n\n styles/a.pth\r\nstyles/*.safetensors\n".utf8, as: "list")
    let planned = try folder.tool.run(
      "sweep", "--models", "list", "--images", "photos", "--schemes", "int8", "--plan-only")
    #expect(planned.output.contains(": 2 models x 1 scheme x 3 pictures, 6 units"))
    try folder.write("styles/*.onnx\n".utf8, as: "list")
    let none = try folder.tool.run("sweep", "--models", "list", "--plan-only")
    #expect(none.status == 66 && none.diagnostics.contains("Error: list: styles/*.onnx: matches no file"))
    #expect(try folder.tool.run("sweep", "--plan-only").diagnostics.contains("Missing argument 'MODEL…'"))
  }

  /// What has changed since the plan was made is not measured as if it had not.
  @Test func changedFilesAreRefusedUnitByUnit() throws {
    let folder = try catalogue()
    #expect(try folder.tool.run(sweep + ["--save-plan", "plan.json"]).status == 0)
    try folder.copy(fixture: "flat_64x64.png", as: "photos/noise.png")
    try folder.copy(fixture: mosaicFixture, as: "styles/c.safetensors")
    #expect(try folder.tool.run("sweep", "--plan", "plan.json", "--shard", "1/1").status == 0)
    let merged = try folder.tool.run("report", "merge", "parts", "--report", "r.csv")
    #expect(merged.status == 65 || merged.status == 66)
    #expect(merged.output.contains("photos/noise.png: has changed since the plan was made"))
    #expect(merged.diagnostics.contains("styles/c.safetensors: has changed since the plan was made"))
  }

  /// Stopped by SIGTERM, a shard leaves a part that is valid, and the same line goes on from there.
  @Test func aShardThatIsStoppedGoesOn() throws {
    let folder = try TemporaryFolder()
    try folder.copy(fixture: mosaicFixture, as: "a.pth")
    let shard = "\(word(Tool.path)) sweep a.pth --shard 1/1 --threads 1"
    // The built-in set in eight schemes takes long enough to be stopped at the first unit that is saved.
    let script = """
      cd \(word(folder.path))
      \(shard) --schemes fp32,fp16,int8,int7,int6,int5,int4,int3 2>stopped.err >stopped.out & pid=$!
      until [ -s parts/part-1-of-1.json ] || ! kill -0 $pid; do sleep 0.02; done
      kill -TERM $pid
      wait $pid
      echo $?
      """
    // The shell may say "Terminated" first.
    #expect(try shell(script).hasSuffix("143\n"))
    #expect(try text(folder, "stopped.out") == "")
    #expect(try text(folder, "stopped.err").hasPrefix("Stopped: "))
    let part = try readJSON(text(folder, "parts/part-1-of-1.json"))
    let first = try #require(part.at("units", "0", "id"))
    let early = try folder.tool.run("report", "merge", "parts")
    #expect(early.status == 65 && early.diagnostics.contains("parts/part-1-of-1.json: lacks "))
    #expect(folder.names == ["a.pth", "parts", "stopped.err", "stopped.out"])
    // Fewer schemes are another plan; the units that both have are taken over.
    let again = try folder.tool.run("sweep", "a.pth", "--shard", "1/1", "--schemes", "fp32,fp16")
    #expect(again.status == 0 && again.diagnostics.hasPrefix("Going on with parts/part-1-of-1.json: "))
    let whole = try readJSON(text(folder, "parts/part-1-of-1.json"))
    #expect(whole.at("units", "0", "id") == first)
    #expect(
      whole.at("units", "0", "outcome", "result", "seconds")
        == part.at("units", "0", "outcome", "result", "seconds"))
    #expect(try folder.tool.run("report", "merge", "parts").status == 0)
  }

  @Test(
    arguments: [
      (["sweep", "styles/a.pth", "--shard", "7/6"], "--shard wants a share such as 3/6"),
      (["sweep", "styles/a.pth", "--shard", "auto"], "--shard auto finds no engine: SLURM_ARRAY_TASK_ID,"),
      (["sweep", "styles/a.pth", "--shard", "1/6", "--shards", "5"], "'--shard 1/6' and --shards differ"),
      (
        ["sweep", "styles/a.pth", "--shard", "1/6", "--report", "r.csv"],
        "make it of all parts with 'report merge'"
      ),
      (["sweep", "--plan", "plan.json"], "add --shard K/N or --plan-only"),
      (["sweep", "--plan", "plan.json", "--rounded", "--plan-only"], "'--rounded' stands beside --plan"),
      (["eval", "--with-pictures"], "'--with-pictures' is for part files; add --shard"),
      (["report", "join", "parts"], "Unknown action 'join'; the only one is 'merge'"),
      (
        ["report", "merge", "parts", "--report", "r.txt"],
        "r.txt: is not a name that says what kind of report"
      ),
    ] as [([String], String)])
  func mistakesAreNamed(words: [String], message: String) throws {
    let folder = try catalogue()
    let names = folder.names
    let result = try folder.tool.run(words)
    #expect(result.status == 64 && result.output == "")
    #expect(result.diagnostics.contains(message), "\(result.diagnostics)")
    #expect(folder.names == names)
  }
}
