import CoreMLImporter
public import Diagnostics
import ModelGraph
import ProtobufSupport
public import StyleModelFile

/// Writes a network as a Core ML model that holds a neural network: one file, which runs from iOS 11 on where its weights
/// and sizes allow that.
///
/// A picture goes in and a picture comes out, in the sizes that the contract allows; a contract that allows any gives a
/// range without bound. What the network wants and gives of pixels is the scaler where that can say it, a layer
/// elsewhere. Core ML itself clamps a picture to 0…255 and rounds it. Weights stand as they are stored: floats, halves,
/// integers of 2 to 8 bits, unsigned and packed from the most significant bit down. A network of several styles takes
/// the weights of the styles as a second input, as Turi Create has it. The metadata hold the provenance.
///
/// The version of the specification is the lowest that can say all this. The same model gives the same bytes.
/// - Throws: `.badInput` naming the operation, as the text form writes it, that the format cannot say.
public func encodeMLModel(_ model: StyleModel) throws(StyleModelError) -> [UInt8] {
  var translation = try NetworkTranslation(model.graph)
  try translation.translate()
  var draft = translation.draft
  if translation.pictures.isFlexible { draft.require(.iOS12) }
  var writer = ProtobufWriter()
  writer.number(1, draft.version.rawValue)
  writer.message(2) { description in
    translation.pictures.writeInput(to: &description, name: model.graph.input.name)
    if let styles = model.graph.styles { description.message(1) { $0.styleVector(styles) } }
    translation.pictures.writeOutput(to: &description, name: NetworkTranslation.outputName)
    description.message(100) { $0.metadata(model) }
  }
  writer.message(500) { network in
    for layer in draft.layers { network.block(1, layer) }
    if let preprocessing = translation.preprocessing { network.block(2, preprocessing) }
  }
  guard writer.bytes.count < greatestFile else {
    throw StyleModelError(
      .badInput, "is a network of \(byteSize(writer.bytes.count)), more than a .mlmodel holds",
      remedy: "store its weights in fewer bits")
  }
  return writer.bytes
}

/// Protocol buffers hold less than 2 GiB.
private let greatestFile = 1 << 31

extension ProtobufWriter {
  /// The fields of a `FeatureDescription` of the style vector: one double for each style.
  fileprivate mutating func styleVector(_ styles: StyleSet) {
    text(1, styles.inputName)
    text(2, "the weight of each style: 1 for the one wanted and 0 for the others, or a blend")
    message(3) { type in
      type.message(5) { array in
        array.numbers(1, [styles.count])
        array.number(2, 65600)
      }
    }
  }

  /// The fields of a `Metadata`.
  fileprivate mutating func metadata(_ model: StyleModel) {
    text(1, "A style-transfer network, converted from \(model.provenance.sourceName).")
    var entries = model.provenance.metadata
    entries.append((CoreMLFormat.rounding, model.graph.contract.rounding.rawValue))
    if let styles = model.graph.styles {
      entries.append(("num_styles", String(styles.count)))
      let names = JSONValue.array(styles.names.map { .string($0) })
      if !styles.names.isEmpty { entries.append(("stylemodel.styles", names.text(indented: false))) }
    }
    for (key, text) in entries {
      message(100) { entry in
        entry.text(1, key)
        entry.text(2, text)
      }
    }
  }
}
