import Files
import Glibc
import StyleModelFile

/// Finds the float model that a `.stylemodel` was made from: where the user says, beside the file, or in the
/// current folder. It must be the very file, by its SHA-256.
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
  func find(_ name: String) -> String? {
    [folder + name, name].first { access($0, R_OK) == 0 }
  }
  guard let found = path ?? find(provenance.sourceName) else {
    throw StyleModelError(
      .cannotOpen, file: model.path,
      "was made from '\(provenance.sourceName)', which is neither beside it nor in the current folder",
      remedy: "pass it with --source PATH")
  }
  do throws(StyleModelError) {
    let importOptions =
      if let options { options } else {
        try ImportOptions(provenance: provenance.options, findRecipe: find)
      }
    let source = try loadModel(found, options: importOptions)
    guard source.sha256 == provenance.sourceSHA256 else {
      throw StyleModelError(
        .badInput, file: found,
        "is not the file that \(fileName(of: model.path)) was made from: its SHA-256 differs",
        remedy: "pass the right one with --source PATH, or convert again")
    }
    return source
  } catch { throw error.inFile(model.path) }
}
