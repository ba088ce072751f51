import Diagnostics
import Imaging
import TestSupport
import Testing

@testable import Evaluation

@Suite struct OutputChecksTests {
  @Test func noticesSwappedChannels() throws {
    let photo = try readPicture(fixturePath("coffee_131x97.png")).picture
    let swapped = photo.withRedAndBlueSwapped
    let found = try ChannelOrderCheck(photo, swapped.changed(.pattern))
    #expect(found.isSuspicious && found.swappedPSNR > 25 && found.psnr < 20)
    #expect(try ChannelOrderCheck(photo, swapped).swappedPSNR == .infinity)
  }

  @Test(arguments: [Change.pattern, .shift, .steps, .negative, .beyond])
  func acceptsOtherDifferences(_ change: Change) throws {
    let photo = try readPicture(fixturePath("coffee_131x97.png")).picture
    #expect(try !ChannelOrderCheck(photo, photo.changed(change)).isSuspicious)
  }

  /// A grey picture is the same in either order, which says nothing.
  @Test func staysSilentOnGreyAndOnIdentical() throws {
    let checker = checkerPicture()
    let check = try ChannelOrderCheck(checker, checker)
    #expect(!check.isSuspicious && check.psnr == .infinity && check.swappedPSNR == .infinity)
    let small = Picture(width: 1, height: 1, samples: [1, 2, 3])
    #expect(throws: StyleModelError.self) { try ChannelOrderCheck(checker, small) }
  }

  @Test func findsNothingOddInPhotographs() throws {
    for name in ["coffee_131x97.png", "chelsea_96x64.png"] {
      let check = OutputCheck(try readPicture(fixturePath(name)).picture)
      #expect(!check.isFlat && !check.isSaturated && check.nonFiniteCount == 0 && check.deviation > 20)
    }
  }

  @Test func noticesSaturation() {
    // Nine in ten is not more than nine in ten; ten in eleven is.
    let nine = Picture(width: 10, height: 1, samples: rails(9) + [1, 2, 3])
    #expect(OutputCheck(nine).saturatedShare == 0.9 && !OutputCheck(nine).isSaturated)
    let ten = Picture(width: 11, height: 1, samples: rails(10) + [1, 2, 3])
    #expect(OutputCheck(ten).isSaturated)
    // An output in units of 1 instead of 255 is not saturated but flat.
    let unit = Picture(width: 2, height: 1, samples: [0.1, 0.9, 0.5, 0.7, 0.2, 0.4])
    #expect(!OutputCheck(unit).isSaturated && OutputCheck(unit).isFlat)
  }

  @Test func noticesFlatness() {
    #expect(OutputCheck(flatPicture()).isFlat && OutputCheck(flatPicture()).deviation == 0)
    #expect(!OutputCheck(gradientPicture()).isFlat)
    // Red of 0 and 4 alternating deviates by 2, whatever the other channels do.
    let stripes = Picture(width: 2, height: 1, samples: [100, 7, 7, 104, 7, 7])
    #expect(OutputCheck(stripes).deviation == 2)
  }

  @Test func countsNonFiniteSamplesAndLeavesThemOut() {
    let broken = Picture(width: 2, height: 1, samples: [.nan, 5, 5, .infinity, 9, 5])
    let check = OutputCheck(broken)
    #expect(check.nonFiniteCount == 2 && check.deviation == 2 && check.saturatedShare == 0)
    let hopeless = OutputCheck(Picture(width: 1, height: 1, samples: [.nan, .nan, .nan]))
    #expect(hopeless.nonFiniteCount == 3 && hopeless.deviation == 0 && hopeless.saturatedShare == 0)
  }

  /// Pixels at or beyond the rails.
  private func rails(_ count: Int) -> [Float] { (0..<count).flatMap { _ in [Float(0), 255, 300] } }
}
