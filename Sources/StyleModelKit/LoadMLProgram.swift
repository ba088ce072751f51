import Files
import MLProgramImporter

/// Reads the inner file of a Core ML package, with the weights beside it.
func readMLProgramFile(_ path: String, _ bytes: [UInt8]) throws(StyleModelError) -> MLProgramModel {
  let folder = String(path.dropLast(fileName(of: path).count))
  return try readMLProgram(bytes) { name throws(StyleModelError) in try readFile(folder + name) }
}
