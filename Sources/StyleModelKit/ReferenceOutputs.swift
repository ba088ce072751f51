import Files
import Runtime

/// What the model is compared with, one picture at a time.
struct ReferenceOutputs {
  let subject: EvaluationReport.Subject
  /// The network; nil where the reference is a folder of pictures.
  let network: Model?
  private let engine: Engine?
  private let files: [String: String]
  /// The candidate's sizes: both networks see a picture fitted alike.
  private let sizes: PixelContract.Sizes
  private let fit: PictureFit
  private let networkNotes: [String]
  /// Where outputs are kept that others may need too, and what those of this network are found by.
  private let cache: OutputCache?

  /// Finds what a model is compared with.
  /// - Parameter engine: runs the model itself.
  /// - Throws: when it cannot be read, and `.badInput` with both values where a comparison would mean nothing.
  init(of model: Model, engine candidate: Engine, options: EvaluationOptions) throws(StyleModelError) {
    sizes = model.graph.contract.sizes
    fit = options.fit
    switch options.reference {
    case .pictures(let folder):
      guard !options.temporal else {
        throw StyleModelError(
          .usage, "flicker is measured on frames that a folder of pictures does not hold",
          remedy: "leave out --temporal, or compare with a network")
      }
      var files: [String: String] = [:]
      for name in try listFolder(folder) {
        guard let stem = pictureStem(name) else { continue }
        guard files.updateValue(folder + "/" + name, forKey: stem) == nil else {
          throw StyleModelError(
            .badInput, file: folder, "holds two pictures named '\(stem)'", remedy: "leave one of them there")
        }
      }
      engine = nil
      network = nil
      networkNotes = []
      cache = nil
      self.files = files
      subject = EvaluationReport.Subject(name: folder, storage: "pictures", byteCount: 0, sha256: "")
      return
    case .fp32, .model:
      let reference: Model
      if case .model(let path) = options.reference {
        let other = try loadModel(path, checkpointOptions: options.sourceImportOptions ?? ImportOptions())
        let style = model.chosenStyle ?? model.provenance.flatMap { StyleBlend(provenance: $0.options) }
        reference =
          if let style, other.graph.styles != nil { try other.choosing(style) } else { other }
        try reference.requireOneStyle()
      } else {
        reference = try loadSource(of: model, at: options.sourcePath, options: options.sourceImportOptions)
      }
      let engine: Engine
      do throws(StyleModelError) {
        engine = try Engine(reference.graph, threads: options.threads)
      } catch { throw error.inFile(reference.path) }
      if case .model = options.reference { try requireSameSizes(model, reference) }
      try requireSameOutputSize(model, candidate, reference, engine)
      networkNotes = pixelNotes(model, reference)
      self.engine = engine
      network = reference
      files = [:]
      cache = try OutputCache(
        options.cacheFolder, network: reference, engine: engine, sizes: sizes, fit: options.fit)
      subject = reference.evaluationSubject
    }
  }

  func output(for picture: Picture, name: String) throws(StyleModelError) -> TimedOutput {
    if let engine {
      let run = { (picture: Picture) throws(StyleModelError) in
        try engine.run(picture, fitting: sizes, by: fit)
      }
      guard let cache else { return try timed { () throws(StyleModelError) in try run(picture) } }
      return try cache.output(for: picture, computing: run)
    }
    let stem = pictureStem(name) ?? name
    guard let path = files[stem] else {
      throw StyleModelError(
        .badInput, file: subject.name, "holds no picture '\(stem)'", remedy: "put one of that name there")
    }
    return try timed { () throws(StyleModelError) in try readPicture(path).picture }
  }

  /// What the reader should know of the reference.
  /// - Parameter shown: the names of the pictures that are evaluated.
  func notes(on shown: [String]) -> [String] {
    let unused = Set(files.keys).subtracting(shown.map { pictureStem($0) ?? $0 }).sorted()
    guard !unused.isEmpty else { return networkNotes }
    return networkNotes + [
      "\(counted(unused.count, "picture")) of \(subject.name) belongs to none that was shown: "
        + unused.joined(separator: ", ")
    ]
  }
}

/// Both networks see pictures of one size, as the model takes them, so the reference must take all of those.
private func requireSameSizes(_ model: Model, _ reference: Model) throws(StyleModelError) {
  let sizes = (model.graph.contract.sizes, reference.graph.contract.sizes)
  guard !sizes.1.includes(sizes.0) else { return }
  throw StyleModelError(
    .badInput, file: model.path, "takes \(sizes.0), but \(reference.path) takes \(sizes.1)",
    remedy: "compare models that take the same sizes, or pictures: --against DIR")
}

private func requireSameOutputSize(
  _ model: Model, _ engine: Engine, _ reference: Model, _ referenceEngine: Engine
) throws(StyleModelError) {
  let input = model.graph.contract.sizes.nearest(to: PictureSize(width: 256, height: 256))
  // A size that one of them cannot take is for the pictures to say, which may have another.
  guard let output = try? engine.outputSize(for: input),
    let expected = try? referenceEngine.outputSize(for: input), output != expected
  else { return }
  throw StyleModelError(
    .badInput, file: model.path, "makes \(output) of \(input), but \(reference.path) makes \(expected)",
    remedy: "compare networks that enlarge alike")
}

/// Networks may want different pixels: each gets and gives them in its own way, and what is compared is pictures.
private func pixelNotes(_ model: Model, _ reference: Model) -> [String] {
  var contracts = (model.graph.contract, reference.graph.contract)
  contracts.0.sizes = .any
  contracts.1.sizes = .any
  guard contracts.0 != contracts.1 else { return [] }
  return [
    "the two want different pixels, each gets its own: \(contracts.0.summary) (\(fileName(of: model.path))); "
      + "\(contracts.1.summary) (\(fileName(of: reference.path)))"
  ]
}
