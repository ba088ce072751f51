import CKernels
public import Diagnostics
public import ModelGraph
public import Quantization
public import Tensors

extension CompensatedRounding {
  /// Rounds one convolution's weights to integers of a fixed width, errors made up for; the scales are chosen so that the
  /// rounding of single weights does least to the picture.
  ///
  /// Every integer lies within the form's bounds. No single weight need lie near what it was: it makes up for others.
  /// - Returns: nil where nothing is known of these weights, or where a scale or an offset would not be finite.
  public func rounded(_ weight: ValueID, form: IntegerForm) throws(StyleModelError) -> StoredTensor? {
    guard let tensor = try integers(of: weight, form: form) else { return nil }
    let encoding = AffineEncoding(
      bits: form.bits, isSigned: !form.isAffine, axis: form.axis, scales: tensor.scales,
      offsets: tensor.offsets)
    return try StoredTensor(
      shape: tensor.shape, encoding: .affine(encoding),
      bytes: packIntegers(
        lowBytes: tensor.integers.map { UInt8(truncatingIfNeeded: $0) }, bits: form.bits))
  }

  /// The same with what is expected of it. Where there is one scale for the tensor, the result has it once.
  func integers(of weight: ValueID, form: IntegerForm) throws(StyleModelError) -> RoundedTensor? {
    guard let layer = layers.first(where: { $0.weight == weight }),
      form.axis == nil || form.axis == layer.layout.axis
    else { return nil }
    let lines = (0..<(form.axis == nil ? 1 : layer.layout.channels)).map { channel in
      LineRange(layer, channel: form.axis == nil ? nil : channel, form: form)
    }
    guard lines.allSatisfy({ $0.step.isFinite && $0.offset.isFinite }) else { return nil }
    func line(_ channel: Int) -> LineRange { lines[form.axis == nil ? 0 : channel] }
    let highest = Int32(form.steps)
    return try round(
      layer, scales: lines.map(\.step), offsets: form.isAffine ? lines.map(\.offset) : [], isDependent: false,
      bitWorth: 0, deadZone: 0
    ) { channel in
      LayerRounding.Grid(
        step: line(channel).step, offset: line(channel).offset, lowest: form.isAffine ? 0 : -highest,
        highest: highest)
    }
  }
}

/// The scale and the offset of the weights that share them.
private struct LineRange {
  private(set) var step: Float
  private(set) var offset: Float = 0

  /// Tries smaller and smaller parts of the range that the weights span, and takes the one that errs least.
  /// - Parameter channel: whose weights; nil for all of them.
  init(_ layer: CompensatedRounding.Layer, channel: Int?, form: IntegerForm) {
    var values: [Float] = []
    var energies: [Float] = []
    for (index, group) in layer.groups.enumerated() {
      for row in 0..<layer.layout.rows
      where channel == nil || channel == layer.layout.channel(group: index, row: row) {
        for (place, column) in group.columnOrder.enumerated() {
          values.append(layer.floats[layer.layout.index(group: index, row: row, column: column)])
          energies.append(group.columnEnergies[place] * group.rowEnergies[row])
        }
      }
    }
    let steps = Float(form.steps)
    let (least, most) = (values.min() ?? 0, values.max() ?? 0)
    let extent = form.isAffine ? most - least : max(-least, most)
    guard extent > 0 else {
      step = 1
      offset = form.isAffine ? least : 0
      return
    }
    step = extent / steps
    offset = form.isAffine ? least : 0
    var best = Double.infinity
    // With many steps there is nothing to gain from cutting off weights; with few, up to two thirds of the range.
    for part in stride(from: Float(1), through: form.bits > 6 ? 0.9 : 0.3, by: -0.02) {
      let size = extent * part / steps
      let start = form.isAffine ? least + extent * (1 - part) / 2 : 0
      guard size > 0, size.isFinite else { continue }
      var loss = 0.0
      for (value, energy) in zip(values, energies) {
        let exact = (value - start) / size
        let integer = min(max(exact.rounded(.toNearestOrEven), form.isAffine ? 0 : -steps), steps)
        let error = Double((exact - integer) * size)
        loss += error * error * Double(energy)
      }
      if loss < best {
        best = loss
        step = size
        offset = start
      }
    }
  }
}
