import CoreMLImporter
import MLProgramImporter
import ONNXImporter
import StyleModelFile

/// What a model file holds, as far as it can be understood.
public struct Inspection: Sendable {
  /// One tensor as it is stored.
  public struct Tensor: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The extents.
    public var shape: Shape
    /// How the numbers are stored: `float32`, `int8, 32 scales along axis 0`.
    public var encoding: String
    /// The bytes of the numbers, with their scales; uncompressed.
    public var byteCount: Int
    /// What it takes in a `.stylemodel`, compressed or coded, in bytes; of other files what it takes uncompressed.
    public var storedByteCount: Int
    /// What a number takes so, in bits.
    public var bitsPerNumber: Double { 8 * Double(storedByteCount) / Double(max(shape.count, 1)) }
    /// How many of the numbers are not-a-number or infinite.
    public var nonFiniteCount: Int
  }

  /// The file, as the user named it.
  public var path: String
  /// The container in a few words.
  public var container: String
  /// The file's size in bytes.
  public var byteCount: Int
  /// What else the file says of itself, as pairs of a name and a text.
  public var details: [(name: String, text: String)]
  /// The tensors, in the file's order.
  public var tensors: [Tensor]
  /// Where the bytes are; the lines add up to the file.
  public var sizes: [EvaluationReport.SizeLine]
  /// The network, or why the tensors are not understood as one.
  public var model: Result<Model, StyleModelError>
}

/// Looks into a model file. Tensors that no recipe knows are still listed.
/// - Throws: `.cannotOpen`; `.badInput` when the file is no model at all.
public func inspectFile(
  _ path: String, options: ImportOptions = ImportOptions()
) throws(StyleModelError) -> Inspection {
  let contents = try FileContents(try ModelBytes(path), options: options)
  var inspection = Inspection(
    path: path, container: contents.container, byteCount: contents.byteCount, details: [], tensors: [],
    sizes: [],
    model: Result { () throws(StyleModelError) in
      try model(path, contents, options, requiresPixels: false)
    })
  switch contents.payload {
  case .model(let file):
    var stored: [String: Int] = [:]
    for payload in contents.sizes?.payloads ?? [] { stored[payload.name] = payload.storedByteCount }
    inspection.tensors = file.graph.constantsInOrder.map {
      Inspection.Tensor(
        name: $0.constant.name, $0.constant.tensor, storedByteCount: stored[$0.constant.name])
    }
    inspection.sizes =
      contents.sizes?.lines(for: file.graph)
      ?? OutputFormat.sizeLines(of: file.graph, fileSize: contents.byteCount)
  case .onnx(let file):
    inspection.tensors = file.tensors.map { Inspection.Tensor(name: $0.name, $0.tensor) }
    inspection.sizes = sizes(of: file, fileSize: contents.byteCount)
  case .coreML(let file):
    inspection.details = file.details
    inspection.tensors = file.tensors.map { Inspection.Tensor(name: $0.name, $0.tensor) }
    inspection.sizes = [
      EvaluationReport.SizeLine(name: "weights, layers and names", byteCount: contents.byteCount)
    ]
  case .program(let file):
    inspection.tensors = file.tensors.map { Inspection.Tensor(name: $0.name, $0.tensor) }
    inspection.sizes = [
      EvaluationReport.SizeLine(name: "weights, operations and manifest", byteCount: contents.byteCount)
    ]
  case .tensors(let dict), .keras(_, let dict):
    inspection.tensors = dict.entries.map { Inspection.Tensor(name: $0.name, $0.tensor) }
    inspection.sizes = sizes(of: dict, fileSize: contents.byteCount)
  }
  return inspection
}

/// An ONNX file's bytes, with those of the files beside it. Tensors may be spelt in fewer bytes than they take here.
private func sizes(of file: ONNXModel, fileSize: Int) -> [EvaluationReport.SizeLine] {
  let data = file.tensors.reduce(0) { $0 + $1.tensor.bytes.count }
  guard data <= fileSize else {
    return [EvaluationReport.SizeLine(name: "tensors, operators, names and container", byteCount: fileSize)]
  }
  return [
    EvaluationReport.SizeLine(name: "tensor data", byteCount: data),
    EvaluationReport.SizeLine(name: "operators, names and container", byteCount: fileSize - data),
  ]
}

/// A checkpoint's bytes: what its tensors point to, and the rest. A container that compresses has no such account.
private func sizes(of dict: StateDict, fileSize: Int) -> [EvaluationReport.SizeLine] {
  guard let data = dict.storageByteCount, data <= fileSize else {
    return [EvaluationReport.SizeLine(name: "tensors, names and container", byteCount: fileSize)]
  }
  return [
    EvaluationReport.SizeLine(name: "tensor data, each storage once", byteCount: data),
    EvaluationReport.SizeLine(name: "names, settings and container", byteCount: fileSize - data),
  ]
}

extension Inspection.Tensor {
  fileprivate init(name: String, _ tensor: StoredTensor, storedByteCount: Int? = nil) {
    self.init(
      name: name, shape: tensor.shape, encoding: tensor.encoding.description,
      byteCount: tensor.storedByteCount, storedByteCount: storedByteCount ?? tensor.storedByteCount,
      nonFiniteCount: tensor.floats().count { !$0.isFinite })
  }
}
