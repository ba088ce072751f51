/// The pixel contracts that style networks in the wild are trained with, by name: what `--io` and recipes say.
public enum PixelPreset: String, Hashable, Sendable, CaseIterable {
  case imagenet, raw255, unit, signed

  /// What the preset means, for help and reports.
  public var summary: String {
    switch self {
    case .imagenet: "0…1, less ImageNet's mean, by its deviation, in and out"
    case .raw255: "0…255 in and out"
    case .unit: "0…1 in and out"
    case .signed: "-1…1 in and out"
    }
  }

  /// The contract with channels in RGB order, any size, rounding to nearest.
  public var contract: PixelContract {
    switch self {
    case .imagenet:
      // torchvision's figures for ImageNet, red first.
      let mean = [0.485, 0.456, 0.406]
      let deviation = [0.229, 0.224, 0.225]
      return PixelContract(
        inputScale: deviation.map { Float(1 / (255 * $0)) },
        inputBias: zip(mean, deviation).map { Float(-$0 / $1) },
        outputScale: deviation.map { Float(255 * $0) }, outputBias: mean.map { Float(255 * $0) })
    case .raw255: return Self.uniform(inputScale: 1, inputBias: 0, outputScale: 1, outputBias: 0)
    case .unit: return Self.uniform(inputScale: 1 / 255, inputBias: 0, outputScale: 255, outputBias: 0)
    case .signed:
      return Self.uniform(inputScale: 1 / 127.5, inputBias: -1, outputScale: 127.5, outputBias: 127.5)
    }
  }

  private static func uniform(
    inputScale: Float, inputBias: Float, outputScale: Float, outputBias: Float
  ) -> PixelContract {
    func three(_ value: Float) -> [Float] { [value, value, value] }
    return PixelContract(
      inputScale: three(inputScale), inputBias: three(inputBias), outputScale: three(outputScale),
      outputBias: three(outputBias))
  }
}

extension PixelContract {
  /// The contract in one line, by a preset's name where one fits: `imagenet, RGB, rounds to nearest, any size`.
  public var summary: String {
    let preset = PixelPreset.allCases.first { preset in
      let contract = preset.contract
      return contract.inputScale == inputScale && contract.inputBias == inputBias
        && contract.outputScale == outputScale && contract.outputBias == outputBias
    }
    let numbers =
      preset.map { "\($0.rawValue) (\($0.summary))" }
      ?? "in: pixel * \(inputScale) + \(inputBias), out: value * \(outputScale) + \(outputBias)"
    let rounded =
      switch rounding {
      case .nearestEven: "rounds to nearest"
      case .halfUp: "rounds half up"
      case .truncate: "truncates"
      }
    return "\(numbers), \(channelOrder.rawValue.uppercased()), \(rounded) to 8 bits, \(sizes)"
  }
}
