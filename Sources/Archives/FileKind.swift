public import Diagnostics

/// What a file is, by its bytes and never by its name.
public enum FileKind: Hashable, Sendable {
  // Models, whether or not they can be read yet.
  case styleModel
  case pyTorchZip
  case pyTorchLegacy
  case pyTorchTar
  case torchScript
  case torchScriptJSON
  case plainPickle
  case luaTorch
  case safetensors
  case onnx
  case coreML
  case hdf5
  case kerasArchive
  case tensorFlowLite
  case numpyArchive
  case numpyArray

  // What gets passed for a model by mistake.
  case jpeg, png, gif, webP, bmp, pdf
  case html, xml, json, text
  /// The text that stands for a file in a clone without Git LFS; the size is that of the file it stands for.
  case gitLFSPointer(size: Int?)
  case gzip, bzip2, xz, zstandard, sevenZip, rar
  case tar
  case zip
  /// The start of a zip, `count` bytes long, whose end is missing.
  case truncatedZip(count: Int)
  case empty
  case unknown

  /// What the file is, with its article: `a JPEG image`.
  public var description: String { words.name }

  /// What the user can do to get a model that can be read, or nil where that is plain.
  public var remedy: String? { words.remedy }

  /// Whether `readPyTorchCheckpoint` can read files of this kind.
  public var isPyTorchCheckpoint: Bool {
    self == .pyTorchZip || self == .pyTorchLegacy || self == .torchScript
  }

  /// The error for a file of this kind where something else was wanted.
  /// - Parameter wanted: a noun without its article: `checkpoint`, `model`.
  public func refusal(wanted: String) -> StyleModelError {
    switch self {
    case .gitLFSPointer, .truncatedZip, .empty:
      return StyleModelError(.badInput, "is \(description)", remedy: remedy)
    case .torchScriptJSON, .coreML:
      return StyleModelError(.badInput, "is \(description), which is not read yet", remedy: remedy)
    case .unknown:
      return StyleModelError(
        .badInput, "is not a \(wanted), nor any other kind of file known here", remedy: remedy)
    case .pyTorchTar, .luaTorch:
      return StyleModelError(.badInput, "is \(description), which is not read", remedy: remedy)
    case .styleModel, .pyTorchZip, .pyTorchLegacy, .torchScript, .plainPickle, .safetensors, .onnx, .hdf5,
      .kerasArchive, .tensorFlowLite,
      .numpyArchive, .numpyArray, .jpeg, .png, .gif, .webP, .bmp, .pdf, .html, .xml, .json, .text, .gzip,
      .bzip2, .xz, .zstandard,
      .sevenZip, .rar, .tar, .zip:
      return StyleModelError(.badInput, "is \(description), not a \(wanted)", remedy: remedy)
    }
  }

  private var words: (name: String, remedy: String?) {
    let unpack = "unpack it and name the model inside"
    let failedDownload = "this is what a failed download leaves; download the model itself"
    let exportWeights = "convert the PyTorch checkpoint that it was made from"
    return switch self {
    case .styleModel: ("a .stylemodel file", nil)
    case .pyTorchZip: ("a PyTorch checkpoint", nil)
    case .pyTorchLegacy: ("a PyTorch checkpoint of a release before 1.6", nil)
    case .pyTorchTar:
      (
        "a PyTorch 0.1 tar checkpoint",
        "save it again in PyTorch: torch.save(torch.load(file, weights_only=False), new_file)"
      )
    case .torchScript: ("a TorchScript archive", nil)
    case .torchScriptJSON:
      (
        "a TorchScript program of a release before 1.4",
        "save its weights in the release that wrote it: torch.save(torch.jit.load(file).state_dict(), new_file)"
      )
    case .plainPickle:
      ("a plain pickle (of pickle.dump, not torch.save)", "save the network's state dict with torch.save")
    case .luaTorch:
      ("a Lua Torch .t7 file", "convert it to a PyTorch state dict first")
    case .safetensors: ("a safetensors file", nil)
    case .onnx: ("an ONNX model", nil)
    case .coreML: ("a Core ML model", exportWeights)
    case .hdf5: ("an HDF5 file", nil)
    case .kerasArchive: ("a Keras archive", nil)
    case .tensorFlowLite: ("a TensorFlow Lite model", exportWeights)
    case .numpyArchive: ("a NumPy .npz archive", nil)
    case .numpyArray:
      ("a NumPy .npy array", "name the folder that it lies in, or save all weights in one .npz")
    case .jpeg: ("a JPEG image", nil)
    case .png: ("a PNG image", nil)
    case .gif: ("a GIF image", nil)
    case .webP: ("a WebP image", nil)
    case .bmp: ("a BMP image", nil)
    case .pdf: ("a PDF document", nil)
    case .html: ("an HTML page", failedDownload)
    case .xml: ("an XML document", failedDownload)
    case .json: ("a JSON document", nil)
    case .text: ("a text file", nil)
    case .gitLFSPointer(let size):
      (
        "a Git LFS pointer" + (size.map { " (real size \(grouped($0)) bytes)" } ?? ""),
        "fetch the file with `git lfs pull`"
      )
    case .gzip: ("a gzip file", unpack)
    case .bzip2: ("a bzip2 file", unpack)
    case .xz: ("an xz file", unpack)
    case .zstandard: ("a Zstandard file", unpack)
    case .sevenZip: ("a 7-Zip archive", unpack)
    case .rar: ("a RAR archive", unpack)
    case .tar: ("a tar archive", unpack)
    case .zip: ("a zip archive without a model in it", unpack)
    case .truncatedZip(let count):
      ("a truncated zip: end record missing, have \(grouped(count)) bytes", "download it again")
    case .empty: ("an empty file", "download or save it again")
    case .unknown: ("a file of unknown kind", "check that the name is right and the download whole")
    }
  }
}
