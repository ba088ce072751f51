import Diagnostics
import Imaging
import Testing

@testable import Evaluation

@Suite struct ExhibitTests {
  @Test func outputsAreKeptToThePixel() throws {
    let output = samplePicture()
    var other = output
    other.samples[30] += 5
    let exhibit = try #require(Exhibit(original: output, reference: output, candidate: other))
    #expect(exhibit.width == 16 && exhibit.height == 12 && !exhibit.isScaledDown && exhibit.isLossless)
    #expect(try decodePicture(exhibit.reference.bytes).picture == output.rounded)
    #expect(try decodePicture(exhibit.candidate.bytes).picture == other.rounded)
    #expect(exhibit.greatestError == 5 && exhibit.sharesAbove == [1.0 / 192, 1.0 / 192, 0])
    let map = try decodePicture(exhibit.errors.bytes).picture
    #expect(map.width == 16 && map.height == 12 && map.samples[0..<3] == [0, 0, 4])
  }

  @Test func aLargePictureIsScaledDown() throws {
    let picture = Picture(width: 2000, height: 500, samples: [Float](repeating: 90, count: 3_000_000))
    var other = picture
    other.samples[1_500_000] = 100
    let exhibit = try #require(Exhibit(original: picture, reference: picture, candidate: other))
    #expect(exhibit.width == 1024 && exhibit.height == 256 && exhibit.isScaledDown)
    for shown in [exhibit.original, exhibit.reference, exhibit.candidate, exhibit.errors] {
      let decoded = try decodePicture(shown.bytes).picture
      #expect(decoded.width == 1024 && decoded.height == 256)
    }
    #expect(exhibit.greatestError == 10)
  }

  /// One of them as JPEG would look like a difference.
  @Test func whatIsTooLargeAsPNGIsJPEGOnBothSides() throws {
    var state: UInt32 = 1
    let noise = Picture(
      width: 512, height: 512,
      samples: (0..<512 * 512 * 3).map { _ in
        state = state &* 1_664_525 &+ 1_013_904_223
        return Float(state >> 24)
      })
    let flat = Picture(width: 512, height: 512, samples: [Float](repeating: 9, count: 512 * 512 * 3))
    let exhibit = try #require(Exhibit(original: flat, reference: noise, candidate: flat))
    #expect(exhibit.reference.format == .jpeg && exhibit.candidate.format == .jpeg && !exhibit.isLossless)
  }

  @Test func ofManyOnlyTheWorstAreCarried() {
    let picture = samplePicture(width: 11, height: 11)
    let subjects = (0..<greatestExhibitCount + 3).map { index in
      EvaluationSubject(name: "p\(index)") { () throws(StyleModelError) -> Picture in picture }
    }
    let results = evaluateAll(
      subjects,
      candidate: { shown, name in
        // The larger the number, the smaller the error; the first ones are the worst.
        var copy = shown
        copy.samples[0] += 100 / Float((Int(name.dropFirst()) ?? 0) + 1)
        return copy
      }, options: ComparisonOptions(keepsPictures: true))
    #expect(results.map { $0.exhibit != nil } == subjects.indices.map { $0 < greatestExhibitCount })
    let without = evaluateAll(subjects, candidate: { shown, _ in shown })
    #expect(without.allSatisfy { $0.exhibit == nil })
  }
}

extension Picture {
  fileprivate var rounded: Picture {
    Picture(width: width, height: height, samples: samples.map { $0.rounded(.toNearestOrEven) })
  }
}
