import Glibc
import StyleModelFile

/// Finds the float model that a file of `convert` was made from: where the user says, beside the file, or in the
/// current folder. It must be the very file, by its SHA-256; what else has its name is passed over.
/// - Throws: `.cannotOpen` when it is not found, `.badInput` when it has changed; both say what to pass.
func loadSource(
  of model: Model, at path: String?, options: ImportOptions?
) throws(StyleModelError) -> Model {
  guard let provenance = model.provenance else {
    throw StyleModelError(
      .badInput, file: model.path,
      "was not made by 'stylemodel convert', so there is no fp32 model that it came from",
      remedy: "compare it with another model: --against MODEL")
  }
  let folder = String(model.path.dropLast(fileName(of: model.path).count))
  func readable(_ name: String) -> [String] {
    (folder.isEmpty ? [name] : [folder + name, name]).filter { access($0, R_OK) == 0 }
  }
  let candidates = path.map { [$0] } ?? readable(provenance.sourceName)
  for found in candidates {
    let source = try ModelBytes(found)
    guard source.sha256 == provenance.sourceSHA256 else { continue }
    do throws(StyleModelError) {
      var importOptions =
        if let options { options } else {
          try ImportOptions(provenance: provenance.options) { readable($0).first }
        }
      // The style is the model's own affair: it was chosen when it was made, or when it was read.
      importOptions.style = model.chosenStyle ?? StyleBlend(provenance: provenance.options)
      return try loadModel(source, options: importOptions)
    } catch { throw error.inFile(model.path) }
  }
  guard let changed = candidates.first else {
    throw StyleModelError(
      .cannotOpen, file: model.path,
      "was made from '\(provenance.sourceName)', which is neither beside it nor in the current folder",
      remedy: "pass it with --source PATH")
  }
  throw StyleModelError(
    .badInput, file: changed,
    "is not the file that \(fileName(of: model.path)) was made from: its SHA-256 differs",
    remedy: "pass the right one with --source PATH, or convert again")
}
