import Diagnostics
import TestSupport
import Testing

/// `convert --min-psnr` and `--max-bytes`, run as a user would.
@Suite struct SearchTests {
  @Test func aSearchSaysWhatItFound() throws {
    let folder = try TemporaryFolder()
    try folder.copy(fixture: "mosaic_small_3000.pth")
    let run = try folder.tool.run(
      "convert", "mosaic_small_3000.pth", "--min-psnr", "36dB", "--photos-only", "--size", "64x64")
    try #require(run.status == 0, "\(run.diagnostics)")
    #expect(run.output.contains("search   the smallest file of at least 36.00 dB on the worst calibration\n"))
    #expect(run.output.contains("         calibration: the worst picture, "))
    #expect(run.output.contains(": 36."))
    #expect(run.output.contains("pictures that the search has not seen: the worst, "))
    #expect(run.output.contains("  model.3.block.0.block.1 "))
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    let inspected = try folder.tool.run("inspect", "mosaic_small_3000.36dB.stylemodel", "--tensors")
    #expect(inspected.status == 0)
    #expect(inspected.output.contains("convert --min-psnr 36 --photos-only"))
    #expect(inspected.output.contains("  model.3.block.0.block.1.weight  [32, 32, 3, 3]  int7/channel "))
  }

  @Test func itsJSONAddsUp() throws {
    let folder = try TemporaryFolder()
    try folder.copy(fixture: "mosaic_small_3000.pth")
    let run = try folder.tool.run(
      "convert", "mosaic_small_3000.pth", "--max-bytes", "60000", "--size", "64x64", "--json", "-o",
      "a.stylemodel")
    try #require(run.status == 0, "\(run.diagnostics)")
    let json = try JSONValue(parsing: Array(run.output.utf8)[...])
    let search = try #require(json["search"])
    #expect(search["max_bytes"]?.integer == 60_000)
    #expect(json["output"]?["bytes"]?.integer ?? .max <= 60_000)
    let layers = try #require(search["layers"]?.items)
    #expect(layers.count == 16)
    let bytes = layers.compactMap { $0["bytes"]?.integer }.reduce(0, +)
    #expect((30_000...60_000).contains(bytes))
    #expect(search["unseen"]?.items?.count == 7)
  }

  @Test(arguments: [
    ("--min-psnr 40 -o a.mlmodel", "A search finds steps for each channel that only a .stylemodel can hold"),
    ("--min-psnr 40 --affine", "--affine says how integers are scaled, which a search finds by itself"),
    ("--int8 --photos-only", "--photos-only is for searches"),
    ("--bits 4 --fast-load -o a.onnx", "--fast-load is about the coding of a .stylemodel; a .onnx has none"),
  ])
  func whatDoesNotGoTogetherIsRefused(options: String, message: String) throws {
    let folder = try TemporaryFolder()
    try folder.copy(fixture: "mosaic_small_3000.pth")
    let run = try folder.tool.run(
      ["convert", "mosaic_small_3000.pth"] + options.split(separator: " ").map(String.init))
    #expect(run.status == 64)
    #expect(run.diagnostics.contains(message), "\(run.diagnostics)")
  }
}
