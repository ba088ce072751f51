import Files
import StyleModelFile

/// A network as a scheme stores it.
struct SweptConversion {
  /// The network as it is run.
  let graph: Graph
  /// The file that it would be.
  let bytes: [UInt8]

  init(_ conversion: Conversion) {
    graph = conversion.graph
    bytes = conversion.bytes
  }

  /// - Throws: `.badInput` when the bytes are no such file.
  fileprivate init(bytes: [UInt8]) throws(StyleModelError) {
    graph = try decodeStyleModel(bytes).graph
    self.bytes = bytes
  }
}

/// Calibrated conversions of one network, kept in a cache: what calibration measures takes tens of megabytes a network
/// and seconds to make, what comes of it is the file itself.
struct ConversionCache {
  private let cache: ContentCache
  private let made: [String]

  /// Opens the cache of one network's conversions; nil where there is no folder for it.
  /// - Parameters:
  ///   - folder: shared by all networks.
  ///   - model: the network as its file has it.
  ///   - set: the pictures that calibrate it.
  /// - Throws: `.cannotCreate` when the folder cannot be made; `.cannotOpen` when the pictures cannot be read.
  init?(
    _ folder: String?, of model: Model, with set: CalibrationSet, _ importOptions: ImportOptions
  ) throws(StyleModelError) {
    guard let folder else { return nil }
    cache = try ContentCache(folder: folder)
    // Kernels differ in the last bits, and statistics with them.
    made = [
      stylemodelVersion, InstructionSet.best.name, hexadecimal(model.sha256), model.graph.text, model.path,
      hexadecimal(try set.digest), importOptions.arguments.joined(separator: " "),
    ]
  }

  /// What was stored, or nil.
  func conversion(for scheme: QuantizationOptions) -> SweptConversion? {
    cache.bytes(for: key(scheme)).flatMap { try? SweptConversion(bytes: $0) }
  }

  /// Stores a conversion. A cache that cannot be written costs time, nothing else.
  func store(_ conversion: SweptConversion, for scheme: QuantizationOptions) {
    try? cache.store(conversion.bytes, for: key(scheme))
  }

  private func key(_ scheme: QuantizationOptions) -> ContentKey {
    ContentKey("calibrated conversion", made + scheme.arguments)
  }
}
