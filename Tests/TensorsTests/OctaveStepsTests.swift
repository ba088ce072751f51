import Glibc
import Testing

@testable import Tensors

@Suite struct OctaveStepsTests {
  @Test func stepsAreTheNearestFloats() {
    for exponent in OctaveSteps.exponents {
      let step = OctaveSteps.step(exponent)
      #expect(step.isNormal)
      // The C library's power in double precision is good to a few units in its last place.
      #expect(step == Float(exp2(Double(exponent) / 8)))
      #expect(OctaveSteps.exponent(of: step) == exponent)
      #expect(OctaveSteps.exponent(of: step.nextUp) == nil)
      #expect(OctaveSteps.exponent(nearestTo: Double(step)) == exponent)
    }
  }

  @Test func nearestByRatio() {
    for place in stride(from: -40.0, through: 40.0, by: 0.013)
    where abs(place * 8 - (place * 8).rounded(.down) - 0.5) > 1e-6 {
      #expect(OctaveSteps.exponent(nearestTo: exp2(place)) == Int((place * 8).rounded()))
    }
  }

  @Test(arguments: [0, -1, .nan, .infinity, 1e-300, 1e300]) func othersHaveNone(number: Double) {
    #expect(OctaveSteps.exponent(nearestTo: number) == nil)
    #expect(OctaveSteps.exponent(of: Float(number)) == nil)
  }
}
