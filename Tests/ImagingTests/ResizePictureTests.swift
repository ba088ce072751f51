import TestSupport
import Testing

@testable import Imaging

@Suite struct ResizePictureTests {
  /// The mean of all samples and three of them, from Pillow 13 as `tools/resize-goldens.py` prints them. Pillow and we
  /// weigh in double and store in float, so that only the last bits may differ: one part in a million.
  @Test(
    arguments: [
      (37, 23, .lanczos3, 115.28214131790344, 152.74053955078125, 142.03004455566406, 148.58644104003906),
      (37, 23, .bicubic, 115.28750891635056, 153.85385131835938, 138.24209594726562, 149.1353759765625),
      (37, 23, .bilinear, 115.29617770830417, 155.57752990722656, 131.2775115966797, 149.31224060058594),
      (131, 97, .lanczos3, 115.30091227137888, 145.427001953125, 144.86231994628906, 135.9413299560547),
      (131, 97, .bicubic, 115.30252616061847, 145.2935791015625, 144.73046875, 136.4984130859375),
      (131, 97, .bilinear, 115.3174597168234, 146.0, 141.75, 138.0),
      (96, 20, .lanczos3, 115.28563457772964, 160.46519470214844, 133.74497985839844, 146.7873992919922),
      (96, 20, .bicubic, 115.28681274586253, 160.95208740234375, 133.9681396484375, 147.52464294433594),
      (96, 20, .bilinear, 115.27178181608518, 162.57142639160156, 132.51455688476562, 148.2857208251953),
      (1, 1, .lanczos3, 113.97073618570964, 147.44900512695312, 110.33381652832031, 84.12938690185547),
      (1, 1, .bicubic, 113.74153137207031, 147.3946533203125, 110.14124298095703, 83.6886978149414),
      (1, 1, .bilinear, 113.32686360677083, 147.2082061767578, 109.77001953125, 83.00236511230469),
    ] as [(Int, Int, ResamplingFilter, Double, Double, Double, Double)])
  func agreesWithPillow(
    _ width: Int, _ height: Int, _ filter: ResamplingFilter, _ mean: Double, _ first: Double,
    _ middle: Double,
    _ last: Double
  ) throws {
    let photo = try readPicture(fixturePath("chelsea_96x64.png")).picture
    let resized = photo.resized(width: width, height: height, filter: filter)
    #expect(resized.width == width && resized.height == height)
    let found = [
      resized.samples.reduce(0) { $0 + Double($1) } / Double(resized.samples.count),
      Double(resized.samples[0]),
      Double(resized.samples[(height / 2 * width + width / 2) * 3 + 1]),
      Double(resized.samples[resized.samples.count - 1]),
    ]
    for (found, expected) in zip(found, [mean, first, middle, last]) {
      #expect(abs(found - expected) <= 1e-6 * abs(expected), "\(found) instead of \(expected)")
    }
  }

  @Test(arguments: ResamplingFilter.allCases)
  func keepsWhatDoesNotChange(_ filter: ResamplingFilter) {
    let scene = picture(5, 4) { x, y in [Float(x * 50), Float(y * 60), 7] }
    #expect(scene.resized(width: 5, height: 4, filter: filter) == scene)
    let plain = picture(5, 4) { _, _ in [10, 20, 30] }
    #expect(
      isClose(
        plain.resized(width: 13, height: 3, filter: filter), picture(13, 3) { _, _ in [10, 20, 30] },
        within: 1e-5))
  }

  @Test func overshootsUntilClamped() {
    let edge = picture(8, 1) { x, _ in [Float](repeating: x < 4 ? 0 : 255, count: 3) }
    let raw = edge.resized(width: 32, height: 1)
    #expect(raw.samples.contains { $0 < -5 } && raw.samples.contains { $0 > 260 })
    #expect(raw.clamped().samples.allSatisfy { (0...255).contains($0) })
    #expect(
      edge.resized(width: 32, height: 1, filter: .bilinear).samples.allSatisfy { (0...255).contains($0) })
  }

  @Test func cutsOutAPart() {
    let scene = picture(6, 5) { x, y in [Float(x), Float(y), 1] }
    #expect(
      scene.cropped(x: 2, y: 1, width: 3, height: 4)
        == picture(3, 4) { x, y in [Float(x + 2), Float(y + 1), 1] })
    #expect(scene.cropped(x: 0, y: 0, width: 6, height: 5) == scene)
  }
}
