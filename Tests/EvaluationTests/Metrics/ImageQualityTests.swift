import Diagnostics
import Imaging
import TestSupport
import Testing

@testable import Evaluation

/// Figures from scikit-image 0.26.0 and plain NumPy, as `tools/metric-goldens.py` prints them.
@Suite struct ImageQualityTests {
  @Test(
    arguments: [
      ("rocket_256x256", .pattern, 36.62970479329427, 32.49246942262332, 0.6881273845758864),
      ("coffee_131x97", .pattern, 35.32905747488261, 32.64948309589806, 0.8689043016171162),
      ("coffee_131x97", .shift, 378.99640618032055, 22.344452690619903, 0.765232459289621),
      ("coffee_131x97", .steps, 73.21235014821227, 29.484960127493753, 0.8746981386151876),
      ("coffee_131x97", .negative, 25380.22132158128, 4.085849559412816, -0.2931768753059804),
      ("coffee_131x97", .beyond, 625.6820518874111, 20.167266637424845, 0.6820070961023731),
      ("chelsea_96x64", .pattern, 36.649739583333336, 32.49009467782254, 0.9242345240670021),
      ("chelsea_96x64", .shift, 298.5771484375, 23.380237948776468, 0.7425621013728172),
      ("chelsea_96x64", .steps, 78.37169053819444, 29.18921145929889, 0.9511243058592762),
      ("chelsea_96x64", .negative, 7377.136284722223, 9.451925542082144, -0.6072532623992587),
      ("chelsea_96x64", .beyond, 368.61781141493054, 22.465040446014285, 0.896363070834384),
    ] as [(String, Change, Double, Double, Double)])
  func agreesWithScikitImage(_ name: String, _ change: Change, _ mse: Double, _ psnr: Double, _ ssim: Double)
    throws
  {
    let photo = try readPicture(fixturePath(name + ".png")).picture
    let quality = try compare(photo, photo.changed(change))
    #expect(abs(quality.meanSquaredError - mse) < 1e-9 * mse)
    #expect(abs(quality.psnr - psnr) < 1e-9)
    #expect(abs(quality.ssim - ssim) < 1e-10)
    #expect(quality.ssimWindow == 11 && !quality.identical)
    // Which of the two is the reference makes no difference.
    #expect(try compare(photo.changed(change), photo) == quality)
  }

  @Test(
    arguments: [
      ("coffee_131x97", .pattern, 0.9470405485266189, 0.882455507877157),
      ("coffee_131x97", .shift, 0.7661130260457473, 0.7775040103013037),
      ("coffee_131x97", .negative, -0.3472853050434756, -0.3466517654556307),
      ("chelsea_96x64", .steps, 0.9775536295713663, 0.9581642421013346),
      ("chelsea_96x64", .beyond, 0.9283501028333326, 0.9031544349114964),
    ] as [(String, Change, Double, Double)])
  func agreesWithScikitImageByOtherDefinitions(
    _ name: String, _ change: Change, _ luma: Double, _ skimage: Double
  ) throws {
    let photo = try readPicture(fixturePath(name + ".png")).picture
    let byLuma = try compare(photo, photo.changed(change), ssim: .luma)
    #expect(abs(byLuma.ssim - luma) < 1e-10 && byLuma.ssimWindow == 11)
    let byDefault = try compare(photo, photo.changed(change), ssim: .skimage)
    #expect(abs(byDefault.ssim - skimage) < 1e-10 && byDefault.ssimWindow == 7)
    #expect(byLuma.psnr == byDefault.psnr)
    #expect(
      ImageQuality.definition(.luma).contains("luma") && ImageQuality.definition(.skimage).contains("7x7"))
  }

  /// A window of pixels from (30, 20) on, judged by NumPy one window at a time.
  @Test(arguments: [
    (1, 1, 1, 0.9937924724569012), (9, 1, 1, 0.971532920760141), (2, 2, 1, 0.9951011587531013),
    (40, 3, 3, 0.8636881863130693), (10, 10, 9, 0.985267190948242), (11, 11, 11, 0.9836765690775527),
    (7, 12, 7, 0.9768870857148974), (16, 13, 11, 0.9712249294832085),
  ])
  func shrinksTheWindowToThePicture(_ width: Int, _ height: Int, _ window: Int, _ ssim: Double) throws {
    let photo = try readPicture(fixturePath("chelsea_96x64.png")).picture
    let part = photo.cropped(x: 30, y: 20, width: width, height: height)
    let quality = try compare(part, part.changed(.pattern))
    #expect(quality.ssimWindow == window)
    #expect(abs(quality.ssim - ssim) < 1e-10)
  }

  @Test func findsIdenticalPicturesPerfect() throws {
    for name in ["chelsea_96x64.png", "flat_64x64.png", "noise_96x64.png"] {
      let photo = try readPicture(fixturePath(name)).picture
      let quality = try compare(photo, photo)
      #expect(quality.identical && quality.psnr == .infinity && quality.meanSquaredError == 0)
      #expect(quality.ssim <= 1 && quality.ssim > 1 - 1e-12)
    }
  }

  @Test func takesDifferencesWithSign() throws {
    let quality = try compare(plain(0), plain(255))
    #expect(quality.meanSquaredError == 65025 && quality.psnr == 0)
    #expect(abs(quality.ssim - 9.999000099990004e-05) < 1e-15)
  }

  /// Two flat fields two steps apart: scikit-image says the same.
  @Test func judgesFlatFields() throws {
    let quality = try compare(plain(128), plain(130))
    #expect(abs(quality.ssim - 0.999879845610621) < 1e-12)
    #expect(abs(quality.psnr - 42.11020369539948) < 1e-12)
  }

  /// Huge means beside tiny contrast, where a variance from rounded sums comes out negative.
  @Test func neverExceedsOne() throws {
    for level in stride(from: Float(0.1), through: 255, by: 3.7) {
      let quality = try compare(plain(level), plain(level.nextUp))
      #expect(quality.ssim <= 1 && quality.ssim > 0.999999)
    }
  }

  @Test func clampsAndRoundsOnRequest() throws {
    let low = plain(-50)
    #expect(try compare(low, plain(0)).identical)
    #expect(try compare(plain(999), plain(255)).identical)
    #expect(try compare(plain(99.6), plain(100.4)).meanSquaredError > 0.6)
    #expect(try compare(plain(99.6), plain(100.4), rounded: true).identical)
    #expect(try compare(plain(2.5), plain(2), rounded: true).identical)
  }

  @Test func refusesWhatCannotBeCompared() {
    let wide = Picture(width: 20, height: 10, samples: [Float](repeating: 1, count: 600))
    let tall = Picture(width: 10, height: 20, samples: [Float](repeating: 1, count: 600))
    #expect { try compare(wide, tall) } throws: { error in
      let error = error as? StyleModelError
      return error?.kind == .badInput && error?.message.contains("20x10 and 10x20") == true
    }
    var broken = wide
    broken.samples[7] = .nan
    for (a, b) in [(wide, broken), (broken, wide)] {
      #expect { try compare(a, b) } throws: { error in (error as? StyleModelError)?.kind == .gateFailed }
    }
  }

  /// 28 dB and 50 dB: their mean is 39, but the first picture is nearly all of the error, and 31 dB is the truth.
  @Test func poolsErrorsNotDecibels() throws {
    let qualities = try [10.0, 0.8].map { try compare(plain(100), plain(100 + Float($0))) }
    let pooled = try #require(pooledPSNR(qualities))
    #expect(abs(pooled - peakSignalToNoise(meanSquaredError: (100 + 0.64) / 2)) < 1e-6)
    #expect(pooled < qualities.map(\.psnr).reduce(0, +) / 2 - 5)
    #expect(pooledPSNR([]) == nil)
    #expect(pooledPSNR([try compare(plain(1), plain(1))]) == .infinity)
  }

  private func plain(_ level: Float) -> Picture {
    Picture(width: 16, height: 16, samples: [Float](repeating: level, count: 16 * 16 * 3))
  }
}

/// Ways to spoil a picture that Python repeats exactly.
enum Change: Sendable {
  case pattern, shift, steps, negative, beyond
}

extension Picture {
  /// The picture spoilt, not clamped; `changed` in `tools/metric-goldens.py` has the same rules.
  func changed(_ change: Change) -> Picture {
    var result = self
    for y in 0..<height {
      for x in 0..<width {
        for channel in 0..<3 {
          let index = (y * width + x) * 3 + channel
          let sample = samples[index]
          result.samples[index] =
            switch change {
            case .pattern: sample + Float((x * 7 + y * 13 + channel * 5) % 21 - 10)
            case .shift: samples[(y * width + (x + width - 1) % width) * 3 + channel]
            case .steps: (sample / 16).rounded(.down) * 16
            case .negative: 255 - sample
            case .beyond: sample * 1.5 - 60
            }
        }
      }
    }
    return result
  }
}
