public import Diagnostics
import Files

/// Provenance as texts under keys, which is how it travels in the metadata of other programs' formats.
extension Provenance {
  /// The keys.
  public enum Key {
    /// The program that wrote the file, with its version.
    public static let tool = "stylemodel.tool"
    /// The name of the file that the network was converted from.
    public static let sourceName = "stylemodel.source.name"
    /// That file's length in bytes.
    public static let sourceByteCount = "stylemodel.source.bytes"
    /// That file's SHA-256 digest, in hexadecimal digits.
    public static let sourceSHA256 = "stylemodel.source.sha256"
    /// JSON: the options of the conversion, one string an argument.
    public static let options = "stylemodel.options"
    /// The recipe that the network was recognised by; absent where the source held a graph.
    public static let recipe = "stylemodel.recipe"
  }

  /// The texts, in an order that does not change.
  public var metadata: [(key: String, text: String)] {
    let options = JSONValue.array(options.map { .string($0) }).text(indented: false)
    return [
      (Key.tool, tool), (Key.sourceName, sourceName), (Key.sourceByteCount, String(sourceByteCount)),
      (Key.sourceSHA256, hexadecimal(sourceSHA256)), (Key.options, options),
    ] + (recipe.map { [(Key.recipe, $0)] } ?? [])
  }

  /// Reads the texts back.
  /// - Parameter text: the text under a key, or nil.
  /// - Throws: `.badInput` with the key as its place.
  public init(metadata text: (String) -> String?) throws(StyleModelError) {
    func damaged(_ problem: String, at key: String) -> StyleModelError {
      StyleModelError(.badInput, place: key, problem)
    }
    guard let name = text(Key.sourceName), !name.isEmpty, !name.contains("/"), name != ".", name != ".."
    else { throw damaged("is no plain file name", at: Key.sourceName) }
    guard let byteCount = text(Key.sourceByteCount).flatMap({ Int($0) }), byteCount >= 0 else {
      throw damaged("is no number of bytes", at: Key.sourceByteCount)
    }
    guard let digest = text(Key.sourceSHA256).flatMap(Self.digest) else {
      throw damaged("is not made of 64 hexadecimal digits", at: Key.sourceSHA256)
    }
    let options = try JSONValue(parsing: Array((text(Key.options) ?? "").utf8)[...], place: Key.options)
    let arguments = options.items?.compactMap(\.string)
    guard let arguments, arguments.count == options.items?.count else {
      throw damaged("is no list of texts", at: Key.options)
    }
    guard let tool = text(Key.tool) else { throw damaged("is missing", at: Key.tool) }
    self.init(
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
