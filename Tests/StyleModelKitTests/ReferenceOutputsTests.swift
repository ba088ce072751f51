import Diagnostics
import TestSupport
import Testing

@testable import StyleModelKit

@Suite struct ReferenceOutputsTests {
  /// The tiny network twice, the second one by another recipe, evaluated on one picture.
  private func evaluated(
    recipe: String, options change: (inout EvaluationOptions) -> Void = { _ in }
  ) throws -> Result<EvaluationReport, StyleModelError> {
    let folder = try TemporaryFolder()
    let original = try folder.tinyNetwork()
    let first = try folder.convert("tiny.pth", to: "a.stylemodel", importOptions: original)
    let other = ImportOptions(recipePath: try folder.write(recipe.utf8, as: "other.recipe"))
    let second = try folder.convert("tiny.pth", to: "b.stylemodel", importOptions: other)
    var options = EvaluationOptions(
      reference: .model(second.path), imagesFolder: folder.makeFolder("pictures"))
    try folder.copy(fixture: "flat_64x64.png", as: "pictures/flat.png")
    change(&options)
    do throws(StyleModelError) {
      return .success(try evaluate(try loadModel(first.path), options: options))
    } catch { return .failure(error) }
  }

  private func changed(_ old: String, _ new: String) -> String {
    let parts = tinyRecipe.split(separator: old, omittingEmptySubsequences: false)
    #expect(parts.count == 2)
    return parts.joined(separator: new)
  }

  @Test(arguments: [
    ("pixels(unit, sizes: [[640, 960]])", "640x960 only"),
    ("pixels(unit, widths: [64, -1], heights: [64, 1024])", "width 64 and more, height 64…1024"),
  ]) func otherSizesAreRefusedWithBoth(pixels: String, named: String) throws {
    let outcome = try evaluated(recipe: changed("pixels(unit)", pixels))
    guard case .failure(let error) = outcome else {
      Issue.record("was compared")
      return
    }
    #expect(error.kind == .badInput && error.file?.hasSuffix("a.stylemodel") == true)
    #expect(error.problem.hasPrefix("takes any size, but ") && error.problem.hasSuffix("takes " + named))
  }

  @Test func anotherScaleOfTheOutputIsRefusedWithBoth() throws {
    let larger = changed("  output %x", "  %x = upsample(%x, factor: 2, mode: nearest)\n  output %x")
    guard case .failure(let error) = try evaluated(recipe: larger) else {
      Issue.record("was compared")
      return
    }
    #expect(error.kind == .badInput && error.problem.hasPrefix("makes 256x256 of 256x256, but "))
    #expect(error.problem.hasSuffix("makes 512x512"))
  }

  /// Pictures go in and pictures come out, whatever the networks want between.
  @Test(arguments: ["pixels(raw255)", "pixels(unit, order: bgr)", "pixels(unit, rounding: truncate)"])
  func otherPixelsAreNotedWithBoth(pixels: String) throws {
    let report = try evaluated(recipe: changed("pixels(unit)", pixels)).get()
    let note = try #require(report.notes.first { $0.hasPrefix("the two want different pixels") })
    #expect(note.contains("unit (0…1 in and out), RGB, rounds to nearest to 8 bits, any size (a.stylemodel)"))
    #expect(note.hasSuffix("(b.stylemodel)"))
    #expect(try evaluated(recipe: tinyRecipe).get().notes.allSatisfy { !$0.contains("pixels") })
  }

  @Test func picturesThatBelongToNoneAreNoted() throws {
    let report = try evaluated(recipe: tinyRecipe) { options in
      options.reference = .pictures(folder: fixturePath(""))
    }.get()
    #expect(report.notes.contains { $0.contains("belongs to none that was shown: ") })
    #expect(!report.passed)
  }

  @Test func flickerNeedsANetwork() throws {
    let outcome = try evaluated(recipe: tinyRecipe) { options in
      options.reference = .pictures(folder: fixturePath(""))
      options.temporal = true
    }
    guard case .failure(let error) = outcome else {
      Issue.record("was measured")
      return
    }
    #expect(error.kind == .usage)
  }

  @Test func flickerOfAModelAgainstItselfIsNothingExtra() throws {
    let report = try evaluated(recipe: tinyRecipe) { $0.temporal = true }.get()
    let worst = try #require(report.worstTemporalChange)
    #expect(worst.change.extra == 0 && worst.change.reference > 0)
  }
}
