import Diagnostics
import StyleModelFile

/// Where a network came from before it was written into a safetensors file.
extension SafetensorsFile {
  func provenance() throws(StyleModelError) -> Provenance {
    do throws(StyleModelError) { return try Provenance(metadata: text) } catch {
      throw damaged(error.problem, at: error.place)
    }
  }
}
