import Diagnostics
import ModelGraph
import StyleModelFile

/// What the metadata of a file of our own say of its network.
struct OwnDescription {
  /// What the standard cannot say of a weight.
  struct Weight {
    var bits: Int?
    var name: String?
  }

  /// What the network's pixels mean.
  var contract: PixelContract
  /// Whether the graph does the processing too.
  var hasProcessing: Bool
  /// By the name in the file.
  var weights: [String: Weight] = [:]
  /// Where the network comes from, if the file says that.
  var provenance: Provenance?

  /// Reads the metadata; nil where they say nothing of pixels.
  /// - Throws: `.badInput` with the key of what is not understood.
  init?(_ metadata: [String: String]) throws(StyleModelError) {
    guard let text = metadata[ONNXFormat.Key.contract] else { return nil }
    contract = try Self.contract(text)
    hasProcessing = metadata[ONNXFormat.Key.processing] != nil
    if let text = metadata[ONNXFormat.Key.weights] { weights = try Self.weights(text) }
    if metadata[Provenance.Key.tool] != nil {
      do throws(StyleModelError) { provenance = try Provenance(metadata: { metadata[$0] }) } catch {
        throw Self.damaged(error.problem, at: error.place ?? Provenance.Key.tool)
      }
    }
  }

  private static func contract(_ text: String) throws(StyleModelError) -> PixelContract {
    do throws(StyleModelError) {
      var parser = try GraphParser("graph {\n\(text)\n}")
      if case .pixels(let call)? = try parser.blocks().first?.statements.first {
        return try PixelContract(call)
      }
    } catch { throw damaged(error.problem, at: ONNXFormat.Key.contract, remedy: error.remedy) }
    throw damaged("says no pixels(…)", at: ONNXFormat.Key.contract)
  }

  private static func weights(_ text: String) throws(StyleModelError) -> [String: Weight] {
    let key = ONNXFormat.Key.weights
    let document: JSONValue
    do throws(StyleModelError) { document = try JSONValue(parsing: Array(text.utf8)[...], place: key) } catch
    {
      throw damaged(error.problem, at: key)
    }
    var result: [String: Weight] = [:]
    for member in document.members ?? [] {
      let weight = Weight(bits: member.value["bits"]?.integer, name: member.value["name"]?.string)
      guard weight.bits.map({ (2...8).contains($0) }) ?? true else {
        throw damaged("has '\(printable(member.key, limit: 120))' of \(weight.bits ?? 0) bits", at: key)
      }
      result[member.key] = weight
    }
    return result
  }

  private static func damaged(_ problem: String, at key: String, remedy: String? = nil) -> StyleModelError {
    StyleModelError(.badInput, place: "metadata '\(key)'", problem, remedy: remedy)
  }
}
