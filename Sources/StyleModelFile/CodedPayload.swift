import CEntropyCoding
import Diagnostics
import Tensors

/// What the first byte of a coded payload says.
private struct CodedFlags: OptionSet {
  let rawValue: UInt8

  /// The scales are powers of 2^(1/8), which the stream holds; otherwise they stand before it as floats.
  static let octaveSteps = Self(rawValue: 1 << 0)
  /// The integers of a column depend on one another.
  static let dependent = Self(rawValue: 1 << 1)
}

extension StoredTensor {
  /// The payload with its integers entropy-coded, or nil where that is not shorter than `limit` bytes or cannot be done.
  func codedPayload(below limit: Int) -> [UInt8]? {
    guard case .affine(let affine) = encoding, limit > 0, let integers = narrowQuantizedIntegers() else {
      return nil
    }
    let exponents = affine.scales.map { OctaveSteps.exponent(of: $0) }
    let steps = exponents.contains(nil) ? [] : exponents.compactMap { $0.map { Int16($0) } }
    var layout = ce_layout(shape, axis: affine.axis, isSigned: affine.isSigned)
    var flags: CodedFlags = []
    if !steps.isEmpty { flags.insert(.octaveSteps) }
    if affine.isSigned, layout.rows > 1, ce_depend(&layout, integers) != 0 {
      flags.insert(.dependent)
      layout.is_dependent = 1
    }
    var payload = [flags.rawValue]
    for value in (steps.isEmpty ? affine.scales : []) + affine.offsets {
      appendWord(value.bitPattern, to: &payload)
    }
    guard payload.count < limit else { return nil }
    let capacity = limit - 1 - payload.count
    let stream = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      count = ce_encode(&layout, steps.isEmpty ? nil : steps, integers, buffer.baseAddress, capacity)
    }
    return stream.isEmpty ? nil : payload + stream
  }

  /// Puts a tensor together from its line in the table and its coded payload.
  /// - Throws: `.badInput` when the payload is not sound.
  /// - Precondition: the entry is one of integers, and its raw length justified by its stored length.
  init(_ entry: TensorEntry, coded payload: ArraySlice<UInt8>) throws(StyleModelError) {
    guard case .affine(let bits, let isSigned, let axis, let hasOffsets) = entry.form else {
      throw StyleModelError(.badInput, "is coded, which only integers can be")
    }
    var rest = payload
    let flags = CodedFlags(rawValue: rest.popFirst() ?? .max)
    guard flags.isSubset(of: [.octaveSteps, .dependent]) else {
      throw StyleModelError(.badInput, "is coded in a way that is not known")
    }
    func floats() throws(StyleModelError) -> [Float] {
      guard rest.count >= 4 * entry.scaleCount else {
        throw StyleModelError(.badInput, "is coded in fewer bytes than its scales take")
      }
      defer { rest = rest.dropFirst(4 * entry.scaleCount) }
      return try finiteFloats(rest, entry.scaleCount)
    }
    var scales = flags.contains(.octaveSteps) ? [] : try floats()
    let offsets = hasOffsets ? try floats() : []
    var layout = ce_layout(entry.shape, axis: axis, isSigned: isSigned)
    layout.is_dependent = flags.contains(.dependent) ? 1 : 0
    var steps = [Int16](repeating: 0, count: flags.contains(.octaveSteps) ? entry.scaleCount : 0)
    var integers = [Int16](repeating: 0, count: entry.shape.count)
    let result = rest.withUnsafeBufferPointer { stream in
      steps.withUnsafeMutableBufferPointer { steps in
        ce_decode(
          &layout, stream.baseAddress, stream.count, steps.isEmpty ? nil : steps.baseAddress, &integers)
      }
    }
    switch result {
    case CE_DONE: break
    case CE_TOO_GREAT:
      throw StyleModelError(
        .badInput, "is coded with a number beyond its bounds", remedy: "copy the file again")
    case CE_WRONG_LENGTH:
      throw StyleModelError(
        .badInput, "is coded in a stream that does not end with its last number",
        remedy: "copy the file again")
    default: throw StyleModelError(.internalFault, "cannot be decoded for lack of memory")
    }
    if flags.contains(.octaveSteps) { scales = steps.map { OctaveSteps.step(Int($0)) } }
    let least = isSigned ? -1 << (bits - 1) : 0
    guard integers.allSatisfy({ (least..<(least + 1 << bits)).contains(Int($0)) }) else {
      throw StyleModelError(.badInput, "has numbers that do not fit \(bits) bits")
    }
    try self.init(
      shape: entry.shape,
      encoding: .affine(
        AffineEncoding(bits: bits, isSigned: isSigned, axis: axis, scales: scales, offsets: offsets)),
      bytes: packIntegers(integers, bits: bits))
  }
}

extension ce_layout {
  /// A row an index of the axis; without one a single row.
  fileprivate init(_ shape: Shape, axis: Int?, isSigned: Bool) {
    self.init()
    // An empty tensor may have other extents that nobody would want to count through.
    outer = shape.count == 0 ? 0 : axis.map { shape.dimensions[..<$0].reduce(1, *) } ?? 1
    rows = axis.map { shape[$0] } ?? 1
    inner = axis.map { shape.dimensions[($0 + 1)...].reduce(1, *) } ?? shape.count
    is_signed = isSigned ? 1 : 0
  }
}
