import Archives
import CoreMLImporter
import HDF5Importer
import MLProgramImporter
import NumPyImporter
import ONNXImporter
import PyTorchImporter
import SafetensorsImporter
import StyleModelFile

/// What a model file holds once its container is out of the way.
struct FileContents {
  /// A network, one whose pixels the file does not say, or tensors whose network a recipe must say.
  enum Payload {
    case model(StyleModel)
    case onnx(ONNXModel)
    case coreML(CoreMLModel)
    case program(MLProgramModel)
    case tensors(StateDict)
    /// A network as Keras keeps it, or why it is not understood, and its tensors.
    case keras(Result<KerasNetwork, StyleModelError>, StateDict)
  }

  /// The network or the tensors.
  var payload: Payload
  /// The container in a few words: `PyTorch zip checkpoint`.
  var container: String
  /// The file's size in bytes; a folder's files together.
  var byteCount: Int
  /// The SHA-256 digest of the file; of a folder, of its files' names and digests.
  var sha256: [UInt8]
  /// The exact account of a `.stylemodel`'s bytes; nil for other files.
  var sizes: StyleModelSizes?

  /// Takes the container off, whose kind is recognised by its bytes.
  /// - Throws: `.badInput` saying what the file is instead, or what in it is damaged.
  init(_ source: ModelBytes, options: ImportOptions) throws(StyleModelError) {
    byteCount = source.byteCount
    sha256 = source.sha256
    do throws(StyleModelError) {
      switch source.form {
      case .file(let bytes, let beside):
        (payload, container) = try Self.open(bytes, of: source.path, beside, options)
      case .folder(let files):
        let dict = try readNumPyFiles(files)
        (payload, container) = (.tensors(dict), dict.container)
      case .package(let package):
        let file = try readMLProgram(package.model, readBeside: package.file)
        (payload, container) = (.program(file), "Core ML package: " + file.container)
      }
      if case .file(let bytes, _) = source.form, isStyleModel(bytes) {
        sizes = try styleModelSizes(of: bytes)
      }
    } catch { throw error.inFile(source.path) }
  }

  private static func open(
    _ bytes: [UInt8], of path: String, _ beside: [String: [UInt8]], _ options: ImportOptions
  ) throws(StyleModelError) -> (Payload, container: String) {
    switch FileKind.identify(bytes) {
    case .styleModel: return (.model(try decodeStyleModel(bytes)), FileKind.styleModel.description)
    case .safetensors:
      let file = try readSafetensors(bytes)
      // A recipe of the user's own comes before what the file says of its network.
      guard options.recipePath == nil, let model = try file.model() else {
        return (.tensors(file.tensors), file.tensors.container)
      }
      return (.model(model), file.tensors.container + " of \(printable(model.provenance.tool, limit: 80))")
    case .onnx:
      let file = try readONNXFile(bytes, beside: beside)
      return (.onnx(file), file.container)
    case .coreML:
      if try isMLProgram(bytes) {
        let file = try readMLProgramFile(path, bytes)
        return (.program(file), file.container)
      }
      let file = try readCoreML(bytes)
      return (.coreML(file), file.container)
    case .numpyArchive:
      let dict = try readNumPyArchive(bytes)
      return (.tensors(dict), dict.container)
    case .hdf5, .kerasArchive:
      let file = try readHDF5(bytes, stateKey: options.stateKey)
      guard options.recipePath == nil, let network = file.network else {
        return (.tensors(file.weights), file.weights.container)
      }
      return (.keras(network, file.weights), file.weights.container)
    case let kind where kind.isPyTorchCheckpoint:
      let dict = try readPyTorchCheckpoint(bytes, options: PyTorchOptions(stateKey: options.stateKey))
      return (.tensors(dict), dict.container)
    case let kind: throw kind.refusal(wanted: "model")
    }
  }
}

extension ModelBytes {
  /// Whether the file states its network and pixels itself, so that no recipe is needed.
  var holdsGraph: Bool {
    if case .package(let package) = form {
      return (try? readMLProgram(package.model, readBeside: package.file).network.get())?.saysPixels ?? false
    }
    guard case .file(let bytes, let beside) = form else { return false }
    switch FileKind.identify(bytes) {
    case .styleModel: return true
    case .safetensors: return (try? readSafetensors(bytes))?.text(SafetensorsFormat.Key.graph) != nil
    case .onnx: return (try? readONNXFile(bytes, beside: beside).network.get())?.saysPixels ?? false
    case .coreML:
      if (try? isMLProgram(bytes)) ?? false {
        return (try? readMLProgramFile(path, bytes).network.get())?.saysPixels ?? false
      }
      return (try? readCoreML(bytes).network.get())?.saysPixels ?? false
    default: return false
    }
  }
}
