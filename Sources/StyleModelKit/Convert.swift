import Files
import StyleModelFile

/// A network made small: what was done and the bytes that came out.
public struct Conversion: Sendable {
  /// What was read.
  public var source: Model
  /// The network as it is stored.
  public var graph: Graph
  /// What the passes did, and what they left alone.
  public var passNotes: [PassNote]
  /// What became of each tensor.
  public var quantization: QuantizationReport
  /// The whole file.
  public var bytes: [UInt8]
  /// Where its bytes are, the largest share first; the lines add up to the file.
  public var sizeLines: [EvaluationReport.SizeLine]

  /// Writes the file as a whole: what stood there before survives every failure.
  /// - Throws: `.cannotCreate` or `.cannotWrite`.
  public func write(to path: String) throws(StyleModelError) { try replaceFile(path, with: bytes) }

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
    QuantizationOptions(storage: .integers(bits: count))
  }
}

/// Folds a network as far as that is exact, stores its weights as asked, and encodes the whole as a file of the
/// format wanted.
///
/// The same model and options give the same bytes.
/// - Throws: `.badInput` when weights are not finite, naming tensor and count; `.usage` when the options do not go
///   together or name a tensor that is not there.
public func convert(
  _ source: Model, quantization options: QuantizationOptions = .int8,
  importOptions: ImportOptions = ImportOptions(), format: OutputFormat = .styleModel
) throws(StyleModelError) -> Conversion {
  do throws(StyleModelError) {
    try requireFiniteWeights(source.graph)
    let (folded, passNotes) = try optimized(source.graph)
    let (graph, report) = try quantized(folded, options: options)
    var importOptions = importOptions
    importOptions.style = source.chosenStyle
    let provenance = Provenance(
      sourceName: fileName(of: source.path), sourceByteCount: source.byteCount, sourceSHA256: source.sha256,
      options: options.arguments + importOptions.arguments, tool: "stylemodel " + stylemodelVersion,
      recipe: source.recipeName)
    let encoding = try format.encode(StyleModel(graph: graph, provenance: provenance))
    return Conversion(
      source: source, graph: graph, passNotes: passNotes, quantization: report, bytes: encoding.bytes,
      sizeLines: encoding.sizes)
  } catch { throw error.inFile(source.path) }
}

/// Where `convert` writes when it is not told: beside the input, `mosaic.pth` becoming `mosaic.int8.stylemodel`.
public func defaultOutputPath(for input: String, quantization: QuantizationOptions) -> String {
  let name = fileName(of: input)
  // A folder of arrays may be named with a slash at its end.
  let path = String(input.reversed().drop { $0 == "/" }.reversed())
  let folder = path.dropLast(name.count)
  let dot = name.lastIndex(of: ".")
  let base = dot.map { $0 == name.startIndex ? name[...] : name[..<$0] } ?? name[...]
  return "\(folder)\(base).\(quantization.name)\(OutputFormat.all[0].suffix)"
}
