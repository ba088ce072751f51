public import Diagnostics
public import ModelGraph
public import Tensors

/// The forms that a convolution's weights can be rounded to.
public enum WeightForm: Hashable, Sendable {
  /// Integers with scales.
  case integers(IntegerForm)
  /// Places in tables.
  case palette(PaletteForm)
}

/// Rounds the weights of a convolution to a form.
public typealias WeightRounding = (ValueID, WeightForm) throws(StyleModelError) -> StoredTensor?

/// The graph with its weights stored as the options say.
///
/// Integers are for the weights of convolutions alone, and only where they take fewer bytes than halves, their
/// scales counted in. Everything else (norms, biases, tables) becomes halves, or stays at 32 bits where halves
/// would overflow or be too coarse. A tensor that comes quantized already is decoded first, unless it is in the very
/// form wanted: then it stays bit for bit. Its note says which.
/// - Parameters:
///   - graph: the network.
///   - options: how its weights are to be stored.
///   - chosen: weights that are rounded already and take the place of those in the graph, whatever the options say.
///   - round: rounds the weights of a convolution in a better way than one by one; nil where it knows none, and then they are
///     rounded to nearest.
/// - Throws: `.badInput` when a weight is not finite; `.usage` when the options do not go together, or name a
///   tensor to keep that is not there.
public func quantized(
  _ graph: Graph, options: QuantizationOptions, chosen: [ValueID: StoredTensor] = [:],
  round: WeightRounding = { _, _ in nil }
) throws(StyleModelError) -> (graph: Graph, report: QuantizationReport) {
  try options.validate()
  let roles = try WeightRoles(graph, keep: options.keep)
  let tensors = graph.constantsInOrder.map { item in
    (
      value: item.value, name: item.constant.name, stored: item.constant.tensor,
      floats: item.constant.tensor.floats()
    )
  }
  try requireFinite(tensors.map { ($0.name, $0.floats) })
  var result = graph
  var reports: [QuantizationReport.TensorReport] = []
  for item in tensors {
    var decision = Decision(tensor: item.stored)
    if roles.kept.contains(item.value) {
      decision.notes.append("kept as it is")
    } else if let tensor = chosen[item.value] {
      decision.noteDecoding()
      decision.tensor = tensor
    } else {
      try decision.store(item.floats, roles.outputAxes[item.value], options) {
        form throws(StyleModelError) in try round(item.value, form)
      }
    }
    result.setTensor(decision.tensor, of: item.value)
    reports.append(
      QuantizationReport.TensorReport(
        name: item.name, shape: item.stored.shape, before: item.stored.encoding.description,
        after: decision.tensor.encoding.description, bytesBefore: item.stored.storedByteCount,
        bytesAfter: decision.tensor.storedByteCount,
        note: decision.notes.isEmpty ? nil : decision.notes.joined(separator: "; ")))
  }
  return (result, QuantizationReport(tensors: reports))
}

/// What becomes of one tensor, and why.
private struct Decision {
  var tensor: StoredTensor
  var notes: [String] = []

  /// Stores the floats as the options say.
  /// - Parameter outputAxis: for a convolution's weight the axis of its output channels (`.some(nil)` if two uses
  ///   disagree), nil for every other tensor.
  mutating func store(
    _ floats: [Float], _ outputAxis: Int??, _ options: QuantizationOptions,
    round: (WeightForm) throws(StyleModelError) -> StoredTensor?
  ) throws(StyleModelError) {
    switch options.storage {
    case .float32: storeFloats(floats)
    case .float16:
      noteDecoding()
      try storeHalves(floats, axis: outputAxis ?? nil)
    case .integers(let bits):
      guard let outputAxis else {
        noteDecoding()
        return try storeHalves(floats, axis: nil)
      }
      let form = IntegerForm(
        bits: bits, isAffine: options.isAffine, axis: options.isPerTensor ? nil : outputAxis)
      // Rounding once more could shift a scale by its last bit, and the integers with it.
      if form.isForm(of: tensor.encoding) {
        notes.append("is \(tensor.encoding) already, kept bit for bit")
        return
      }
      noteDecoding()
      try storeIntegers(floats, form, channels: outputAxis, rounded: try round(.integers(form)))
    case .palette(let bits):
      noteDecoding()
      guard let outputAxis else { return try storeHalves(floats, axis: nil) }
      var form = PaletteForm(bits: bits, axis: nil, tables: 1)
      if let size = options.groupSize, let axis = outputAxis {
        if tensor.shape[axis] % size == 0 {
          form = PaletteForm(bits: bits, axis: axis, tables: tensor.shape[axis] / size)
        } else {
          notes.append(
            "has \(tensor.shape[axis]) channels, no multiple of \(size), hence one palette for the tensor")
        }
      }
      let palette: StoredTensor
      if let rounded = try round(.palette(form)) {
        palette = rounded
      } else {
        palette = try quantizeToPalette(floats, shape: tensor.shape, form: form)
      }
      guard palette.storedByteCount < 2 * floats.count else {
        notes.append("too small to gain by \(palette.encoding), stored as a float")
        return try storeHalves(floats, axis: outputAxis)
      }
      tensor = palette
    }
  }

  mutating func noteDecoding() {
    if case .plain = tensor.encoding { return }
    notes.append("was \(tensor.encoding) already, decoded first")
  }

  private mutating func storeFloats(_ floats: [Float]) {
    if tensor.encoding == .plain(.float32) { return }
    if case .plain = tensor.encoding {} else { notes.append("was \(tensor.encoding), decoded") }
    tensor = StoredTensor(shape: tensor.shape, floats: floats)
  }

  private mutating func storeHalves(_ floats: [Float], axis: Int?) throws(StyleModelError) {
    switch try quantizeToHalves(floats, shape: tensor.shape, axis: axis) {
    case .tensor(let halves): tensor = halves
    case .refused(let reason):
      storeFloats(floats)
      notes.append("\(reason); stored as float32")
    }
  }

  private mutating func storeIntegers(
    _ floats: [Float], _ form: IntegerForm, channels axis: Int?, rounded: StoredTensor?
  ) throws(StyleModelError) {
    let nearest = try quantizeToIntegers(floats, shape: tensor.shape, form: form)
    guard let integers = rounded ?? nearest else {
      notes.append("spans more than a float can, stored as float32")
      return storeFloats(floats)
    }
    guard integers.storedByteCount < 2 * floats.count else {
      notes.append("too small to gain by \(integers.encoding), stored as a float")
      return try storeHalves(floats, axis: axis)
    }
    if axis == nil, form.axis == nil { notes.append("used along two axes, hence one scale for the tensor") }
    tensor = integers
  }
}
