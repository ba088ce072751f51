/// What the user says of a network's pixels, where its file says nothing or the wrong thing.
public struct ContractOverride: Hashable, Sendable {
  /// A preset for both ends, taken first.
  public var preset: PixelPreset?
  /// What pixels of 0…255 are multiplied by; three factors, in the network's channel order.
  public var inputScale: [Float]?
  /// What is added after that.
  public var inputBias: [Float]?
  /// What the output is multiplied by to give pixels of 0…255.
  public var outputScale: [Float]?
  /// What is added after that.
  public var outputBias: [Float]?

  /// Creates an override that says nothing.
  public init() {}

  /// Whether it says nothing.
  public var isEmpty: Bool { self == ContractOverride() }

  /// Whether it says everything that a file may leave open.
  public var isComplete: Bool {
    preset != nil || [inputScale, inputBias, outputScale, outputBias].allSatisfy { $0 != nil }
  }

  /// The contract with everything replaced that the override names; channel order, rounding and sizes stay.
  public func applied(to contract: PixelContract) -> PixelContract {
    var result = contract
    if let preset {
      let numbers = preset.contract
      result.inputScale = numbers.inputScale
      result.inputBias = numbers.inputBias
      result.outputScale = numbers.outputScale
      result.outputBias = numbers.outputBias
    }
    result.inputScale = inputScale ?? result.inputScale
    result.inputBias = inputBias ?? result.inputBias
    result.outputScale = outputScale ?? result.outputScale
    result.outputBias = outputBias ?? result.outputBias
    return result
  }

  /// The override as command-line arguments, for a file's provenance.
  var arguments: [String] {
    func list(_ name: String, _ values: [Float]?) -> [String] {
      values.map { [name, $0.map { "\($0)" }.joined(separator: ",")] } ?? []
    }
    return (preset.map { ["--io", $0.rawValue] } ?? []) + list("--input-scale", inputScale)
      + list("--input-bias", inputBias) + list("--output-scale", outputScale)
      + list("--output-bias", outputBias)
  }
}
