import Calibration
import Files
import Passes
import Runtime

/// The pictures that a network is calibrated with.
public enum CalibrationSet: Hashable, Sendable {
  /// Photographs, textures and ramps that are compiled in; none of them is in the built-in evaluation set.
  case builtIn
  /// The pictures of a folder, and the built-in ramps.
  case folder(String)
}

extension CalibrationSet {
  /// The longer side of the largest picture that is calibrated with, in pixels; what is larger is made smaller.
  static let greatestSide = 256

  /// The option that a command line says it by; a folder is not recorded, only that there was one.
  var arguments: [String] {
    switch self {
    case .builtIn: ["--calibrate"]
    case .folder(let folder): ["--calibrate=" + fileName(of: folder)]
    }
  }

  /// Checks that there is something to calibrate.
  /// - Throws: `.usage` when weights are stored as floats.
  func requireRounding(_ options: QuantizationOptions) throws(StyleModelError) {
    guard options.isRounded else {
      throw StyleModelError(
        .usage, "--calibrate says how weights are rounded to integers; \(options.name) has none",
        remedy: "leave it out, or choose --int8")
    }
  }

  /// A digest of the pictures: of a folder's, of their names and bytes.
  /// - Throws: `.cannotOpen` when they cannot be read.
  var digest: [UInt8] {
    get throws(StyleModelError) {
      guard case .folder(let folder) = self else { return sha256(Array("built-in".utf8)) }
      var parts: [[UInt8]] = []
      for name in try listFolder(folder) where pictureStem(name) != nil {
        parts += [Array(name.utf8), sha256(try readFile(folder + "/" + name))]
      }
      return ContentKey("calibration pictures", parts).digest
    }
  }

  /// The pictures, of sizes that a network allows.
  /// - Throws: `.cannotOpen` when the folder cannot be listed, `.badInput` when a picture cannot be read or there is none.
  func pictures(for sizes: PixelContract.Sizes) throws(StyleModelError) -> [CalibrationPicture] {
    var pictures = try builtInCalibrationPictures()
    if case .folder(let folder) = self {
      pictures.removeAll { !$0.isRamp }
      for subject in try StyleModelKit.pictures(inFolder: folder) {
        pictures.append(CalibrationPicture(name: subject.name, picture: try subject.read()))
      }
    }
    return pictures.map { item in
      let own = PictureSize(width: item.picture.width, height: item.picture.height)
      let target = sizes.nearest(to: own.within(Self.greatestSide))
      guard target != own else { return item }
      var fitted = item
      fitted.picture = item.picture.resized(width: target.width, height: target.height).clamped()
      return fitted
    }
  }
}

extension QuantizationOptions {
  /// Whether weights are rounded, to integers or to palettes, and not stored as floats.
  var isRounded: Bool {
    switch storage {
    case .integers, .palette: true
    case .float32, .float16: false
    }
  }
}

extension PictureSize {
  /// The size of the same shape whose longer side is `side` at most.
  fileprivate func within(_ side: Int) -> PictureSize {
    let longer = max(width, height)
    guard longer > side else { return self }
    return PictureSize(width: max(1, width * side / longer), height: max(1, height * side / longer))
  }
}

/// Calibrates a network for rounding to integers of a fixed width: measures what errors in its weights do to pictures, and
/// makes ready to round so that they make up for one another.
/// - Parameters:
///   - graph: the folded network.
///   - set: the pictures.
///   - threads: how many threads calibrate; nil is one for each core.
///   - progress: is told the share that is done, from 0 to 1.
/// - Throws: when a picture cannot be read or the network cannot take one.
func calibrated(
  _ graph: Graph, with set: CalibrationSet, threads: Int?, progress: (Double) -> Void
) throws(StyleModelError) -> CompensatedRounding {
  try calibration(
    of: graph, with: try set.pictures(for: graph.contract.sizes), threads: threads, progress: progress
  ).rounding
}

/// The same with pictures of sizes that the network allows, and with the statistics.
func calibration(
  of graph: Graph, with pictures: [CalibrationPicture], threads: Int?, progress: (Double) -> Void
) throws(StyleModelError) -> (rounding: CompensatedRounding, statistics: CalibrationStatistics) {
  // Bits are given, so what smooth ramps cost is only a little of what photographs have to spare.
  let options = CalibrationOptions(rampShare: 0.5, threads: threads)
  let statistics = try measureStatistics(graph, pictures: pictures, options: options) { progress(0.9 * $0) }
  let rounding = try CompensatedRounding(
    graph, statistics: statistics, options: RoundingOptions(deadZone: 0, isDependent: false, bitWeight: 0),
    threads: threads
  ) { progress(0.9 + 0.1 * $0) }
  return (rounding, statistics)
}
