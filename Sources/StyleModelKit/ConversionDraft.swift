import Calibration
import Files
import StyleModelFile

/// A network on its way into a file: folded, with what is to be recorded of it.
struct ConversionDraft {
  let source: Model
  /// The network, folded as far as that is exact, its weights as they came.
  let graph: Graph
  let passNotes: [PassNote]
  let frozen: FrozenNorms?
  private let arguments: [String]

  /// - Throws: `.badInput` when weights are not finite, naming tensor and count.
  init(
    _ source: Model, importOptions: ImportOptions, sizes: PixelContract.Sizes?, frozen: FrozenNorms?
  ) throws(StyleModelError) {
    try requireFiniteWeights(source.graph)
    self.source = source
    self.frozen = frozen
    var sized = frozen?.graph ?? source.graph
    if let sizes { sized.contract.sizes = sizes }
    let (folded, notes) = try optimized(sized)
    graph = folded
    passNotes = (frozen?.notes ?? []) + notes
    var importOptions = importOptions
    importOptions.style = source.chosenStyle
    arguments =
      importOptions.arguments + (sizes?.arguments ?? [])
      + (frozen.map { ["--freeze-norm", fileName(of: $0.folder)] } ?? [])
  }

  /// Stores the weights as the options say, and encodes the whole.
  /// - Parameters:
  ///   - rounding: rounds them with errors made up for; nil rounds each to the nearest.
  ///   - calibration: what the rounding was calibrated with, for the record.
  func conversion(
    _ options: QuantizationOptions, rounding: CompensatedRounding?, calibration: CalibrationSet?,
    format: OutputFormat
  ) throws(StyleModelError) -> Conversion {
    let (stored, report) = try quantized(graph, options: options) { weight, form throws(StyleModelError) in
      try rounding?.rounded(weight, form: form)
    }
    return try conversion(
      stored, report, scheme: options.name, arguments: options.arguments + (calibration?.arguments ?? []),
      format: format, entropyCoding: options.isEntropyCoded)
  }

  /// Encodes the network with its weights as they are to be stored.
  /// - Parameters:
  ///   - stored: the graph, quantized.
  ///   - quantization: what became of each tensor.
  ///   - scheme: how weights are stored, in short.
  ///   - arguments: the same as a command line says it.
  ///   - entropyCoding: whether integers may be entropy-coded.
  func conversion(
    _ stored: Graph, _ quantization: QuantizationReport, scheme: String, arguments: [String],
    format: OutputFormat, entropyCoding: Bool
  ) throws(StyleModelError) -> Conversion {
    let provenance = Provenance(
      sourceName: fileName(of: source.path), sourceByteCount: source.byteCount, sourceSHA256: source.sha256,
      options: arguments + self.arguments, tool: "stylemodel " + stylemodelVersion, recipe: source.recipeName)
    let encoding = try format.encode(StyleModel(graph: stored, provenance: provenance), entropyCoding)
    return Conversion(
      source: source, graph: stored, scheme: scheme, frozen: frozen, passNotes: passNotes,
      quantization: quantization, output: encoding.output, sizeLines: encoding.sizes)
  }
}

extension PixelContract.Sizes {
  /// The sizes as `convert` is told them, for a file's provenance.
  fileprivate var arguments: [String] {
    switch self {
    case .any: []
    case .listed(let sizes): ["--size", sizes.map(\.description).joined(separator: ",")]
    case .range(let width, let height):
      [
        "--size-range",
        "\(PictureSize(width: width.lower, height: height.lower)):"
          + (width.upper.flatMap { width in
            height.upper.map { PictureSize(width: width, height: $0).description }
          } ?? ""),
      ]
    }
  }
}
