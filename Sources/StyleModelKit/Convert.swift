import Calibration
import Files
import StyleModelFile

/// A network made small: what was done and the bytes that came out.
public struct Conversion: Sendable {
  /// What was read.
  public var source: Model
  /// The network as it is stored.
  public var graph: Graph
  /// How its weights are stored, in short: as was asked for, or as the format prefers it.
  public var scheme: String
  /// What was frozen on request, and what that costs.
  public var frozen: FrozenNorms?
  /// What the passes did, and what they left alone.
  public var passNotes: [PassNote]
  /// What became of each tensor.
  public var quantization: QuantizationReport
  /// What is to be written.
  public var output: ModelOutput
  /// Where its bytes are, the largest share first; the lines add up to the file.
  public var sizeLines: [EvaluationReport.SizeLine]

  /// The whole file; of a package, its files one after another.
  public var bytes: [UInt8] { output.bytes }

  /// Writes everything as a whole: what stood there before survives every failure.
  /// - Throws: `.cannotCreate` or `.cannotWrite`.
  public func write(to path: String) throws(StyleModelError) { try output.write(to: path) }

  /// What does not go well together, one sentence each.
  public var warnings: [String] {
    let folded = passNotes.count(where: \.isFoldedNorm)
    let hasOneScale = graph.constants.values.contains { constant in
      if case .affine(let encoding) = constant.tensor.encoding { encoding.axis == nil } else { false }
    }
    guard folded > 0, hasOneScale else { return [] }
    return [
      "\(counted(folded, "norm was", "norms were")) folded, so channels differ in size, which one scale for all of them"
        + " does not suit; leave out --per-tensor"
    ]
  }
}

extension QuantizationOptions {
  /// 8 bits a weight, symmetric, with one scale an output channel: what `convert` does when it is not told.
  public static var int8: QuantizationOptions { QuantizationOptions() }
  /// Half precision.
  public static var fp16: QuantizationOptions { QuantizationOptions(storage: .float16) }
  /// Single precision, as it was trained.
  public static var fp32: QuantizationOptions { QuantizationOptions(storage: .float32) }
  /// Convolutions' weights of 2 to 8 bits.
  public static func bits(_ count: Int) -> QuantizationOptions {
    QuantizationOptions(storage: .integers(bits: count), isEntropyCoded: true)
  }
}

/// Folds a network as far as that is exact, stores its weights as asked, and encodes the whole as a file of the
/// format wanted.
///
/// The same model, options and calibration pictures give the same bytes, whatever the number of threads.
/// - Parameters:
///   - source: the network to convert.
///   - options: how weights are stored; where the format prefers it, integers are affine even if that is not asked for.
///   - importOptions: how the network was read, for the record in the file.
///   - format: the kind of file.
///   - sizes: the sizes of pictures that the result allows; nil is those of the source.
///   - frozen: the source with its live norms frozen, which is then converted in its place.
///   - calibration: pictures that tell which errors matter, so that integers are rounded with errors made up for; nil rounds
///     each weight to the nearest.
///   - threads: how many threads calibrate; nil is one for each core.
///   - progress: is told how much of the calibration is done, from 0 to 1.
/// - Throws: `.badInput` when weights are not finite, naming tensor and count; `.usage` when the options do not go
///   together or name a tensor that is not there.
public func convert(
  _ source: Model, quantization options: QuantizationOptions = .int8,
  importOptions: ImportOptions = ImportOptions(), format: OutputFormat = .styleModel,
  sizes: PixelContract.Sizes? = nil, frozen: FrozenNorms? = nil, calibration: CalibrationSet? = nil,
  threads: Int? = nil, progress: (Double) -> Void = { _ in }
) throws(StyleModelError) -> Conversion {
  do throws(StyleModelError) {
    let options = options.asPreferred(by: format)
    try format.requirePalettes(of: options)
    try calibration?.requireRounding(options)
    let draft = try ConversionDraft(source, importOptions: importOptions, sizes: sizes, frozen: frozen)
    let rounding = try calibration.map { set throws(StyleModelError) in
      try calibrated(draft.graph, with: set, threads: threads, progress: progress)
    }
    return try draft.conversion(options, rounding: rounding, calibration: calibration, format: format)
  } catch { throw error.inFile(source.path) }
}

extension OutputFormat {
  /// Checks that the format has the palettes that are wanted.
  /// - Throws: `.usage` when it has not.
  fileprivate func requirePalettes(of options: QuantizationOptions) throws(StyleModelError) {
    guard case .palette = options.storage else { return }
    switch palettes {
    case .perGroup: return
    case .perTensor where options.groupSize == nil: return
    case .perTensor:
      throw StyleModelError(
        .usage, "a \(suffix) has one palette a tensor",
        remedy: "leave out --group-size, or write a .mlpackage")
    case .none:
      throw StyleModelError(
        .usage, "a \(suffix) has no palettes",
        remedy: "choose --int8 or --bits, or write a .mlmodel or .mlpackage")
    }
  }
}

extension QuantizationOptions {
  /// The same with affine integers where a format prefers them.
  fileprivate func asPreferred(by format: OutputFormat) -> QuantizationOptions {
    guard format.prefersAffine, case .integers = storage else { return self }
    var options = self
    options.isAffine = true
    return options
  }
}

/// Where `convert` writes when it is not told: beside the input, `mosaic.pth` becoming `mosaic.int8.stylemodel`.
/// - Parameters:
///   - input: the file or folder that is converted.
///   - scheme: how weights are stored, in short: `int8`, or the goal of a search as in `40dB`.
public func defaultOutputPath(for input: String, scheme: String) -> String {
  let name = fileName(of: input)
  // A folder of arrays may be named with a slash at its end.
  let path = String(input.reversed().drop { $0 == "/" }.reversed())
  let folder = path.dropLast(name.count)
  let dot = name.lastIndex(of: ".")
  let base = dot.map { $0 == name.startIndex ? name[...] : name[..<$0] } ?? name[...]
  return "\(folder)\(base).\(scheme)\(OutputFormat.all[0].suffix)"
}
