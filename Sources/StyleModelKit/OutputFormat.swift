import CoreMLExporter
import MLProgramExporter
import ONNXExporter
import SafetensorsExporter
public import StyleModelFile

/// A kind of file that networks can be written as. The table `all` decides what `convert` offers, explains and writes:
/// a new kind is a new row.
public struct OutputFormat: Sendable {
  /// A network as the bytes of a file.
  public struct Encoding: Sendable {
    /// What is to be written.
    public var output: ModelOutput
    /// Where its bytes are, the largest share first; the lines add up to the file.
    public var sizes: [EvaluationReport.SizeLine]

    /// Creates an encoding.
    public init(output: ModelOutput, sizes: [EvaluationReport.SizeLine]) {
      self.output = output
      self.sizes = sizes
    }

    /// Creates an encoding as one file.
    init(bytes: [UInt8], sizes: [EvaluationReport.SizeLine]) {
      self.init(output: ModelOutput(file: bytes), sizes: sizes)
    }
  }

  /// How the names of such files end: `.safetensors`.
  public let suffix: String
  /// What it is good for, in half a sentence.
  public let summary: String
  /// Whether integers count from each channel's least weight there, if nothing else is said.
  public let prefersAffine: Bool
  /// The palettes that weights can have there.
  public let palettes: Palettes
  /// Writes a network, its integers entropy-coded where the format can say it and the second argument allows it. The same
  /// arguments give the same bytes.
  public let encode: @Sendable (StyleModel, _ entropyCoding: Bool) throws(StyleModelError) -> Encoding

  /// What a format knows of palettes.
  public enum Palettes: Sendable {
    case none
    /// One for a whole tensor.
    case perTensor
    /// Some for a tensor, each for neighbouring output channels.
    case perGroup
  }

  /// Every kind; the first is the default.
  public static let all: [OutputFormat] = [.styleModel, .safetensors, .onnx, .mlModel, .mlPackage]

  /// The smallest file, and the only one that holds any network exactly.
  public static let styleModel = OutputFormat(
    suffix: ".stylemodel", summary: "small, and checked", palettes: .perGroup
  ) { (model, entropyCoding) throws(StyleModelError) in
    let bytes = try encodeStyleModel(model, entropyCoding: entropyCoding)
    return Encoding(bytes: bytes, sizes: try styleModelSizes(of: bytes).lines(for: model.graph))
  }

  /// Plain tensors for other programs, with the graph in the metadata for this one.
  public static let safetensors = OutputFormat(
    suffix: ".safetensors", summary: "tensors that PyTorch and others load"
  ) { (model, _) throws(StyleModelError) in
    let bytes = try encodeSafetensors(model)
    return Encoding(bytes: bytes, sizes: sizeLines(of: model.graph, fileSize: bytes.count))
  }

  /// The network for any other engine, its pixels' processing included.
  public static let onnx = OutputFormat(suffix: ".onnx", summary: "networks that other engines run") {
    (model, _) throws(StyleModelError) in
    let bytes = try encodeONNX(model)
    return Encoding(
      bytes: bytes,
      sizes: sizeLines(
        of: model.graph, fileSize: bytes.count, bits: { $0 <= 4 ? 4 : 8 },
        rest: "operators, names, pixels, origin"))
  }

  /// The network for apps on Apple's systems, its pixels' processing included.
  public static let mlPackage = OutputFormat(
    suffix: ".mlpackage", summary: "Core ML programs, pictures in and out", palettes: .perGroup
  ) { (model, _) throws(StyleModelError) in
    let output = ModelOutput(package: try encodeMLPackage(model))
    return Encoding(
      output: output,
      sizes: sizeLines(
        of: packaged(model.graph), fileSize: output.byteCount, bits: mlPackageBits,
        rest: "operations, names, pixels, origin, alignment"))
  }

  /// The network for Core ML, as one file with a picture in and a picture out.
  public static let mlModel = OutputFormat(
    suffix: ".mlmodel", summary: "Core ML, from iOS 11 on", prefersAffine: true, palettes: .perTensor
  ) { (model, _) throws(StyleModelError) in
    let bytes = try encodeMLModel(model)
    return Encoding(
      bytes: bytes,
      sizes: sizeLines(
        of: model.graph, fileSize: bytes.count, bits: { $0 }, rest: "layers, names, pixels, origin"))
  }

  init(
    suffix: String, summary: String, prefersAffine: Bool = false, palettes: Palettes = .none,
    encode: @escaping @Sendable (StyleModel, _ entropyCoding: Bool) throws(StyleModelError) -> Encoding
  ) {
    self.suffix = suffix
    self.summary = summary
    self.prefersAffine = prefersAffine
    self.palettes = palettes
    self.encode = encode
  }

  /// The kind that a file's name asks for.
  /// - Throws: `.usage` when the name ends like none of them.
  public static func named(by path: String) throws(StyleModelError) -> OutputFormat {
    // A package may be named as folders are, with a slash at its end.
    let name = path.lowercased().reversed().drop { $0 == "/" }.reversed().map(String.init).joined()
    if let format = all.first(where: { name.hasSuffix($0.suffix) }) { return format }
    throw StyleModelError(
      .usage, file: path, "is not a name that says what kind of model to write",
      remedy: "end it in " + list)
  }

  /// All suffixes with what they are good for: `.stylemodel (small, and checked) or .safetensors (…)`.
  public static let list: String = {
    let rows = all.map { "\($0.suffix) (\($0.summary))" }
    return rows.count < 2
      ? rows.joined() : rows.dropLast().joined(separator: ", ") + " or " + rows[rows.count - 1]
  }()
}

extension OutputFormat {
  /// A file's bytes: its tensors by how they are stored, the largest share first, and what is left.
  /// - Parameters:
  ///   - bits: the width that integers of some bits have in the file; a byte each if nothing is said.
  ///   - rest: what else the file holds.
  static func sizeLines(
    of graph: Graph, fileSize: Int, bits: (Int) -> Int = { _ in 8 },
    rest: String = "header: names, graph, pixels, origin"
  ) -> [EvaluationReport.SizeLine] {
    var groups: [String: (count: Int, bytes: Int)] = [:]
    for (_, constant) in graph.constantsInOrder {
      let tensor = constant.tensor
      var bytes = tensor.storedByteCount
      let width: Int? =
        switch tensor.encoding {
        case .plain: nil
        case .affine(let affine): bits(affine.bits)
        case .palette(let palette): bits(palette.bits)
        }
      if let width { bytes += (tensor.shape.count * width + 7) / 8 - tensor.bytes.count }
      let old = groups[tensor.encoding.description] ?? (0, 0)
      groups[tensor.encoding.description] = (old.count + 1, old.bytes + bytes)
    }
    let tensors = groups.sorted { ($1.value.bytes, $0.key) < ($0.value.bytes, $1.key) }.map { name, group in
      EvaluationReport.SizeLine(name: "\(counted(group.count, "tensor")) \(name)", byteCount: group.bytes)
    }
    let header = fileSize - tensors.reduce(0) { $0 + $1.byteCount }
    return tensors + [
      EvaluationReport.SizeLine(name: rest, byteCount: header)
    ]
  }
}
