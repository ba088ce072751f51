import CSchemas
import Diagnostics
import ProtobufSupport
import Tensors

extension Coreml__WeightParams {
  /// Whether the message holds no numbers at all: it may stand where they are not wanted.
  var isEmpty: Bool {
    n_float_value == 0 && float16_value.len == 0 && raw_value.len == 0 && int8_raw_value.len == 0
  }

  /// The numbers as a tensor, in the encoding that the file stores them in; lookup tables are looked up.
  /// - Parameters:
  ///   - channels: how many output channels there are, if scales may run along them.
  ///   - axis: where they lie in the shape.
  /// - Throws: `.badInput` when the numbers do not fit the shape, or are stored in a way that is not sound.
  func tensor(_ dimensions: [Int], channels: Int? = nil, axis: Int = 0) throws(StyleModelError)
    -> StoredTensor
  {
    guard let shape = Shape(checking: dimensions) else {
      throw StyleModelError(.badInput, "has weights of an impossible shape \(dimensions)")
    }
    let kinds = [n_float_value > 0, float16_value.len > 0, raw_value.len > 0, int8_raw_value.len > 0]
    guard kinds.count(where: { $0 }) <= 1 else {
      throw StyleModelError(.badInput, "has weights stored in two ways at once")
    }
    if n_float_value > 0 {
      try requireCount(n_float_value, shape)
      return StoredTensor(shape: shape, floats: numbers(float_value, n_float_value))
    }
    if float16_value.len > 0 {
      guard float16_value.len % 2 == 0 else {
        throw StyleModelError(.badInput, "has halves that end in the middle of one")
      }
      try requireCount(float16_value.len / 2, shape)
      return try StoredTensor(shape: shape, encoding: .plain(.float16), bytes: Array(float16_value.bytes))
    }
    if int8_raw_value.len > 0 {
      throw StyleModelError(
        .badInput, "has weights for a layer that quantizes its input too (int8RawValue), which is not read")
    }
    guard raw_value.len > 0, let quantization = quantization?.pointee else {
      throw StyleModelError(
        .badInput, raw_value.len > 0 ? "has quantized weights without their quantization" : "has no weights",
        remedy: "the file is damaged, or was written without them")
    }
    return try quantizedTensor(shape, quantization, channels: channels, axis: axis)
  }

  private func requireCount(_ count: Int, _ shape: Shape) throws(StyleModelError) {
    guard count == shape.count else {
      throw StyleModelError(
        .badInput, "has \(grouped(count)) weights where its shape \(shape) wants \(grouped(shape.count))")
    }
  }

  private func quantizedTensor(
    _ shape: Shape, _ quantization: Coreml__Quantization, channels: Int?, axis: Int
  ) throws(StyleModelError) -> StoredTensor {
    guard (1...8).contains(quantization.number_of_bits) else {
      throw StyleModelError(
        .badInput, "has weights of \(quantization.number_of_bits) bits; 1 to 8 can be read")
    }
    let bits = Int(quantization.number_of_bits)
    let (bitCount, overflow) = shape.count.multipliedReportingOverflow(by: bits)
    // Core ML itself takes more bytes than are needed.
    guard !overflow, raw_value.len >= bitCount / 8 + (bitCount % 8 == 0 ? 0 : 1) else {
      throw StyleModelError(
        .badInput,
        "has \(grouped(raw_value.len)) bytes of \(bits)-bit weights, too few for its shape \(shape)")
    }
    let words = unpackedWords(count: shape.count, bits: bits)
    switch quantization.quantization_type_case {
    case COREML__QUANTIZATION__QUANTIZATION_TYPE_LINEAR_QUANTIZATION:
      let linear = quantization.linear_quantization.pointee
      return try linearTensor(
        shape, words, bits: bits, scales: numbers(linear.scale, linear.n_scale),
        offsets: numbers(linear.bias, linear.n_bias), channels: channels, axis: axis)
    case COREML__QUANTIZATION__QUANTIZATION_TYPE_LOOKUP_TABLE_QUANTIZATION:
      let table = quantization.lookup_table_quantization.pointee
      return StoredTensor(
        shape: shape,
        floats: try lookedUp(words, bits: bits, table: numbers(table.float_value, table.n_float_value)))
    default: throw StyleModelError(.badInput, "has quantized weights without scales or a table")
    }
  }

  /// The words, each the most significant bit first.
  private func unpackedWords(count: Int, bits: Int) -> [UInt8] {
    if bits == 8 { return Array(raw_value.bytes.prefix(count)) }
    let bytes = raw_value.bytes
    let mask = UInt32(1) << UInt32(bits) - 1
    return [UInt8](unsafeUninitializedCapacity: count) { words, used in
      var window: UInt32 = 0
      var available = 0
      var next = 0
      for index in 0..<count {
        if available < bits {
          window = window << 8 | UInt32(bytes[next])
          next += 1
          available += 8
        }
        available -= bits
        words.initializeElement(at: index, to: UInt8(truncatingIfNeeded: window >> UInt32(available) & mask))
      }
      used = count
    }
  }

  private func lookedUp(_ words: [UInt8], bits: Int, table: [Float]) throws(StyleModelError) -> [Float] {
    guard !table.isEmpty else {
      throw StyleModelError(
        .badInput, "has a lookup table that is empty: its weights are lost",
        remedy:
          "coremltools writes such files with some releases of protobuf, silently; quantize again with another release"
      )
    }
    guard table.count == 1 << bits else {
      throw StyleModelError(
        .badInput, "has a lookup table of \(table.count) values for words of \(bits) bits")
    }
    return words.map { table[Int($0)] }
  }

  private func linearTensor(
    _ shape: Shape, _ words: [UInt8], bits: Int, scales: [Float], offsets: [Float], channels: Int?, axis: Int
  ) throws(StyleModelError) -> StoredTensor {
    guard scales.count == 1 || scales.count == channels, [0, 1, scales.count].contains(offsets.count) else {
      throw StyleModelError(
        .badInput,
        "has \(scales.count) scales and \(offsets.count) biases for \(counted(channels ?? 1, "output channel"))"
      )
    }
    guard scales.allSatisfy(\.isFinite), offsets.allSatisfy(\.isFinite) else {
      throw StyleModelError(.badInput, "has scales or biases of its quantization that are not finite")
    }
    let spread =
      offsets.count == 1 ? [Float](repeating: offsets[0], count: scales.count) : offsets
    // One channel may have one scale, or one a channel; per tensor says both.
    let isPerChannel = scales.count > 1
    if isPerChannel, shape[axis] != scales.count {
      // A transposed convolution in groups: its output channels lie in the groups, then along the axis.
      let groups = scales.count / shape[axis]
      let perGroup = shape.count / groups
      let inner = shape.dimensions[(axis + 1)...].reduce(1, *)
      let floats = words.indices.map { index -> Float in
        let channel = index / perGroup * shape[axis] + index / inner % shape[axis]
        let product = Float(words[index]) * scales[channel]
        return spread.isEmpty ? product : product + spread[channel]
      }
      return StoredTensor(shape: shape, floats: floats)
    }
    // Words of one bit are stored in two here.
    let width = max(bits, 2)
    return try StoredTensor(
      shape: shape,
      encoding: .affine(
        AffineEncoding(
          bits: width, isSigned: false, axis: isPerChannel ? axis : nil, scales: scales, offsets: spread)),
      bytes: packIntegers(lowBytes: words, bits: width))
  }
}
