import Diagnostics
import TestSupport
import Testing

@testable import Imaging

/// The files come from `Fixtures/pictures/make_pictures.py`, whose rules are repeated here.
@Suite struct DecodePictureTests {
  @Test(arguments: ["rgb_4x3.png", "rgb_opaque_alpha_4x3.png", "gamma_4x3.png", "uint8_4x3.npy"])
  func readsPlainColour(_ name: String) throws {
    #expect(try decode(name).picture == picture(4, 3, colour))
  }

  @Test func keepsThePrecisionOf16Bits() throws {
    let decoded = try decode("rgb16_4x3.png")
    let expected = picture(4, 3) { x, y in colour(x, y).map { Float(Double($0 * 257 + 1) / 257) } }
    #expect(decoded.picture == expected)
    #expect(decoded.notes == ["16-bit samples scaled to 0…255 without rounding"])
  }

  @Test(arguments: ["grey_4x3.png", "grey16_4x3.png"])
  func spreadsGreyOverTheChannels(_ name: String) throws {
    let decoded = try decode(name)
    #expect(decoded.picture == picture(4, 3) { x, y in [Float](repeating: grey(x, y), count: 3) })
    #expect(decoded.notes.first == "grey picture: red, green and blue are set to it alike")
  }

  @Test(arguments: [(1, Float(255)), (2, 85), (4, 17)])
  func stretchesFewBitsToTheFullRange(_ bits: Int, _ step: Float) throws {
    let expected = picture(4, 3) { x, y in [Float](repeating: Float((x + y) % (1 << bits)) * step, count: 3) }
    #expect(try decode("grey\(bits)_4x3.png").picture == expected)
  }

  @Test(arguments: [Background.white, .black, Background(red: 10, green: 20, blue: 30)])
  func laysTransparencyOverTheBackground(_ background: Background) throws {
    let behind = [background.red, background.green, background.blue]
    for name in ["rgba_4x3.png", "rgba16_4x3.png"] {
      let decoded = try decode(name, background: background)
      let expected = picture(4, 3) { x, y in blend(colour(x, y), [255, 255, 128, 0][x], over: behind) }
      #expect(decoded.picture == expected)
      #expect(decoded.notes.last == "alpha channel dropped over \(background.name)")
    }
    let greyAlpha = try decode("grey_alpha_4x3.png", background: background)
    let expected = picture(4, 3) { x, y in
      blend([Float](repeating: grey(x, y), count: 3), [255, 255, 128, 0][x], over: behind)
    }
    #expect(greyAlpha.picture == expected)
  }

  @Test func looksColoursUpInThePalette() throws {
    let colours: [[Float]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [9, 8, 7]]
    for name in ["palette_4x3.png", "palette2_4x3.png"] {
      #expect(try decode(name).picture == picture(4, 3) { x, y in colours[(x + y) % 4] })
    }
    let seeThrough = picture(4, 3) { x, y in
      blend(colours[(x + y) % 4], [255, 128, 0, 255][(x + y) % 4], over: [255, 255, 255])
    }
    #expect(try decode("palette_alpha_4x3.png").picture == seeThrough)
  }

  @Test func treatsAKeyColourAsTransparent() throws {
    let expected = picture(4, 3) { x, y in
      [Float](repeating: grey(x, y) == 60 ? 255 : grey(x, y), count: 3)
    }
    let decoded = try decode("grey_key_4x3.png")
    #expect(decoded.picture == expected)
    #expect(decoded.notes.last == "alpha channel dropped over white")
  }

  @Test func readsInterlacedRows() throws {
    let expected = picture(9, 7) { x, y in [Float(x * 20), Float(y * 30), Float(x + y)] }
    #expect(try decode("interlaced_9x7.png").picture == expected)
  }

  /// The twins hold what Pillow makes of the same JPEG: every sample must agree.
  @Test(arguments: ["baseline_420_16x16", "baseline_422_16x16", "progressive_16x16"])
  func decodesJPEGAsOthersDo(_ name: String) throws {
    let decoded = try decode(name + ".jpg")
    #expect(decoded.picture == (try decode(name + ".decoded.png").picture))
    #expect(decoded.notes.isEmpty)
  }

  /// Bytes left over before the end, as some cameras leave them, touch no pixel.
  @Test func reportsHarmlessOddities() throws {
    let decoded = try decode("padded_16x16.jpg")
    #expect(decoded.picture == (try decode("baseline_420_16x16.decoded.png").picture))
    // How many it counts depends on how far it has read ahead.
    #expect(decoded.notes.count == 1)
    #expect(decoded.notes.first?.hasPrefix("libjpeg: Corrupt JPEG data: ") == true)
    #expect(decoded.notes.first?.hasSuffix("extraneous bytes before marker 0xd9") == true)
  }

  @Test func readsGreyJPEG() throws {
    let decoded = try decode("grey_16x16.jpg")
    #expect(decoded.notes == ["grey picture: red, green and blue are set to it alike"])
    for y in 0..<16 {
      for x in 0..<16 {
        let pixel = decoded.picture.samples[(y * 16 + x) * 3..<(y * 16 + x) * 3 + 3]
        #expect(Set(pixel).count == 1 && abs(pixel[pixel.startIndex] - Float(y * 16 + x)) < 4)
      }
    }
  }

  /// Inks 50, 60, 70, 80 of 255, once the way Adobe stores them.
  @Test func turnsInkIntoLight() throws {
    let light = { (ink: Float) in (255 - ink) * (255 - 80) / 255 }
    let adobe = try decode("cmyk_adobe_8x8.jpg")
    #expect(adobe.notes == ["CMYK turned into RGB without a colour profile"])
    #expect(isClose(adobe.picture, picture(8, 8) { _, _ in [light(50), light(60), light(70)] }, within: 1))
    // The same bytes without Adobe's mark say the opposite inks.
    let inverse = { (ink: Float) in ink * 80 / 255 }
    let plain = try decode("cmyk_plain_8x8.jpg").picture
    #expect(isClose(plain, picture(8, 8) { _, _ in [inverse(50), inverse(60), inverse(70)] }, within: 1))
  }

  @Test(arguments: [
    ("float32_4x3.npy"), "float32_big_4x3.npy", "float64_4x3.npy", "float64_big_4x3.npy",
  ])
  func readsArraysBeyondTheRange(_ name: String) throws {
    let expected = picture(4, 3) { x, y in colour(x, y).map { $0 * 1.5 - 0.5 } }
    #expect(try decode(name).picture == expected)
  }

  @Test(arguments: [
    ("bad_cut_off.png", "is cut off"),
    ("bad_checksum.png", "CRC error"),
    ("bad_stream.png", "is a PNG that cannot be decoded"),
    ("bad_no_pixels.png", "Invalid IHDR data"),
    ("bad_claims_10000x10000.png", "claims 10000x10000 pixels, more than its"),
    ("bad_claims_40000x40000.png", "is too large: 40000x40000"),
    ("bad_cut_off.jpg", "is cut off"),
    ("bad_no_end.jpg", "is cut off"),
    ("bad_cut_off_progressive.jpg", "is cut off"),
    ("bad_stream.jpg", "Corrupt JPEG data"),
    ("bad_claims_60000x60000.jpg", "is too large: 60000x60000"),
    ("bad_claims_9000x9000.jpg", "claims 9000x9000 pixels, more than its"),
    ("bad_arithmetic.jpg", "arithmetic coding"),
    ("bad_127_scans.jpg", "more than 100 scans"),
    ("bad_fortran.npy", "column by column"),
    ("bad_int64.npy", "is an array of <i8"),
    ("bad_planar.npy", "shape [3, 3, 4]"),
    ("bad_cut_off.npy", "is cut off"),
    ("bad_not_finite.npy", "not finite"),
  ])
  func refusesByName(_ name: String, _ reason: String) throws {
    do {
      _ = try readPicture(fixturePath("pictures/" + name))
      Issue.record("\(name) was read")
    } catch {
      #expect(error.kind == .badInput)
      #expect(error.message.contains(name) && error.message.contains(reason), "\(error.message)")
      #expect(error.remedy != nil)
    }
  }

  @Test(arguments: [
    ([UInt8](), "an empty file"),
    (Array("GIF89a".utf8), "a GIF picture"),
    (Array("RIFF....WEBPVP8 ".utf8), "a WebP picture"),
    (Array("....ftypheic".utf8), "a HEIC picture"),
    (Array("version https://git-lfs.github.com/spec/v1\n".utf8), "a Git LFS pointer"),
    (Array("<!DOCTYPE html>".utf8), "text (HTML, SVG or XML)"),
    ([0x89, 0x50, 0x4E], "something unknown"),
  ])
  func saysWhatElseItIs(_ bytes: [UInt8], _ what: String) {
    #expect { try decodePicture(bytes) } throws: { error in
      (error as? StyleModelError)?.message.contains("is \(what)") == true
    }
  }

  /// No prefix and no flipped byte may do worse than an error.
  @Test(arguments: [
    "interlaced_9x7.png", "palette_alpha_4x3.png", "turned_3x4.png", "progressive_16x16.jpg",
    "orientation_6.jpg",
    "cmyk_adobe_8x8.jpg", "float64_big_4x3.npy",
  ])
  func survivesDamage(_ name: String) throws {
    let bytes = try fixtureBytes("pictures/" + name)
    for length in 0..<bytes.count {
      #expect(throws: StyleModelError.self, "\(length) bytes") {
        try decodePicture(Array(bytes[..<length]))
      }
    }
    for index in bytes.indices {
      for mask: UInt8 in [0x01, 0x80, 0xFF] {
        var damaged = bytes
        damaged[index] ^= mask
        guard let decoded = try? decodePicture(damaged) else { continue }
        #expect(decoded.picture.nonFiniteCount == 0)
      }
    }
  }

  private func decode(_ name: String, background: Background = .white) throws -> DecodedPicture {
    try decodePicture(fixtureBytes("pictures/" + name), background: background)
  }

  private func colour(_ x: Int, _ y: Int) -> [Float] { [Float(60 * x), Float(100 * y), 30] }

  private func grey(_ x: Int, _ y: Int) -> Float { Float(60 * x + 20 * y) }

  private func blend(_ colour: [Float], _ alpha: Double, over background: [Float]) -> [Float] {
    zip(colour, background).map { Float(Double($0) * (alpha / 255) + Double($1) * (1 - alpha / 255)) }
  }
}

/// A picture from a rule that gives three samples for each x and y.
func picture(_ width: Int, _ height: Int, _ rule: (Int, Int) -> [Float]) -> Picture {
  let samples = (0..<height).flatMap { y in (0..<width).flatMap { x in rule(x, y) } }
  return Picture(width: width, height: height, samples: samples)
}

/// Whether two pictures of one size differ nowhere by more than `tolerance`.
func isClose(_ a: Picture, _ b: Picture, within tolerance: Float) -> Bool {
  a.width == b.width && a.height == b.height
    && zip(a.samples, b.samples).allSatisfy { abs($0 - $1) <= tolerance }
}
