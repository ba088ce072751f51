import Archives
import Files
import HDF5Importer
import PyTorchImporter

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
    /// How many of the numbers are not-a-number or infinite.
    public var nonFiniteCount: Int
  }

  /// The file, as the user named it.
  public var path: String
  /// The container in a few words.
  public var container: String
  /// The file's size in bytes.
  public var byteCount: Int
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
  let bytes = try readFile(path)
  do throws(StyleModelError) {
    let kind = FileKind.identify(bytes)
    if kind == .styleModel {
      let model = try loadModel(path, options: options)
      return Inspection(
        path: path, container: model.container, byteCount: bytes.count,
        tensors: model.graph.constantsInOrder.map {
          Inspection.Tensor(name: $0.constant.name, $0.constant.tensor)
        },
        sizes: model.sizeLines, model: .success(model))
    }
    if kind == .hdf5 || kind == .kerasArchive { return try inspectHDF5(path, bytes, options) }
    guard kind.isPyTorchCheckpoint else { throw kind.refusal(wanted: "model") }
    let dict = try readPyTorchCheckpoint(bytes, options: PyTorchOptions(stateKey: options.stateKey))
    let model: Result<Model, StyleModelError>
    do throws(StyleModelError) { model = .success(try loadModel(path, options: options)) } catch {
      model = .failure(error)
    }
    return Inspection(
      path: path, container: dict.container, byteCount: bytes.count,
      tensors: dict.entries.map { Inspection.Tensor(name: $0.name, $0.tensor) },
      sizes: sizes(of: dict, fileSize: bytes.count), model: model)
  } catch { throw error.inFile(path) }
}

private func inspectHDF5(
  _ path: String, _ bytes: [UInt8], _ options: ImportOptions
) throws(StyleModelError) -> Inspection {
  let file = try readHDF5(bytes, stateKey: options.stateKey)
  let model: Result<Model, StyleModelError>
  do throws(StyleModelError) {
    model = .success(try loadHDF5(path, bytes, file, options, requiresPixels: false))
  } catch { model = .failure(error) }
  return Inspection(
    path: path, container: file.weights.container, byteCount: bytes.count,
    tensors: file.weights.entries.map { Inspection.Tensor(name: $0.name, $0.tensor) },
    sizes: sizes(of: file.weights, fileSize: bytes.count), model: model)
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
  fileprivate init(name: String, _ tensor: StoredTensor) {
    self.init(
      name: name, shape: tensor.shape, encoding: tensor.encoding.description,
      byteCount: tensor.storedByteCount,
      nonFiniteCount: tensor.floats().count { !$0.isFinite })
  }
}
