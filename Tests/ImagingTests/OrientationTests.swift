import TestSupport
import Testing

@testable import Imaging

@Suite struct OrientationTests {
  /// Eight files that store one scene in eight ways; odd numbers have big-endian EXIF, even ones little-endian.
  @Test(arguments: Orientation.allCases)
  func turnsEveryPictureUpright(_ orientation: Orientation) throws {
    let decoded = try decodePicture(fixtureBytes("pictures/orientation_\(orientation.rawValue).jpg"))
    #expect(isClose(decoded.picture, scene, within: 3))
    let note = "turned upright, as its EXIF orientation \(orientation.rawValue) says"
    #expect(decoded.notes == (orientation == .upright ? [] : [note]))
  }

  @Test func readsThePNGChunkToo() throws {
    let decoded = try decodePicture(fixtureBytes("pictures/turned_3x4.png"))
    #expect(decoded.picture == picture(4, 3) { x, y in [Float(60 * x), Float(100 * y), 30] })
    #expect(decoded.notes == ["turned upright, as its EXIF orientation 6 says"])
  }

  @Test(arguments: [
    ("empty", []),
    ("short", [0x49, 0x49, 42, 0, 8, 0, 0]),
    ("unknown byte order", tiff(value: 6, mark: 0x4A)),
    ("wrong magic", tiff(value: 6, magic: 43)),
    ("directory outside", tiff(value: 6, directory: 4000)),
    ("directory within the header", tiff(value: 6, directory: 2)),
    ("value 0", tiff(value: 0)),
    ("value 9", tiff(value: 9)),
    ("a type that is no number", tiff(value: 6, type: 2)),
    ("two values", tiff(value: 6, count: 2)),
    ("another tag", tiff(value: 6, tag: 0x0111)),
    ("an entry that is cut off", Array(tiff(value: 6).dropLast(8))),
  ])
  func ignoresNonsense(_ what: String, _ bytes: [UInt8]) {
    #expect(Orientation(tiff: bytes[...]) == nil, "\(what)")
  }

  @Test func acceptsBothWidthsAndManyEntries() {
    #expect(Orientation(tiff: tiff(value: 6)[...]) == .turnedLeft)
    #expect(Orientation(tiff: tiff(value: 8, type: 4)[...]) == .turnedRight)
    // The directory claims 65,535 entries, but the one that counts is there.
    var many = tiff(value: 3)
    many[8] = 0xFF
    many[9] = 0xFF
    #expect(Orientation(tiff: many[...]) == .upsideDown)
  }

  @Test(
    arguments: [
      ("no EXIF", [0xFF, 0xD8, 0xFF, 0xD9], nil),
      ("after the picture data", [0xFF, 0xD8, 0xFF, 0xDA, 0, 2] + app1, nil),
      ("after another segment", [0xFF, 0xD8, 0xFF, 0xE0, 0, 3, 7] + app1, 17..<18),
      ("after fill bytes", [0xFF, 0xD8, 0xFF, 0xFF] + app1, 14..<15),
      ("a length beyond the end", [0xFF, 0xD8] + app1.dropLast(), nil),
      ("a length of nothing", [0xFF, 0xD8, 0xFF, 0xE1, 0, 0] + app1, nil),
      ("not a marker", [0xFF, 0xD8, 0x00] + app1, nil),
    ] as [(String, [UInt8], Range<Int>?)])
  func findsTheSegment(_ what: String, _ bytes: [UInt8], _ range: Range<Int>?) {
    #expect(exifInJPEG(bytes) == range, "\(what)")
  }

  /// Six flat blocks of 8x8, three across.
  private let scene = picture(24, 16) { x, y in
    let colours: [[Float]] = [
      [200, 40, 40], [40, 200, 40], [40, 40, 200], [220, 220, 40], [40, 220, 220], [220, 40, 220],
    ]
    return colours[y / 8 * 3 + x / 8]
  }
}

/// An APP1 segment with the EXIF signature and one byte.
private let app1: [UInt8] = [0xFF, 0xE1, 0, 9, 0x45, 0x78, 0x69, 0x66, 0, 0, 1]

/// A little-endian TIFF structure with one entry.
private func tiff(
  value: UInt8, type: UInt8 = 3, count: UInt8 = 1, tag: Int = 0x0112, mark: UInt8 = 0x49, magic: UInt8 = 42,
  directory: Int = 8
) -> [UInt8] {
  [mark, mark, magic, 0, UInt8(directory & 255), UInt8(directory >> 8), 0, 0, 1, 0]
    + [UInt8(tag & 255), UInt8(tag >> 8), type, 0, count, 0, 0, 0, value, 0, 0, 0, 0, 0, 0, 0]
}
