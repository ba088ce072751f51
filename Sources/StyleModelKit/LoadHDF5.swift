import HDF5Importer

/// The model that an HDF5 file or a Keras archive is: its own network, or the one that a recipe knows for its weights.
/// - Parameter requiresPixels: whether it is an error when neither the file nor the user says what the pixels mean;
///   otherwise the model carries a guess.
func loadHDF5(
  _ path: String, _ bytes: [UInt8], _ file: HDF5Model, _ options: ImportOptions, requiresPixels: Bool
) throws(StyleModelError) -> Model {
  // A recipe of the user's own is meant, whatever else the file holds.
  guard let result = file.network, options.recipePath == nil else {
    return try loadStateDict(path, bytes, file.weights, options)
  }
  let network = try result.get()
  var model = Model(
    path: path, container: file.weights.container, byteCount: bytes.count, sha256: sha256(bytes),
    graph: network.graph, notes: network.notes)
  if network.saysInput, network.saysOutput {
    try model.apply(options.contract)
    return model
  }
  if let filled = options.contract.filling(network, of: model.graph.contract) {
    model.graph.contract = filled
    model.notes.append("what the file does not say of its pixels is as the command line says")
    return model
  }
  let guess = PixelGuess(model.graph)
  guard !requiresPixels else { throw unstatedPixels(network, guess) }
  model.pixelsAreUnknown = true
  model.pixelGuess = guess
  return model
}

private func unstatedPixels(_ network: KerasNetwork, _ guess: PixelGuess?) -> StyleModelError {
  if network.saysOutput {
    return StyleModelError(
      .badInput, "gives pixels of 0…255 and does not say which it wants",
      remedy: "say it with --io raw255 (0…255 too, as most such networks) or --io unit (0…1)")
  }
  let missing = network.saysInput ? "wants pixels of 0…255 and does not say which it gives" : "does not say which pixels the network wants and gives"
  return StyleModelError(
    .badInput, missing,
    remedy: "say it with --io PRESET (or all of --input-scale, --input-bias, --output-scale, --output-bias)"
      + (guess.map { "; \($0)" } ?? ""))
}

extension ContractOverride {
  /// The contract of a network with the gaps filled that its layers leave, or nil where something stays open. A preset
  /// is for the gaps alone; scales and biases are meant in any case.
  fileprivate func filling(_ network: KerasNetwork, of contract: PixelContract) -> PixelContract? {
    let input = network.saysInput || preset != nil || inputScale != nil && inputBias != nil
    let output = network.saysOutput || preset != nil || outputScale != nil && outputBias != nil
    guard input, output else { return nil }
    var filled = applied(to: contract)
    if network.saysInput {
      filled.inputScale = inputScale ?? contract.inputScale
      filled.inputBias = inputBias ?? contract.inputBias
    }
    if network.saysOutput {
      filled.outputScale = outputScale ?? contract.outputScale
      filled.outputBias = outputBias ?? contract.outputBias
    }
    return filled
  }
}
