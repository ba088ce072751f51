import Diagnostics
import StyleModelFile

/// Where a network came from before it was written into a safetensors file.
extension SafetensorsFile {
  func provenance() throws(StyleModelError) -> Provenance {
    typealias Key = SafetensorsFormat.Key
    guard let name = text(Key.sourceName), !name.isEmpty, !name.contains("/"), name != ".", name != ".."
    else {
      throw damaged("is no plain file name", at: Key.sourceName)
    }
    guard let byteCount = text(Key.sourceByteCount).flatMap({ Int($0) }), byteCount >= 0 else {
      throw damaged("is no number of bytes", at: Key.sourceByteCount)
    }
    guard let digest = text(Key.sourceSHA256).flatMap(Self.digest) else {
      throw damaged("is not made of 64 hexadecimal digits", at: Key.sourceSHA256)
    }
    let options: JSONValue
    do throws(StyleModelError) {
      options = try JSONValue(parsing: Array((text(Key.options) ?? "").utf8)[...], place: Key.options)
    } catch { throw damaged(error.problem, at: error.place) }
    let arguments = options.items?.compactMap(\.string)
    guard let arguments, arguments.count == options.items?.count else {
      throw damaged("is no list of texts", at: Key.options)
    }
    guard let tool = text(Key.tool) else { throw damaged("is missing", at: Key.tool) }
    return Provenance(
      sourceName: name, sourceByteCount: byteCount, sourceSHA256: digest, options: arguments, tool: tool,
      recipe: text(Key.recipe))
  }

  /// 32 bytes of 64 digits.
  private static func digest(_ text: String) -> [UInt8]? {
    let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == 64, text.utf8.count == 64 else { return nil }
    return stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
