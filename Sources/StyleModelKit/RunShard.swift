/// A model of a catalogue that units are run on. Whatever goes wrong with it is in its heads and outcomes.
private protocol UnitWorker {
  func head(scheme: Int) -> ReportHead
  func outcome(scheme: Int, _ subject: EvaluationSubject) -> UnitOutcome
}

extension SweptModel: UnitWorker {}

/// Does the units of a shard that are not done yet, in order. Each is taken down as soon as it is done, and a unit that
/// fails is taken down as a failure.
/// - Parameters:
///   - part: where it is taken down.
///   - work: what is measured, as the plan was made with.
///   - mayGoOn: asked before each unit.
///   - progress: is told the share of the shard's cost that is done, 0…1.
/// - Throws: when the pictures cannot be listed or the part cannot be written.
public func runShard(
  of part: PartFile, work: CatalogueRequest.Work, mayGoOn: () -> Bool = { true },
  progress: (Double) -> Void = { _ in }
) throws(StyleModelError) {
  let plan = part.plan
  let folder =
    switch work {
    case .sweep(let options): options.imagesFolder
    case .eval(let options, _): options.imagesFolder
    }
  let subjects = try plan.subjects(inFolder: folder)
  let units = plan.units(of: part.shard)
  let shardCost = max(1, plan.cost(of: units))
  var costDone = 0
  var worker: (model: Int, worker: any UnitWorker)?
  for index in units {
    let unit = plan.unit(at: index)
    let hasHead = part.hasHead(model: unit.model, scheme: unit.scheme)
    if !part.isDone(index) || !hasHead {
      guard mayGoOn() else { break }
      if worker?.model != unit.model {
        worker = nil  // its memory is free before the next one's is taken
        worker = (unit.model, try makeWorker(plan, model: unit.model, work))
      }
      if let worker = worker?.worker {
        if !hasHead { part.add(worker.head(scheme: unit.scheme), model: unit.model, scheme: unit.scheme) }
        if !part.isDone(index) {
          try part.add(worker.outcome(scheme: unit.scheme, subjects[unit.picture]), at: index)
        }
      }
    }
    costDone += plan.cost(of: unit)
    progress(Double(costDone) / Double(shardCost))
  }
  try part.save()
}

private func makeWorker(
  _ plan: CataloguePlan, model index: Int, _ work: CatalogueRequest.Work
) throws(StyleModelError) -> any UnitWorker {
  let model = plan.models[index]
  let digest = model.sha256.isEmpty ? nil : model.sha256
  switch work {
  case .sweep(let options): return SweptModel(path: model.path, options: options, digest: digest)
  case .eval(let options, let importOptions):
    return EvaluatedWorker(
      path: model.path, options: options, importOptions: importOptions, digest: digest,
      pictures: plan.pictures.map(\.name))
  }
}

/// A model that is evaluated as it is, or why that is not possible.
private struct EvaluatedWorker: UnitWorker {
  private let path: String
  private let evaluated: Result<EvaluatedModel, StyleModelError>

  init(
    path: String, options: EvaluationOptions, importOptions: ImportOptions, digest: String?,
    pictures: [String]
  ) {
    self.path = path
    do throws(StyleModelError) {
      let model = try loadModel(path, checkpointOptions: importOptions)
      try model.requireDigest(digest)
      evaluated = .success(try EvaluatedModel(model, options: options, pictures: pictures))
    } catch { evaluated = .failure(error.inFile(path)) }
  }

  func head(scheme: Int) -> ReportHead {
    switch evaluated {
    case .success(let model): return model.head
    case .failure(let error):
      let unknown = EvaluationReport.Subject(
        name: fileName(of: path), storage: "unknown", byteCount: 0, sha256: "")
      return ReportHead(candidate: unknown, reference: unknown, failure: error)
    }
  }

  func outcome(scheme: Int, _ subject: EvaluationSubject) -> UnitOutcome {
    switch evaluated {
    case .success(let model): return model.outcome(for: subject)
    case .failure(let error):
      return UnitOutcome(picture: PictureResult(name: subject.name, size: "", outcome: .failure(error)))
    }
  }
}

extension MergedCatalogue {
  /// The report of a model, as `evaluate` would have made it.
  /// - Throws: why the model could not be evaluated at all, or not be held against the baseline.
  public func report(model: Int, options: EvaluationOptions) throws(StyleModelError) -> EvaluationReport {
    let head = head(model: model, scheme: 0)
    if let failure = head.failure { throw failure }
    return try options.report(
      plan.models[model].path, head: head, outcomes: outcomes(model: model, scheme: 0))
  }
}
