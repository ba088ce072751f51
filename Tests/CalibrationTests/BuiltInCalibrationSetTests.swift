import Evaluation
import Imaging
import Testing

@testable import Calibration

@Suite struct BuiltInCalibrationSetTests {
  @Test func holdsPhotographsTexturesAndRamps() throws {
    let pictures = try builtInCalibrationPictures()
    let photographs = pictures.filter { !$0.isRamp }.map(\.name)
    #expect(photographs == ["rocket", "hubble", "tissue", "retina", "grass", "bricks", "gravel", "discs"])
    #expect(pictures.filter(\.isRamp).map(\.name) == (1...12).map { "ramp_\($0)" })
    for picture in pictures {
      #expect(max(picture.picture.width, picture.picture.height) <= 256)
      #expect(picture.picture.samples.allSatisfy { (0...255).contains($0) }, "\(picture.name)")
    }
  }

  @Test func sharesNothingWithTheEvaluationSet() throws {
    let evaluation = try builtInEvaluationPictures()
    let calibration = try builtInCalibrationPictures()
    #expect(Set(evaluation.map(\.name)).isDisjoint(with: calibration.map(\.name)))
    #expect(Set(evaluation.map(\.picture)).isDisjoint(with: calibration.map(\.picture)))
  }

  @Test func discsAreTheSameEveryTime() {
    #expect(discsPicture(size: 64, seed: 7) == discsPicture(size: 64, seed: 7))
    #expect(discsPicture(size: 64, seed: 7) != discsPicture(size: 64, seed: 8))
  }
}
