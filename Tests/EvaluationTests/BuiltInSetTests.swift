import Glibc
import Imaging
import TestSupport
import Testing

@testable import Evaluation

@Suite struct BuiltInSetTests {
  @Test func holdsPhotographsAndWhatBreaksNetworks() throws {
    let pictures = try builtInEvaluationPictures()
    #expect(
      pictures.map(\.name) == ["astronaut", "coffee", "chelsea", "gradient", "checker", "flat", "noise"])
    let sizes = pictures.map { "\($0.picture.width)x\($0.picture.height)" }
    #expect(sizes == ["256x256", "131x97", "96x64", "256x256", "256x256", "64x64", "96x64"])
    #expect(pictures.allSatisfy { $0.picture.nonFiniteCount == 0 })
  }

  @Test(arguments: [
    ("astronaut", "astronaut_256x256"), ("coffee", "coffee_131x97"), ("chelsea", "chelsea_96x64"),
    ("gradient", "gradient_256x256"), ("checker", "checker_256x256"), ("flat", "flat_64x64"),
  ])
  func equalsTheFixture(_ name: String, _ file: String) throws {
    let picture = try builtInEvaluationPictures().first { $0.name == name }?.picture
    #expect(picture == (try readPicture(fixturePath(file + ".png")).picture))
  }

  /// The calibration set's photograph must not be judged by.
  @Test func doesNotHoldTheRocket() throws {
    let rocket = try readPicture(fixturePath("rocket_256x256.png")).picture
    #expect(try !builtInEvaluationPictures().contains { $0.picture == rocket })
  }

  @Test func makesTheSameNoiseEverywhere() {
    let noise = noisePicture()
    #expect(Array(noise.samples[..<6]) == firstNoise)
    let counts = noise.samples.reduce(into: [Int](repeating: 0, count: 256)) { $0[Int($1)] += 1 }
    // 18,432 bytes: 72 of each on average, with a deviation of 8.5.
    #expect(counts.allSatisfy { (30...115).contains($0) })
  }

  /// SplitMix64 from seed 5, the top byte of each number.
  private let firstNoise: [Float] = [99, 192, 59, 25, 48, 97]

  @Test func isEmbeddedAsItStands() {
    let status = system("'\(repositoryRoot)/tools/embed-pictures' --check")
    #expect(status == 0, "run tools/embed-pictures")
  }
}
