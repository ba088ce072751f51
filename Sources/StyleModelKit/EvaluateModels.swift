import Files
public import Runtime
import StyleModelFile

/// What a model is judged by.
public enum EvaluationReference: Hashable, Sendable {
  /// The float model that it was made from.
  case fp32
  /// Another model, by its file.
  case model(String)
  /// A folder of pictures: for each picture shown, the one of the same name there.
  case pictures(folder: String)
}

/// How models are evaluated.
public struct EvaluationOptions: Sendable {
  /// What they are judged by.
  public var reference: EvaluationReference
  /// A folder of pictures to show; nil is the built-in set.
  public var imagesFolder: String?
  /// Where the float model is, when it is neither beside the file nor in the current folder.
  public var sourcePath: String?
  /// How the float model is to be read; nil is as it was read when the file was made.
  public var sourceImportOptions: ImportOptions?
  /// Whether outputs are rounded to bytes before they are compared.
  public var rounded: Bool
  /// The limits.
  public var gates: Gates
  /// How a picture is brought to a size that the model allows.
  public var fit: PictureFit
  /// How many threads compute; nil is one for each core.
  public var threads: Int?
  /// What the judged network computes in; the reference always computes in single precision.
  public var precision: ComputePrecision

  /// Creates options.
  public init(
    reference: EvaluationReference = .fp32, imagesFolder: String? = nil, sourcePath: String? = nil,
    sourceImportOptions: ImportOptions? = nil, rounded: Bool = false, gates: Gates = Gates(),
    fit: PictureFit = .resize,
    threads: Int? = nil, precision: ComputePrecision = .float32
  ) {
    self.reference = reference
    self.imagesFolder = imagesFolder
    self.sourcePath = sourcePath
    self.sourceImportOptions = sourceImportOptions
    self.rounded = rounded
    self.gates = gates
    self.fit = fit
    self.threads = threads
    self.precision = precision
  }
}

/// Evaluates a model: shows it and its reference the same pictures and compares what they make of them.
///
/// The reference network is run as its file has it, before any pass, so that what the passes change counts too.
/// - Throws: when a model or the set of pictures cannot be read. A picture that fails is a result, not an error.
public func evaluate(
  _ model: Model, options: EvaluationOptions, progress: (Double) -> Void = { _ in }
) throws(StyleModelError) -> EvaluationReport {
  let subjects =
    if let folder = options.imagesFolder { try pictures(inFolder: folder) } else {
      try EvaluationSubject.builtIn()
    }
  let sizes = model.graph.contract.sizes
  let candidate = try Engine(model: model, threads: options.threads, precision: options.precision)
  let reference = try ReferenceOutputs(of: model, options: options)
  var compute = EvaluationReport.Compute(name: options.precision.name)
  let results = evaluate(
    subjects,
    reference: { picture, name throws(StyleModelError) in try reference.output(for: picture, name: name) },
    candidate: { picture, name throws(StyleModelError) in
      var overflow: HalfOverflow?
      let output = try candidate.run(
        picture, fitting: sizes, by: options.fit, observer: RunObserver(overflow: { overflow = $0 }))
      if let overflow, compute.firstOverflow == nil {
        compute.firstOverflow = .init(
          picture: name, layer: overflow.layer, what: overflow.what.rawValue, count: overflow.count,
          nonFinitePixels: output.nonFinitePixelCount, text: overflow.text)
      }
      return output
    },
    rounded: options.rounded, progress: progress)
  return EvaluationReport(
    candidate: model.evaluationSubject, reference: reference.subject, sizes: model.sizeLines,
    pictures: results, compute: compute,
    rounded: options.rounded, notes: model.notes, gates: options.gates)
}

/// The pictures of a folder, in the order of their names.
/// - Throws: `.cannotOpen` when it cannot be listed, `.badInput` when there is no picture in it.
public func pictures(inFolder folder: String) throws(StyleModelError) -> [EvaluationSubject] {
  let names = try listFolder(folder).filter { pictureStem($0) != nil }
  guard !names.isEmpty else {
    throw StyleModelError(
      .badInput, file: folder, "holds no picture", remedy: "put .png, .jpg or .npy files into it")
  }
  return names.map { name in
    EvaluationSubject(name: name) { () throws(StyleModelError) -> Picture in
      try readPicture(folder + "/" + name).picture
    }
  }
}

/// A picture's name without its extension, or nil where the name is not a picture's.
private func pictureStem(_ name: String) -> String? {
  guard let dot = name.lastIndex(of: "."),
    ["png", "jpg", "jpeg", "npy"].contains(name[dot...].dropFirst().lowercased())
  else { return nil }
  return String(name[..<dot])
}

/// What the model is compared with, one picture at a time.
private struct ReferenceOutputs {
  let subject: EvaluationReport.Subject
  private let engine: Engine?
  private let files: [String: String]
  /// The candidate's sizes: both networks see a picture fitted alike.
  private let sizes: PixelContract.Sizes
  private let fit: PictureFit

  init(of model: Model, options: EvaluationOptions) throws(StyleModelError) {
    sizes = model.graph.contract.sizes
    fit = options.fit
    switch options.reference {
    case .pictures(let folder):
      var files: [String: String] = [:]
      for name in try listFolder(folder) {
        guard let stem = pictureStem(name) else { continue }
        guard files.updateValue(folder + "/" + name, forKey: stem) == nil else {
          throw StyleModelError(
            .badInput, file: folder, "holds two pictures named '\(stem)'", remedy: "leave one of them there")
        }
      }
      engine = nil
      self.files = files
      subject = EvaluationReport.Subject(name: folder, storage: "pictures", byteCount: 0, sha256: "")
      return
    case .fp32, .model:
      let reference: Model
      if case .model(let path) = options.reference {
        reference = try loadModel(path, options: options.sourceImportOptions ?? ImportOptions())
      } else {
        reference = try loadSource(of: model, at: options.sourcePath, options: options.sourceImportOptions)
      }
      do throws(StyleModelError) {
        engine = try Engine(reference.graph, threads: options.threads)
      } catch { throw error.inFile(reference.path) }
      files = [:]
      subject = reference.evaluationSubject
    }
  }

  func output(for picture: Picture, name: String) throws(StyleModelError) -> Picture {
    if let engine { return try engine.run(picture, fitting: sizes, by: fit) }
    let stem = pictureStem(name) ?? name
    guard let path = files[stem] else {
      throw StyleModelError(
        .badInput, file: subject.name, "holds no picture '\(stem)'", remedy: "put one of that name there")
    }
    return try readPicture(path).picture
  }
}

extension Model {
  /// How most of the weights are stored: `fp32`, `fp16`, `int8`, `int4-affine`.
  public var storage: String {
    var elements: [String: Int] = [:]
    for constant in graph.constants.values {
      let name =
        switch constant.tensor.encoding {
        case .plain(.float32): "fp32"
        case .plain(.float16): "fp16"
        case .plain(let type): type.rawValue
        case .affine(let affine):
          "int\(affine.bits)" + (affine.isSigned ? "" : "-affine") + (affine.axis == nil ? "-per-tensor" : "")
        }
      elements[name, default: 0] += constant.tensor.shape.count
    }
    return elements.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? "no weights"
  }

  fileprivate var evaluationSubject: EvaluationReport.Subject {
    EvaluationReport.Subject(
      name: fileName(of: path), storage: storage, byteCount: byteCount,
      sha256: hexadecimal(sha256))
  }

  /// Where a `.stylemodel`'s bytes are, the largest first; none for other files.
  public var sizeLines: [EvaluationReport.SizeLine] {
    sizes?.lines(for: graph) ?? []
  }
}
