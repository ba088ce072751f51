import Diagnostics
public import Tensors

/// How places in tables stand for floats.
public struct PaletteForm: Hashable, Sendable {
  /// The width of a place, 1 to 8.
  public var bits: Int
  /// The axis whose indices are shared out among the tables; nil is one table for the tensor.
  public var axis: Int?
  /// How many tables there are.
  public var tables: Int

  /// Creates a form.
  public init(bits: Int, axis: Int?, tables: Int) {
    self.bits = bits
    self.axis = axis
    self.tables = tables
  }

  /// Which table each number of a tensor has, in C order.
  /// - Precondition: the extent of the axis is a multiple of the number of tables.
  public func table(of index: Int, in shape: Shape) -> Int {
    guard let axis else { return 0 }
    let inner = shape.dimensions[(axis + 1)...].reduce(1, *)
    return index / inner % shape[axis] / (shape[axis] / tables)
  }
}

/// Rounds a tensor to places in tables, which hold the means of as many clusters of its numbers; each number has the place
/// of the one nearest to it.
/// - Precondition: the floats are finite, as many as the shape says, and the tables share out the axis evenly.
/// - Throws: nothing that a sound form does not cause.
func quantizeToPalette(
  _ floats: [Float], shape: Shape, form: PaletteForm
) throws(StyleModelError) -> StoredTensor {
  var numbers = [[(value: Float, weight: Double)]](repeating: [], count: form.tables)
  for (index, value) in floats.enumerated() {
    numbers[form.table(of: index, in: shape)].append((value, 1))
  }
  let tables = numbers.map { weightedMeans($0, count: 1 << form.bits) }
  let borders = tables.map { table in zip(table, table.dropFirst()).map { ($0 + $1) / 2 } }
  var places: [UInt8] = []
  places.reserveCapacity(floats.count)
  for (index, value) in floats.enumerated() {
    let borders = borders[form.table(of: index, in: shape)]
    var (low, high) = (0, borders.count)
    while low < high {
      let middle = (low + high) / 2
      if borders[middle] < value { low = middle + 1 } else { high = middle }
    }
    places.append(UInt8(low))
  }
  return try StoredTensor(
    shape: shape,
    encoding: .palette(PaletteEncoding(bits: form.bits, axis: form.axis, tables: tables)),
    bytes: packIntegers(lowBytes: places, bits: form.bits))
}
