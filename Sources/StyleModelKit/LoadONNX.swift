import ONNXImporter

/// Reads an ONNX file.
/// - Parameter beside: the files beside it that it keeps tensors in.
func readONNXFile(_ bytes: [UInt8], beside: [String: [UInt8]]) throws(StyleModelError) -> ONNXModel {
  try readONNX(bytes) { name throws(StyleModelError) in
    guard let part = beside[name] else {
      throw StyleModelError(.internalFault, "the file '\(name)' was not read with the model")
    }
    return part
  }
}

/// The model that an ONNX file is.
/// - Parameter requiresPixels: whether it is an error when neither the file nor the user says what the pixels mean;
///   otherwise the model carries a guess.
func onnxModel(
  _ path: String, _ contents: FileContents, _ file: ONNXModel, _ options: ImportOptions, requiresPixels: Bool
) throws(StyleModelError) -> Model {
  let network = try file.network.get()
  var model = Model(
    path: path, container: contents.container, byteCount: contents.byteCount, sha256: contents.sha256,
    graph: network.graph, recipeName: network.provenance?.recipe, notes: network.notes,
    provenance: network.provenance)
  if network.saysPixels {
    try model.apply(options.contract)
  } else if options.contract.isComplete {
    model.graph.contract = options.contract.applied(to: model.graph.contract)
    model.notes.append("the file does not say what its pixels mean: they are as the command line says")
  } else {
    let guess = PixelGuess(model.graph)
    guard !requiresPixels else {
      throw StyleModelError(
        .badInput, "does not say which pixels the network wants and gives, as no ONNX file does by itself",
        remedy:
          "say it with --io PRESET (or all of --input-scale, --input-bias, --output-scale, --output-bias)"
          + (guess.map { "; \($0)" } ?? ""))
    }
    model.pixelsAreUnknown = true
    model.pixelGuess = guess
  }
  return model
}
