public import Diagnostics
import ModelGraph
import ONNXImporter
public import StyleModelFile

/// Writes a network as an ONNX model that any engine runs, and that `readONNX` reads back as the same network.
///
/// Its input and output are pictures, `float[1, 3, height, width]` of any size: RGB, 0 to 255, neither clamped nor
/// rounded at the end. What the network itself wants and gives is done within the graph. Weights stand under their own
/// names as they are stored, halves behind `Cast`, integers behind `DequantizeLinear`; what flows is float32. The
/// operator set is 17, or 21 where weights of four bits or fewer want it. The metadata hold the pixel contract and the
/// provenance.
///
/// The same model gives the same bytes.
/// - Throws: `.badInput` naming the operation, as the text form writes it, that the standard cannot say.
public func encodeONNX(_ model: StyleModel) throws(StyleModelError) -> [UInt8] {
  var translation = try NetworkTranslation(model.graph)
  try translation.translate()
  let provenance = model.provenance
  let tool = provenance.tool.split(separator: " ", maxSplits: 1)
  let bytes = translation.draft.bytes(
    ONNXDraft.Description(
      producer: tool.first.map(String.init) ?? "stylemodel",
      version: tool.count > 1 ? String(tool[1]) : "",
      name: provenance.sourceName,
      text:
        "A style-transfer network. In and out: RGB pictures of any size, float32 from 0 to 255, not clamped.",
      input: translation.inputName, output: translation.outputName,
      metadata: [
        (ONNXFormat.Key.contract, model.graph.contract.statement),
        (ONNXFormat.Key.processing, ONNXFormat.processing),
      ] + translation.weightEntry + provenance.metadata))
  guard bytes.count < greatestFile else {
    throw StyleModelError(
      .badInput, "is a network of \(byteSize(bytes.count)), more than an ONNX file holds",
      remedy: "store its weights in fewer bits")
  }
  return bytes
}

/// Protocol buffers hold less than 2 GiB.
private let greatestFile = 1 << 31
