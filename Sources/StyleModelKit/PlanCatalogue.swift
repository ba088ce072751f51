import Dispatch
import Files
import Runtime
import Synchronization

/// What a catalogue is to be made of.
public struct CatalogueRequest: Sendable {
  /// What is measured, and how.
  public enum Work: Sendable {
    /// Networks in several schemes.
    case sweep(SweepOptions)
    /// Models as they are.
    case eval(EvaluationOptions, ImportOptions)
  }

  /// What is measured, and how.
  public var work: Work
  /// The models' files.
  public var models: [String]
  /// The line that asks for the same on one machine.
  public var words: [String]
  /// The options that change a unit's figures, in words, each with a digest of the file that it names.
  public var measuring: [String]
  /// The options that change reports alone.
  public var judging: [String]

  /// Creates a request.
  public init(work: Work, models: [String], words: [String], measuring: [String], judging: [String]) {
    self.work = work
    self.models = models
    self.words = words
    self.measuring = measuring
    self.judging = judging
  }
}

/// Looks at every model and picture and makes a plan of them. A file that cannot be read is planned too, at no cost: its
/// units say why when their turn comes.
/// - Throws: when the pictures cannot be listed, or there is nothing to plan.
public func planCatalogue(_ request: CatalogueRequest) throws(StyleModelError) -> CataloguePlan {
  let command: CataloguePlan.Command
  let schemes: [String]
  let imagesFolder: String?
  let load: @Sendable (ModelBytes) throws(StyleModelError) -> Model
  var keepsPictures = false
  switch request.work {
  case .sweep(let options):
    (command, schemes, imagesFolder) = (.sweep, options.schemes.map(\.name), options.imagesFolder)
    load = { (bytes) throws(StyleModelError) in try loadModel(bytes, options: options.importOptions) }
  case .eval(let options, let importOptions):
    (command, schemes, imagesFolder) = (.eval, [""], options.imagesFolder)
    keepsPictures = options.keepsPictures
    load = { (bytes) throws(StyleModelError) in
      try loadModel(bytes, options: bytes.holdsGraph ? ImportOptions() : importOptions)
    }
  }
  let pictures = try plannedPictures(inFolder: imagesFolder)
  let models = concurrentMap(request.models) { plannedModel($0, pictures, load) }
  return try CataloguePlan(
    command: command, words: request.words, measuring: request.measuring, judging: request.judging,
    keepsPictures: keepsPictures, models: models, schemes: schemes, pictures: pictures)
}

private func plannedModel(
  _ path: String, _ pictures: [CataloguePlan.Picture],
  _ load: @Sendable (ModelBytes) throws(StyleModelError) -> Model
) -> CataloguePlan.Model {
  var planned = CataloguePlan.Model(
    path: path, name: fileName(of: path), byteCount: 0, sha256: "", costPerPixel: 0)
  guard let bytes = try? ModelBytes(path) else { return planned }
  planned.byteCount = bytes.byteCount
  planned.sha256 = hexadecimal(bytes.sha256)
  guard let graph = try? load(bytes).graph else { return planned }
  let sizes = graph.contract.sizes
  // Large enough for any network's padding, whose share is small then.
  let usual = sizes.nearest(to: PictureSize(width: 512, height: 512))
  guard let work = try? graph.multiplicationCount(for: usual) else { return planned }
  let area = usual.width * usual.height
  planned.costPerPixel = (work + area - 1) / area
  if sizes != .any {
    planned.pixels = pictures.map { picture in
      guard picture.width > 0, picture.height > 0 else { return 0 }
      let shown = sizes.nearest(to: PictureSize(width: picture.width, height: picture.height))
      return shown.width * shown.height
    }
  }
  return planned
}

private func plannedPictures(inFolder folder: String?) throws(StyleModelError) -> [CataloguePlan.Picture] {
  guard let folder else {
    return try builtInEvaluationPictures().map { subject in
      CataloguePlan.Picture(
        name: subject.name, sha256: subject.picture.digest, width: subject.picture.width,
        height: subject.picture.height)
    }
  }
  return concurrentMap(try pictures(inFolder: folder).map(\.name)) { name in
    var planned = CataloguePlan.Picture(name: name, sha256: "", width: 0, height: 0)
    guard let bytes = try? readFile(folder + "/" + name) else { return planned }
    planned.sha256 = hexadecimal(sha256(bytes))
    if let size = try? pictureSize(bytes) { (planned.width, planned.height) = size }
    return planned
  }
}

/// The results of a function, computed on all cores, in the order of its arguments.
private func concurrentMap<Item: Sendable, Result: Sendable>(
  _ items: [Item], _ body: @Sendable (Item) -> Result
) -> [Result] {
  let results = Mutex([Result?](repeating: nil, count: items.count))
  DispatchQueue.concurrentPerform(iterations: items.count) { index in
    let result = body(items[index])
    results.withLock { $0[index] = result }
  }
  return results.withLock { $0.compactMap { $0 } }
}

extension CataloguePlan {
  /// The pictures as the plan has them: one that has changed since is refused when it is read.
  func subjects(inFolder folder: String?) throws(StyleModelError) -> [EvaluationSubject] {
    guard let folder else {
      let builtIn = try EvaluationSubject.builtIn()
      return pictures.map { planned in
        EvaluationSubject(name: planned.name) { () throws(StyleModelError) in
          let picture = try builtIn.first { $0.name == planned.name }?.read()
          guard let picture, picture.digest == planned.sha256 else {
            throw changed(planned.name)
          }
          return picture
        }
      }
    }
    return pictures.map { planned in
      let path = folder + "/" + planned.name
      return EvaluationSubject(name: planned.name) { () throws(StyleModelError) in
        let bytes = try readFile(path)
        guard planned.sha256.isEmpty || hexadecimal(sha256(bytes)) == planned.sha256 else {
          throw changed(path)
        }
        do throws(StyleModelError) { return try decodePicture(bytes).picture } catch {
          throw error.inFile(path)
        }
      }
    }
  }
}

private func changed(_ picture: String) -> StyleModelError {
  StyleModelError(
    .badInput, file: picture, "has changed since the plan was made: its SHA-256 differs",
    remedy: "plan anew, or put the right file back")
}
