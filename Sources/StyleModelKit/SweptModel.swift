import Calibration
import Files
import Runtime

/// A network with the ways that its weights are to be stored, ready to be shown pictures. Each scheme is converted when
/// it is first asked for; what the float network makes of a picture is kept until another picture is shown.
///
/// A network that cannot be read, and a scheme that it cannot be stored in, are results too: every picture fails then.
final class SweptModel {
  private let path: String
  private let options: SweepOptions
  private let model: Result<Model, StyleModelError>
  private var conversions: [Result<SweptConversion, StyleModelError>?]
  private var rounding: Result<CompensatedRounding, StyleModelError>?
  private var shown: ShownPicture?

  /// Gets a network ready that was read already.
  init(_ model: Model, options: SweepOptions) {
    path = model.path
    self.options = options
    self.model = Result { () throws(StyleModelError) in
      try model.requireOneStyle()
      return model
    }
    conversions = Array(repeating: nil, count: options.schemes.count)
  }

  /// Reads a network.
  /// - Parameter digest: the SHA-256 of the file, in hexadecimal, that is wanted; nil takes whatever is there.
  init(path: String, options: SweepOptions, digest: String? = nil) {
    self.path = path
    self.options = options
    do throws(StyleModelError) {
      let model = try loadModel(path, options: options.importOptions)
      try model.requireDigest(digest)
      try model.requireOneStyle()
      self.model = .success(model)
    } catch { model = .failure(error.inFile(path)) }
    conversions = Array(repeating: nil, count: options.schemes.count)
  }

  /// What the report of one scheme says before any picture is shown.
  func head(scheme index: Int) -> ReportHead {
    let scheme = options.schemes[index]
    let name = fileName(of: defaultOutputPath(for: path, scheme: scheme.name))
    var head = ReportHead(
      candidate: .init(name: name, storage: scheme.name, byteCount: 0, sha256: ""),
      reference: .init(name: fileName(of: path), storage: "unknown", byteCount: 0, sha256: ""))
    do throws(StyleModelError) {
      let model = try model.get()
      head.reference = model.evaluationSubject
      head.sourceByteCount = model.byteCount
      let conversion = try conversion(index)
      let sizes = try styleModelSizes(of: conversion.bytes)
      head.candidate.byteCount = conversion.bytes.count
      head.candidate.sha256 = hexadecimal(sha256(conversion.bytes))
      head.sizes = sizes.lines(for: conversion.graph)
      head.shares = sizes.shares(for: conversion.graph)
    } catch { head.failure = error }
    return head
  }

  /// What one scheme makes of a picture, compared.
  func outcome(scheme index: Int, _ subject: EvaluationSubject) -> UnitOutcome {
    let result: PictureResult
    do throws(StyleModelError) {
      let conversion = try conversion(index)
      let model = try model.get()
      let picture: ShownPicture
      if let last = shown, last.name == subject.name {
        picture = last
      } else {
        shown = nil  // its memory is free before the next one's is taken
        picture = ShownPicture(subject, model, options)
        shown = picture
      }
      result = picture.judged(conversion, options)
    } catch { result = PictureResult(name: subject.name, size: "", outcome: .failure(error)) }
    return UnitOutcome(picture: result)
  }

  private func conversion(_ index: Int) throws(StyleModelError) -> SweptConversion {
    if let made = conversions[index] { return try made.get() }
    do throws(StyleModelError) {
      let made = try converted(try model.get(), options.schemes[index])
      conversions[index] = .success(made)
      return made
    } catch {
      conversions[index] = .failure(error)
      throw error
    }
  }

  private func converted(
    _ model: Model, _ scheme: QuantizationOptions
  ) throws(StyleModelError) -> SweptConversion {
    guard let set = options.calibration, scheme.isRounded else {
      return SweptConversion(
        try convert(model, quantization: scheme, importOptions: options.importOptions))
    }
    let cache = try ConversionCache(options.cacheFolder, of: model, with: set, options.importOptions)
    if let found = cache?.conversion(for: scheme) { return found }
    do throws(StyleModelError) {
      let draft = try ConversionDraft(
        model, importOptions: options.importOptions, sizes: nil, frozen: nil)
      let made = SweptConversion(
        try draft.conversion(
          scheme, rounding: try rounding(for: draft, with: set), calibration: set, format: .styleModel))
      cache?.store(made, for: scheme)
      return made
    } catch { throw error.inFile(model.path) }
  }

  /// What all schemes are rounded with; made once.
  private func rounding(
    for draft: ConversionDraft, with set: CalibrationSet
  ) throws(StyleModelError) -> CompensatedRounding {
    if let made = rounding { return try made.get() }
    let made: Result<CompensatedRounding, StyleModelError> = Result { () throws(StyleModelError) in
      try calibrated(draft.graph, with: set, threads: options.threads) { _ in }
    }
    rounding = made
    return try made.get()
  }
}

extension Model {
  /// - Throws: `.badInput` when the file is another one than was planned with.
  func requireDigest(_ digest: String?) throws(StyleModelError) {
    guard let digest, digest != hexadecimal(sha256) else { return }
    throw StyleModelError(
      .badInput, file: path, "has changed since the plan was made: its SHA-256 differs",
      remedy: "plan anew, or put the right file back")
  }
}

/// A picture and what the float network makes of it. Engines are made for one picture and dropped, so that the memory
/// of one network is in use at a time.
private struct ShownPicture {
  let name: String
  private var size = ""
  private var digest = ""
  private let outcome: Result<(picture: Picture, reference: TimedOutput), StyleModelError>

  init(_ subject: EvaluationSubject, _ model: Model, _ options: SweepOptions) {
    name = subject.name
    do throws(StyleModelError) {
      let picture = try subject.read()
      size = sizeText(width: picture.width, height: picture.height)
      digest = picture.digest
      let engine = try Engine(model.graph, threads: options.threads)
      let sizes = model.graph.contract.sizes
      let run = { (picture: Picture) throws(StyleModelError) in
        try engine.run(picture, fitting: sizes, by: options.fit)
      }
      let cache = try OutputCache(
        options.cacheFolder, network: model, engine: engine, sizes: sizes, fit: options.fit)
      let reference =
        if let cache { try cache.output(for: picture, computing: run) } else {
          try timed { () throws(StyleModelError) in try run(picture) }
        }
      outcome = .success((picture, reference))
    } catch { outcome = .failure(error) }
  }

  /// What a conversion makes of it, compared.
  func judged(_ conversion: SweptConversion, _ options: SweepOptions) -> PictureResult {
    do throws(StyleModelError) {
      let (picture, reference) = try outcome.get()
      let engine = try Engine(conversion.graph, threads: options.threads)
      let candidate = try timed { () throws(StyleModelError) in
        try engine.run(picture, fitting: conversion.graph.contract.sizes, by: options.fit)
      }
      return try Evaluation.judged(
        name, picture, reference: reference, candidate: candidate, rounded: options.rounded)
    } catch { return PictureResult(name: name, size: size, sha256: digest, outcome: .failure(error)) }
  }
}
