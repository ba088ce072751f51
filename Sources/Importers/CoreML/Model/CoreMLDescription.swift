package import CSchemas
package import Diagnostics
package import ModelGraph
import ProtobufSupport

/// What a Core ML file says of a model from outside: its features and what its author wrote.
package struct CoreMLDescription: Sendable {
  package let inputs: [CoreMLFeature]
  package let outputs: [CoreMLFeature]
  /// What the author says, as pairs of a name and a text: `author`, `license`, and whatever their tool wrote, sorted.
  package let metadata: [(name: String, text: String)]

  /// Reads a model's description.
  /// - Throws: `.badInput` naming the feature that is unsound.
  package init(_ message: Coreml__ModelDescription) throws(StyleModelError) {
    inputs = try CoreMLDescription.features(message.input, message.n_input)
    outputs = try CoreMLDescription.features(message.output, message.n_output)
    var metadata: [(name: String, text: String)] = []
    if let message = message.metadata?.pointee {
      metadata = [
        ("description", string(message.short_description)), ("version", string(message.version_string)),
        ("author", string(message.author)), ("license", string(message.license)),
      ]
      metadata += list(message.user_defined, message.n_user_defined).map {
        (string($0.pointee.key), string($0.pointee.value))
      }.sorted { $0.0 < $1.0 }
    }
    self.metadata = metadata.filter { !$0.text.isEmpty }
  }

  private static func features(
    _ start: UnsafeMutablePointer<UnsafeMutablePointer<Coreml__FeatureDescription>?>?, _ count: Int
  ) throws(StyleModelError) -> [CoreMLFeature] {
    var features: [CoreMLFeature] = []
    for feature in list(start, count) { features.append(try CoreMLFeature(feature.pointee)) }
    return features
  }

  /// The picture that comes out, or the array that may be one.
  /// - Throws: `.badInput` saying what the outputs are where none of them can be a picture.
  package func pictureOutput() throws(StyleModelError) -> CoreMLFeature {
    if let image = outputs.first(where: { if case .image = $0.kind { true } else { false } }) { return image }
    if let array = outputs.first(where: { if case .array = $0.kind { true } else { false } }) { return array }
    throw StyleModelError(
      .badInput, "gives no picture: \(CoreMLDescription.phrase(outputs))",
      remedy: "a style network gives one")
  }

  /// Features in a phrase: `'image' (RGB picture, 512x512 only) and 'index' (array [3])`.
  package static func phrase(_ features: [CoreMLFeature]) -> String {
    guard !features.isEmpty else { return "nothing" }
    let shown = features.prefix(6).map { "'\(printable($0.name, limit: 60))' (\($0.description))" }
    return shown.joined(separator: ", ") + (features.count > 6 ? ", …" : "")
  }
}

extension CoreMLFeature.Image {
  /// The order of the channels; nil for a grey picture.
  package var channelOrder: PixelContract.ChannelOrder? {
    switch colorSpace {
    case .rgb: .rgb
    case .bgr: .bgr
    case .gray, .gray16: nil
    }
  }
}
