import Archives
import Files
import Glibc
import HDF5Importer
import NumPyImporter
import PyTorchImporter
import SafetensorsImporter
import StyleModelFile

/// What a model file holds once its container is out of the way.
struct FileContents {
  /// A network, or tensors whose network a recipe must say.
  enum Payload {
    case model(StyleModel)
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

  /// Reads a file, or a folder of arrays, of any kind that is known, recognised by its bytes.
  /// - Throws: `.cannotOpen`; `.badInput` saying what the file is instead, or what in it is damaged.
  init(_ path: String, options: ImportOptions) throws(StyleModelError) {
    do throws(StyleModelError) {
      if isFolder(path) {
        try self.init(folder: path)
      } else {
        try self.init(bytes: try readFile(path), options: options)
      }
    } catch { throw error.inFile(path) }
  }

  private init(bytes: [UInt8], options: ImportOptions) throws(StyleModelError) {
    byteCount = bytes.count
    sha256 = digest(of: bytes)
    switch FileKind.identify(bytes) {
    case .styleModel:
      payload = .model(try decodeStyleModel(bytes))
      container = FileKind.styleModel.description
      sizes = try styleModelSizes(of: bytes)
    case .safetensors:
      let file = try readSafetensors(bytes)
      container = file.tensors.container
      // A recipe of the user's own comes before what the file says of its network.
      if options.recipePath == nil, let model = try file.model() {
        payload = .model(model)
        container += " of \(model.provenance.tool)"
      } else {
        payload = .tensors(file.tensors)
      }
    case .numpyArchive:
      let dict = try readNumPyArchive(bytes)
      payload = .tensors(dict)
      container = dict.container
    case .hdf5, .kerasArchive:
      let file = try readHDF5(bytes, stateKey: options.stateKey)
      container = file.weights.container
      if options.recipePath == nil, let network = file.network {
        payload = .keras(network, file.weights)
      } else {
        payload = .tensors(file.weights)
      }
    case let kind where kind.isPyTorchCheckpoint:
      let dict = try readPyTorchCheckpoint(bytes, options: PyTorchOptions(stateKey: options.stateKey))
      payload = .tensors(dict)
      container = dict.container
    case let kind: throw kind.refusal(wanted: "model")
    }
  }

  private init(folder path: String) throws(StyleModelError) {
    let names = try listFolder(path).filter { $0.hasSuffix(".npy") }
    guard !names.isEmpty else {
      throw StyleModelError(
        .badInput, "is a folder without .npy arrays, so not a model", remedy: "name a model file in it")
    }
    var files: [(name: String, bytes: [UInt8])] = []
    var digests: [UInt8] = []
    for name in names {
      let bytes = try readFile(path + "/" + name)
      digests += Array((name + "\n").utf8) + digest(of: bytes)
      files.append((name, bytes))
    }
    byteCount = files.reduce(0) { $0 + $1.bytes.count }
    sha256 = digest(of: digests)
    let dict = try readNumPyFiles(files)
    payload = .tensors(dict)
    container = dict.container
  }
}

/// `Files.sha256`, where a property of the same name hides it.
private func digest(of bytes: [UInt8]) -> [UInt8] { sha256(bytes) }

private func isFolder(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}
