import Files
import Runtime

/// What the float network makes of pictures, kept in a cache: every scheme, every candidate and every later run is
/// compared with it, so that it is computed once.
struct OutputCache {
  private let cache: ContentCache
  private let network: [String]

  /// Opens the cache of one network's outputs; nil where there is no folder for it.
  /// - Parameters:
  ///   - folder: shared by all networks.
  ///   - network: the network as its file has it.
  ///   - sizes: the sizes that pictures are brought to.
  /// - Throws: `.cannotCreate` when the folder cannot be made.
  init?(
    _ folder: String?, network: Model, engine: Engine, sizes: PixelContract.Sizes, fit: PictureFit
  ) throws(StyleModelError) {
    guard let folder else { return nil }
    cache = try ContentCache(folder: folder)
    // The graph's text has the pixels too, which a command line may have changed; kernels differ in the last bits.
    self.network = [
      stylemodelVersion, engine.instructionSet.name, hexadecimal(network.sha256), network.graph.text,
      "\(sizes)", fit.rawValue,
    ]
  }

  /// The output for a picture with the seconds that it took whoever computed it.
  /// - Throws: what `run` throws. A cache that cannot be written costs time, nothing else.
  func output(
    for picture: Picture, computing run: (Picture) throws(StyleModelError) -> Picture
  ) throws(StyleModelError) -> TimedOutput {
    let key = ContentKey(
      "reference output", network + [sizeText(width: picture.width, height: picture.height), picture.digest])
    if let found = cache.bytes(for: key).flatMap(decoded) { return found }
    let made = try timed { () throws(StyleModelError) in try run(picture) }
    try? cache.store(encoded(made), for: key)
    return made
  }
}

/// Seconds, width and height, then the samples, all little-endian.
private func encoded(_ made: TimedOutput) -> [UInt8] {
  var bytes: [UInt8] = []
  withUnsafeBytes(of: made.seconds.bitPattern.littleEndian) { bytes += $0 }
  withUnsafeBytes(of: UInt32(made.output.width).littleEndian) { bytes += $0 }
  withUnsafeBytes(of: UInt32(made.output.height).littleEndian) { bytes += $0 }
  made.output.samples.withUnsafeBytes { bytes += $0 }
  return bytes
}

private func decoded(_ bytes: [UInt8]) -> TimedOutput? {
  guard bytes.count >= 16 else { return nil }
  return bytes.withUnsafeBytes { buffer -> TimedOutput? in
    let seconds = Double(bitPattern: UInt64(littleEndian: buffer.loadUnaligned(as: UInt64.self)))
    let width = Int(UInt32(littleEndian: buffer.loadUnaligned(fromByteOffset: 8, as: UInt32.self)))
    let height = Int(UInt32(littleEndian: buffer.loadUnaligned(fromByteOffset: 12, as: UInt32.self)))
    guard width > 0, height > 0, width <= mostPicturePixels / height,
      buffer.count == 16 + width * height * 12
    else { return nil }
    let samples = [Float](unsafeUninitializedCapacity: width * height * 3) { target, count in
      UnsafeMutableRawBufferPointer(target).copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[16...]))
      count = width * height * 3
    }
    return (Picture(width: width, height: height, samples: samples), seconds)
  }
}
