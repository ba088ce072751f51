import Diagnostics
import TestSupport
import Testing

@testable import StyleModelKit

@Suite struct FitPictureTests {
  private static let listed = PixelContract.Sizes.listed([
    PictureSize(width: 640, height: 960), PictureSize(width: 960, height: 640),
    PictureSize(width: 320, height: 480),
  ])
  private static let ranged = PixelContract.Sizes.range(
    width: ClosedSizeRange(lower: 64, upper: nil), height: ClosedSizeRange(lower: 32, upper: 100))

  @Test(arguments: [
    (PixelContract.Sizes.any, PictureSize(width: 3, height: 7), PictureSize(width: 3, height: 7)),
    (listed, PictureSize(width: 960, height: 640), PictureSize(width: 960, height: 640)),
    (listed, PictureSize(width: 961, height: 640), PictureSize(width: 960, height: 640)),
    // The shape counts before the area, and the area before nothing at all.
    (listed, PictureSize(width: 300, height: 400), PictureSize(width: 320, height: 480)),
    (listed, PictureSize(width: 3000, height: 4500), PictureSize(width: 640, height: 960)),
    (listed, PictureSize(width: 40, height: 30), PictureSize(width: 960, height: 640)),
    (ranged, PictureSize(width: 1, height: 1), PictureSize(width: 64, height: 32)),
    (ranged, PictureSize(width: 5000, height: 5000), PictureSize(width: 5000, height: 100)),
    (ranged, PictureSize(width: 70, height: 40), PictureSize(width: 70, height: 40)),
  ])
  func findsTheNearestSize(sizes: PixelContract.Sizes, own: PictureSize, nearest: PictureSize) {
    #expect(sizes.nearest(to: own) == nearest)
    #expect(sizes.allow(nearest))
  }

  /// A network that changes nothing, so that what is left of the picture can be seen.
  private func identity() throws -> Engine {
    let text = """
      graph {
        pixels(raw255)
        input %x "image"
        %y = linear(%x, scale: 1, bias: 0)
        output %y
      }
      """
    return try Engine(try Graph(text: text, constants: [:]), threads: 1)
  }

  private let half = PixelContract.Sizes.listed([PictureSize(width: 48, height: 48)])

  @Test func anAllowedSizeIsLeftAlone() throws {
    let input = try picture("chelsea_96x64.png")
    for fit in PictureFit.allCases {
      #expect(try identity().run(input, fitting: .any, by: fit) == input)
    }
  }

  @Test(arguments: [(PictureFit.resize, 96, 64), (.pad, 96, 64), (.crop, 64, 64)])
  func bringsTheResultBack(fit: PictureFit, width: Int, height: Int) throws {
    let input = try picture("chelsea_96x64.png")
    let result = try identity().run(input, fitting: half, by: fit)
    #expect(result.width == width && result.height == height)
    // What is left of the picture lies where it was: the middle square after cropping.
    let place = input.cropped(x: (96 - width) / 2, y: (64 - height) / 2, width: width, height: height)
    let moved = input.cropped(x: 0, y: 0, width: width, height: height)
    #expect(try compare(place, result).psnr > 24)
    if fit == .crop { #expect(try compare(moved, result).psnr < 20) }
  }

  /// A picture of one colour stays it: no border comes in from outside.
  @Test(arguments: PictureFit.allCases) func bringsNoBorderIn(fit: PictureFit) throws {
    let plain = Picture(width: 20, height: 90, samples: [Float](repeating: 200, count: 20 * 90 * 3))
    let result = try identity().run(plain, fitting: half, by: fit)
    #expect(result.samples.allSatisfy { abs($0 - 200) < 1e-3 })
  }

  @Test func thinPicturesFitToo() throws {
    let thin = Picture(width: 500, height: 1, samples: [Float](repeating: 9, count: 1500))
    for fit in PictureFit.allCases {
      let result = try identity().run(thin, fitting: half, by: fit)
      #expect(result.height == 1 && result.width == (fit == .crop ? 1 : 500))
    }
  }
}
