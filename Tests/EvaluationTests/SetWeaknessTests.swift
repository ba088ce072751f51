import Imaging
import Testing

@testable import Evaluation

@Suite struct SetWeaknessTests {
  private let flat = EvaluationPicture(name: "flat", picture: flatPicture())
  private let noise = EvaluationPicture(name: "noise", picture: noisePicture())
  private let checker = EvaluationPicture(name: "checker", picture: checkerPicture())

  @Test func namesWhatIsMissing() {
    #expect(weaknessOfSet([]) == "it has no picture")
    #expect(weaknessOfSet([flat, flat]) == "every picture is nearly one colour, which any model gets right")
    #expect(weaknessOfSet([noise]) == "it has only one picture")
    #expect(weaknessOfSet([noise, noise]) == "it has only one picture")
    #expect(weaknessOfSet([flat, noise]) == "all its pictures but one are nearly one colour")
  }

  @Test func acceptsVariedSets() throws {
    #expect(weaknessOfSet([noise, checker]) == nil)
    #expect(weaknessOfSet(try builtInEvaluationPictures()) == nil)
  }
}
