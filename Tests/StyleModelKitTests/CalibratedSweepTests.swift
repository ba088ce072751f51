import Archives
import Dispatch
import Files
import Synchronization
import TestSupport
import Testing

@testable import StyleModelKit

@Suite struct CalibratedSweepTests {
  private let folder: TemporaryFolder
  private let path: String

  /// A network of pictures so small that calibration is quick.
  init() throws {
    folder = try TemporaryFolder()
    let small = try convert(
      loadModel(fixturePath(mosaic)), quantization: .fp32,
      sizes: .listed([PictureSize(width: 48, height: 48)]))
    path = folder.path("small.stylemodel")
    try small.write(to: path)
  }

  private func swept(calibration: CalibrationSet? = .builtIn, cache: String? = nil) throws -> Sweep.Curve {
    let images = folder.makeFolder("pictures")
    try folder.copy(fixture: "chelsea_96x64.png", as: "pictures/chelsea.png")
    return try sweep(
      path: path,
      options: SweepOptions(
        schemes: ["fp16", "int5", "palette4"].map { try QuantizationOptions(named: $0) },
        imagesFolder: images,
        calibration: calibration, cacheFolder: cache))
  }

  @Test func roundsAsConvertDoes() throws {
    let plain = try swept(calibration: nil)
    let calibrated = try swept()
    // Floats are not rounded at all.
    #expect(calibrated.points[0].candidate == plain.points[0].candidate)
    for index in [1, 2] {
      let scheme = try QuantizationOptions(named: calibrated.points[index].candidate.storage)
      let made = try convert(try loadModel(path), quantization: scheme, calibration: .builtIn)
      #expect(calibrated.points[index].candidate.sha256 == hexadecimal(sha256(made.bytes)))
      let (better, worse) = (calibrated.points[index].qualities[0], plain.points[index].qualities[0])
      #expect(better.quality.psnr > worse.quality.psnr + 2)
    }
  }

  @Test func conversionsAreKeptAndDamageIsRepaired() throws {
    let cache = folder.path("cache")
    let first = try swept(cache: cache)
    let entries = try conversions(in: cache)
    #expect(entries.count == 2)
    for round in 0..<2 {
      let again = try swept(cache: cache)
      #expect(again.points.map(\.candidate) == first.points.map(\.candidate))
      #expect(
        again.points.map { $0.qualities.map(\.quality) } == first.points.map { $0.qualities.map(\.quality) })
      #expect(try conversions(in: cache) == entries)
      guard round == 0, let entry = entries.first else { continue }
      try replaceFile(entry.key, with: Array(entry.value.dropLast(5)) + [0, 0, 0, 0, 0])
    }
  }

  @Test func manyMayWriteAtATime() throws {
    let cache = folder.path("shared")
    let images = folder.makeFolder("pictures")
    try folder.copy(fixture: "chelsea_96x64.png", as: "pictures/chelsea.png")
    let options = SweepOptions(
      schemes: [try QuantizationOptions(named: "int4")], imagesFolder: images, threads: 1,
      calibration: .builtIn, cacheFolder: cache)
    let found = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { [path] _ in
      let curve = try? sweep(path: path, options: options)
      found.withLock { $0.append(curve?.points.first?.candidate.sha256 ?? "failed") }
    }
    let digests = found.withLock { $0 }
    #expect(Set(digests).count == 1 && digests.count == 4 && !digests.contains("failed"))
    #expect(try conversions(in: cache).count == 1)
  }

  /// The entries of a cache that hold files of ours, by their paths.
  private func conversions(in cache: String) throws -> [String: [UInt8]] {
    var result: [String: [UInt8]] = [:]
    for part in try listFolder(cache) {
      for name in try listFolder(cache + "/" + part) {
        let entry = cache + "/" + part + "/" + name
        let bytes = try readFile(entry)
        if holdsModel(bytes) { result[entry] = bytes }
      }
    }
    return result
  }

  /// Whether what follows an entry's head is a file of ours.
  private func holdsModel(_ entry: [UInt8]) -> Bool {
    (0...200).contains { FileKind.identify(Array(entry.dropFirst($0))) == .styleModel }
  }
}
