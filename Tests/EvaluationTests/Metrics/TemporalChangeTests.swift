import Diagnostics
import Imaging
import Testing

@testable import Evaluation

@Suite struct TemporalChangeTests {
  private let picture = noisePicture()

  private func figures(
    of candidate: (Picture) throws(StyleModelError) -> Picture, on picture: Picture,
    reference: (Picture) throws(StyleModelError) -> Picture = { $0 }
  ) throws -> TemporalFigures {
    try TemporalFrames(picture).figures(
      referenceOutput: try reference(picture), reference: reference, candidateOutput: try candidate(picture),
      candidate: candidate, rounded: false)
  }

  /// Every sample of the noisy frame is one step away, and stays in range.
  @Test func noiseIsOneStepEverywhere() {
    let black = Picture(width: 40, height: 2, samples: Array(repeating: 0, count: 240))
    for picture in [picture, black, gradientPicture()] {
      let noisy = TemporalFrames(picture).noisy
      #expect(zip(noisy.samples, picture.samples).allSatisfy { abs($0 - $1) == 1 })
      #expect(noisy.samples.allSatisfy { (0...255).contains($0) })
      #expect(TemporalFrames(picture).noisy == noisy)
    }
    let grey = Picture(width: 100, height: 100, samples: Array(repeating: 128, count: 30000))
    let up = TemporalFrames(grey).noisy.samples.count { $0 == 129 }
    #expect((14500...15500).contains(up))
  }

  @Test func anIdentityChangesAsItsInputAndMovesWithIt() throws {
    let figures = try figures(of: { $0 }, on: picture)
    #expect(figures.noise == TemporalChange(reference: 1, candidate: 1) && figures.noise.extra == 0)
    #expect(figures.shift == TemporalChange(reference: 0, candidate: 0) && figures.shift?.extra == 0)
  }

  /// Halving contrast quarters the power: 6.02 dB less change.
  @Test func aGainIsMeasuredAsPower() throws {
    let halved = { (picture: Picture) in
      Picture(width: picture.width, height: picture.height, samples: picture.samples.map { $0 / 2 })
    }
    let figures = try figures(of: halved, on: picture)
    #expect(abs(figures.noise.candidate - 0.25) < 1e-6 && abs(figures.noise.extra + 6.0206) < 1e-3)
    #expect(figures.shift?.candidate == 0)
  }

  /// A pattern that stands still while the content moves is flicker; the reference that has none is infinitely better.
  @Test func whatDoesNotMoveWithThePictureIsFlicker() throws {
    let striped = { (picture: Picture) in
      var copy = picture
      for index in copy.samples.indices where index / 3 % picture.width % 2 == 0 { copy.samples[index] = 0 }
      return copy
    }
    let figures = try figures(of: striped, on: picture)
    let shift = try #require(figures.shift)
    #expect(shift.reference == 0 && shift.candidate > 0.5 && shift.extra == .infinity)
  }

  @Test func aFlatPictureHasNoShift() throws {
    let figures = try figures(of: { $0 }, on: flatPicture())
    #expect(figures.shift == nil && figures.noise.reference == 1)
  }

  /// Frames of a network that enlarges twice move by two pixels.
  @Test func anEnlargingNetworkMovesFurther() throws {
    let enlarged = { (picture: Picture) in
      var samples: [Float] = []
      for y in 0..<picture.height * 2 {
        for x in 0..<picture.width * 2 {
          let index = (y / 2 * picture.width + x / 2) * 3
          samples += picture.samples[index..<index + 3]
        }
      }
      return Picture(width: picture.width * 2, height: picture.height * 2, samples: samples)
    }
    #expect(try figures(of: enlarged, on: picture, reference: enlarged).shift?.candidate == 0)
  }

  @Test func isReportedWithItsWorst() throws {
    var report = report([try result("a", psnr: 50)])
    report.pictures[0].outcome = report.pictures[0].outcome.map { figures in
      var figures = figures
      figures.temporal = TemporalFigures(
        noise: TemporalChange(reference: 10, candidate: 11), shift: TemporalChange(reference: 1, candidate: 2)
      )
      return figures
    }
    let worst = try #require(report.worstTemporalChange)
    #expect(worst.name == "a" && worst.frames == "shift" && report.definition.contains("flicker: "))
    #expect(report.text.contains("worst flicker  +3.01 dB (a, shift)"))
    #expect(report.markdown.contains("| a | noise | +10.00 | +10.41 | +0.41 |"))
    let json = report.json
    #expect(json["temporal"]?["worst_frames"]?.string == "shift")
    #expect(json["pictures"]?.items?.first?["temporal"]?["noise"]?["candidate"]?.number == 11)
  }
}
