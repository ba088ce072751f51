/// Which ends of a network its file says the pixels of.
struct PixelGaps {
  /// Whether the file says which pixels go in.
  var saysInput: Bool
  /// Whether the file says which pixels come out.
  var saysOutput: Bool

  /// Whether it says both.
  var isEmpty: Bool { saysInput && saysOutput }
}

extension Model {
  /// Lets the user say what the file does not say of its pixels.
  /// - Parameter isRequired: whether it is an error when nobody says it; otherwise the model carries a guess.
  mutating func fillContract(
    _ gaps: PixelGaps, _ override: ContractOverride, isRequired: Bool
  ) throws(StyleModelError) {
    if let filled = override.filling(gaps, of: graph.contract) {
      graph.contract = filled
      notes.append("what the file does not say of its pixels is as the command line says")
      return
    }
    let guess = PixelGuess(graph)
    guard !isRequired else { throw gaps.unstatedPixels(guess) }
    pixelsAreUnknown = true
    pixelGuess = guess
  }
}

extension PixelGaps {
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
  /// The contract of a network with the gaps filled that its file leaves, or nil where something stays open. A preset
  /// is for the gaps alone; scales and biases are meant in any case.
  fileprivate func filling(_ gaps: PixelGaps, of contract: PixelContract) -> PixelContract? {
    let input = gaps.saysInput || preset != nil || inputScale != nil && inputBias != nil
    let output = gaps.saysOutput || preset != nil || outputScale != nil && outputBias != nil
    guard input, output else { return nil }
    var filled = applied(to: contract)
    if gaps.saysInput {
      filled.inputScale = inputScale ?? contract.inputScale
      filled.inputBias = inputBias ?? contract.inputBias
    }
    if gaps.saysOutput {
      filled.outputScale = outputScale ?? contract.outputScale
      filled.outputBias = outputBias ?? contract.outputBias
    }
    return filled
  }
}
