import Diagnostics
import Files
import TestSupport
import Testing

@testable import Imaging

@Suite struct EncodePictureTests {
  private let scene = picture(13, 7) { x, y in [Float(x * 19), Float(y * 40), Float((x * y) % 256)] }

  @Test func losesNothingInPNG() throws {
    let bytes = try encodePNG(scene, rounding: .nearestEven)
    #expect(try decodePicture(bytes) == DecodedPicture(picture: scene))
    #expect(try encodePNG(scene, rounding: .nearestEven) == bytes)
  }

  @Test func losesLittleInJPEG() throws {
    let photo = try readPicture(fixturePath("chelsea_96x64.png")).picture
    let bytes = try encodeJPEG(photo, rounding: .nearestEven)
    let again = try decodePicture(bytes)
    #expect(again.notes.isEmpty)
    let error = zip(photo.samples, again.picture.samples).reduce(0) {
      $0 + Double(($1.0 - $1.1) * ($1.0 - $1.1))
    }
    // Quality 95 with colour at full size is 5.881 here, in Pillow's hands too; 94, or halved colour, is beyond 7.
    #expect(error / Double(photo.samples.count) < 5.9)
    // SOF0 and its three components, each sampled 1x1.
    let frame = try #require(bytes.indices.first { bytes[$0...].starts(with: [0xFF, 0xC0]) })
    #expect([bytes[frame + 11], bytes[frame + 14], bytes[frame + 17]] == [0x11, 0x11, 0x11])
  }

  @Test func keepsEveryBitInArrays() throws {
    let raw = Picture(width: 2, height: 1, samples: [-40.25, 0.1, 300.5, 1e-30, 255, -0.0])
    let bytes = encodeNPY(raw)
    #expect(try decodePicture(bytes).picture.samples.map(\.bitPattern) == raw.samples.map(\.bitPattern))
    #expect(bytes.count == 128 + 24)
    let header = String(decoding: bytes[10..<128], as: UTF8.self)
    #expect(header.hasPrefix("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2, 3), }"))
    #expect(header.hasSuffix(" \n"))
  }

  @Test func refusesWhatBytesCannotSay() {
    let broken = Picture(width: 1, height: 1, samples: [.nan, 1, .infinity])
    #expect(broken.nonFiniteCount == 2)
    for format in [PictureFormat.png, .jpeg] {
      #expect { try encodePicture(broken, as: format, rounding: .halfUp) } throws: { error in
        let error = error as? StyleModelError
        return error?.kind == .gateFailed && error?.message.contains("2 samples of 3 are not finite") == true
      }
    }
  }

  @Test func namesJPEGsLimit() {
    let long = Picture(width: 70_000, height: 1, samples: [Float](repeating: 0, count: 210_000))
    #expect { try encodeJPEG(long, rounding: .halfUp) } throws: { error in
      (error as? StyleModelError)?.message.contains("Maximum supported image dimension is 65500") == true
    }
  }

  @Test(arguments: [
    ("a.png", PictureFormat.png), ("out.d/A.PNG", .png), ("a.b.jpg", .jpeg), ("x.JPeG", .jpeg),
    ("y.npy", .npy),
  ])
  func followsTheExtension(_ path: String, _ format: PictureFormat) throws {
    #expect(try PictureFormat(path: path) == format)
  }

  @Test(arguments: ["png", "a", "a.gif", "folder.png/a", "a.png.", ""])
  func refusesOtherNames(_ path: String) {
    #expect { try PictureFormat(path: path) } throws: { error in
      (error as? StyleModelError)?.kind == .usage
    }
  }

  @Test func writesAndReadsFiles() throws {
    let folder = try TemporaryFolder()
    for format in PictureFormat.allCases {
      let path = folder.path("picture.\(format.rawValue)")
      try writePicture(scene, to: path, rounding: .nearestEven)
      #expect(isClose(try readPicture(path).picture, scene, within: format == .jpeg ? 60 : 0))
    }
  }
}
