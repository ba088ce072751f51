import HDF5Importer

extension Model {
  /// Lets the user say what the layers of a Keras network do not say of its pixels.
  /// - Parameter isRequired: whether it is an error when nobody says it; otherwise the model carries a guess.
  mutating func fillContract(
    _ network: KerasNetwork, _ override: ContractOverride, isRequired: Bool
  ) throws(StyleModelError) {
    if let filled = override.filling(network, of: graph.contract) {
      graph.contract = filled
      notes.append("what the file does not say of its pixels is as the command line says")
      return
    }
    let guess = PixelGuess(graph)
    guard !isRequired else { throw network.unstatedPixels(guess) }
    pixelsAreUnknown = true
    pixelGuess = guess
  }
}

extension KerasNetwork {
  fileprivate func unstatedPixels(_ guess: PixelGuess?) -> StyleModelError {
    if saysOutput {
      return StyleModelError(
        .badInput, "gives pixels of 0…255, but does not say which it wants",
        remedy: "say it with --io raw255 (0…255 too, as most such networks) or --io unit (0…1)")
    }
    let missing =
      saysInput
      ? "wants pixels of 0…255, but does not say which it gives"
      : "does not say which pixels the network wants and gives"
    return StyleModelError(
      .badInput, missing,
      remedy: "say it with --io PRESET (or all of --input-scale, --input-bias, --output-scale, --output-bias)"
        + (guess.map { "; \($0)" } ?? ""))
  }
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
