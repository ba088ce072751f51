import Calibration

/// What the rounding of one layer's weights does to pictures, by how many bits they get.
public struct LayerSensitivity: Sendable {
  /// What one width does.
  public struct Width: Hashable, Sendable {
    /// The width of the integers, in bits.
    public var bits: Int
    /// By how many levels of 255 the pictures are expected to change, in the root mean square.
    public var expectedChange: Double
    /// By how many they change with this layer alone rounded.
    public var measuredChange: Double
    /// About how many bits a weight takes once it is entropy-coded.
    public var codedBitsPerWeight: Double
  }

  /// The layer's name: its weights' without the last part.
  public var name: String
  /// How many weights it has.
  public var count: Int
  /// By how many levels of 255 the pictures would change, in the root mean square, if every weight were off by a hundredth
  /// of the layer's root mean square.
  public var changeByNoise: Double
  /// The widths, in the order in which they were asked for.
  public var widths: [Width]
}

/// Rounds each layer of a network alone, and measures what that does to the calibration pictures.
///
/// Weights are rounded as `convert --bits N --calibrate` rounds them. Pictures count as they do in calibration.
/// - Parameters:
///   - model: the network.
///   - widths: the widths of the integers, 2 to 8 bits each.
///   - set: the pictures.
///   - threads: how many threads compute; nil is one for each core.
///   - progress: is told the share that is done, from 0 to 1.
/// - Returns: the layers, in the order in which the network uses them.
/// - Throws: `.badInput` when weights are not finite, a picture cannot be read, or the network cannot take one; `.usage`
///   when it is of several styles or a width is out of range.
public func layerSensitivities(
  of model: Model, widths: [Int], calibration set: CalibrationSet = .builtIn, threads: Int? = nil,
  progress: (Double) -> Void = { _ in }
) throws(StyleModelError) -> [LayerSensitivity] {
  do throws(StyleModelError) {
    for bits in widths { try QuantizationOptions(storage: .integers(bits: bits)).validate() }
    let graph = try ConversionDraft(model, importOptions: ImportOptions(), sizes: nil, frozen: nil).graph
    let pictures = try set.pictures(for: graph.contract.sizes)
    let (rounding, statistics) = try calibration(of: graph, with: pictures, threads: threads) {
      progress(0.3 * $0)
    }
    var layers: [LayerSensitivity] = []
    for (index, bits) in widths.enumerated() {
      let tensors = try rounding.rounded(bits: bits)
      let losses = try measuredLosses(
        graph, tensors: tensors, pictures: pictures, statistics: statistics, threads: threads
      ) { progress(0.3 + 0.7 * (Double(index) + $0) / Double(widths.count)) }
      if layers.isEmpty {
        layers = tensors.map { tensor in
          LayerSensitivity(
            name: layerName(ofTensor: tensor.name), count: tensor.shape.count,
            changeByNoise: rounding.expectedChange(of: tensor.weight, noise: 0.01), widths: [])
        }
      }
      for (place, loss) in losses.enumerated() {
        layers[place].widths.append(
          LayerSensitivity.Width(
            bits: bits, expectedChange: loss.expected.squareRoot(),
            measuredChange: loss.measured.squareRoot(),
            codedBitsPerWeight: loss.bits / Double(max(layers[place].count, 1))))
      }
    }
    return layers
  } catch { throw error.inFile(model.path) }
}
