public import Diagnostics
public import ModelGraph
public import Quantization
public import Tensors

extension CompensatedRounding {
  /// Rounds one convolution's weights to places in tables, errors made up for. The numbers of a table are the weighted means
  /// of clusters, each weight counting as much as an error in it does to the picture.
  /// - Returns: nil where nothing is known of these weights, or where the tables are shared out along another axis than that
  ///   of the output channels.
  public func rounded(_ weight: ValueID, form: PaletteForm) throws(StyleModelError) -> StoredTensor? {
    guard let layer = layers.first(where: { $0.weight == weight }),
      form.axis == nil || form.axis == layer.layout.axis
    else { return nil }
    let channels = layer.layout.channels
    let shared = channels / form.tables
    var values = [[(value: Float, weight: Double)]](repeating: [], count: form.tables)
    for (index, group) in layer.groups.enumerated() {
      for row in 0..<layer.layout.rows {
        let table = layer.layout.channel(group: index, row: row) / shared
        for (place, column) in group.columnOrder.enumerated() {
          let energy = Double(group.columnEnergies[place]) * Double(group.rowEnergies[row])
          values[table].append(
            (layer.floats[layer.layout.index(group: index, row: row, column: column)], energy))
        }
      }
    }
    let tables = values.map { weightedMeans($0, count: 1 << form.bits) }
    let flat = tables.flatMap { $0 }
    let rounded: Result<RoundedTensor, StyleModelError> = flat.withUnsafeBufferPointer { flat in
      Result { () throws(StyleModelError) in
        try round(
          layer, scales: [Float](repeating: 1, count: channels), offsets: [], isDependent: false, bitWorth: 0,
          deadZone: 0
        ) { channel in
          LayerRounding.Grid(
            step: 1, lowest: 0, highest: Int32(1 << form.bits - 1),
            table: flat.baseAddress.map { $0 + ((channel / shared) << form.bits) })
        }
      }
    }
    return try StoredTensor(
      shape: layer.shape,
      encoding: .palette(PaletteEncoding(bits: form.bits, axis: form.axis, tables: tables)),
      bytes: packIntegers(
        lowBytes: try rounded.get().integers.map { UInt8(truncatingIfNeeded: $0) }, bits: form.bits))
  }

  /// Rounds one convolution's weights to a form; see the calls for each.
  public func rounded(_ weight: ValueID, form: WeightForm) throws(StyleModelError) -> StoredTensor? {
    switch form {
    case .integers(let form): try rounded(weight, form: form)
    case .palette(let form): try rounded(weight, form: form)
    }
  }
}
