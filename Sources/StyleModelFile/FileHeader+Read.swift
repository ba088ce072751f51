import CSchemas
import Diagnostics
import ModelGraph
import ProtobufSupport
import Tensors

extension FileHeader {
  /// Reads a header from its protobuf message, and checks everything that can be checked without payloads.
  /// - Throws: `.badInput`; offsets in it count from the header's first byte, unfolded.
  init(protobuf bytes: UnsafeRawBufferPointer) throws(StyleModelError) {
    var empty = Stylemodel__Header()
    stylemodel__header__init(&empty)
    guard let descriptor = empty.base.descriptor else {
      throw StyleModelError(.internalFault, "the schema of headers is missing")
    }
    self = try withUnpackedProtobuf(bytes, descriptor, as: Stylemodel__Header.self, at: 0) {
      message throws(StyleModelError) in try FileHeader(message)
    }
  }

  private init(_ message: Stylemodel__Header) throws(StyleModelError) {
    guard let pixels = message.pixels, let origin = message.provenance, message.has_output != 0 else {
      throw problem("lacks its pixels, its output or its provenance")
    }
    guard message.n_nodes <= FileHeader.greatestCount, message.n_tensors <= FileHeader.greatestCount else {
      throw problem(
        "has \(counted(message.n_nodes, "node")) and \(counted(message.n_tensors, "tensor")); \(grouped(FileHeader.greatestCount)) of each are the most that is read"
      )
    }
    contract = try PixelContract(pixels.pointee)
    inputName = try text(message.input_name, "input_name")
    provenance = try Provenance(origin.pointee)
    styles = try message.styles.map { styles throws(StyleModelError) in try StyleSet(styles.pointee) }
    nodes = []
    for node in list(message.nodes, message.n_nodes) { nodes.append(try OperationCall(node.pointee)) }
    tensors = []
    for tensor in list(message.tensors, message.n_tensors) {
      tensors.append(try TensorEntry(tensor.pointee))
    }
    output = Int(message.output)
    try checkReferences()
    try checkTable()
  }

  /// Checks that every operation uses what stands before it and every tensor is used.
  private func checkReferences() throws(StyleModelError) {
    var used = [Bool](repeating: false, count: tensors.count)
    for (index, node) in nodes.enumerated() {
      for operand in node.operands {
        let tensor = operand.value.number - nodes.count - 1
        if tensors.indices.contains(tensor) {
          used[tensor] = true
        } else if operand.value.number > index {
          throw problem(
            "node \(index + 1), \(node.mnemonic), uses value \(operand.value.number), which is not computed before it"
          )
        }
      }
    }
    if let idle = used.firstIndex(of: false) {
      throw StyleModelError(.badInput, place: "tensor \(tensors[idle].name)", "is used by no operation")
    }
    guard output <= nodes.count else { throw problem("gives out value \(output), which no node computes") }
  }

  /// Checks that names are unique and lengths are what shapes and encodings say.
  private func checkTable() throws(StyleModelError) {
    var names: Set<String> = []
    var elements = 0
    for tensor in tensors {
      func problem(_ text: String) -> StyleModelError {
        StyleModelError(.badInput, place: "tensor \(tensor.name)", text)
      }
      guard names.insert(tensor.name).inserted else { throw problem("stands twice in the table") }
      guard tensor.expectedRawLength == tensor.rawLength else {
        throw problem(
          "has a raw length of \(tensor.rawLength) bytes, which does not fit its shape \(tensor.shape)")
      }
      switch tensor.compression {
      case .raw:
        guard tensor.storedLength == tensor.rawLength else {
          throw problem("is stored raw, but its two lengths differ")
        }
      case .zlib, .coded:
        guard tensor.storedLength < tensor.rawLength else {
          throw problem("is compressed to more than it was")
        }
        if case .plain = tensor.form, tensor.compression == .coded {
          throw problem("is coded, which only integers can be")
        }
      }
      elements += min(tensor.shape.count, FileHeader.greatestElementCount + 1)
      guard elements <= FileHeader.greatestElementCount else {
        throw problem(
          "brings the numbers in the file to more than \(grouped(FileHeader.greatestElementCount))")
      }
    }
  }
}

extension TensorEntry {
  fileprivate init(_ message: Stylemodel__Tensor) throws(StyleModelError) {
    name = try text(message.name, "the name of a tensor")
    let place = "tensor \(name)"
    guard message.n_shape <= 8 else { throw problem("has more than 8 extents", place) }
    var extents: [Int] = []
    for extent in list(message.shape, message.n_shape) { extents.append(try integer(extent, place)) }
    guard let shape = Shape(checking: extents) else { throw problem("has too large a shape", place) }
    self.shape = shape
    switch message.encoding_case {
    case STYLEMODEL__TENSOR__ENCODING_PLAIN:
      let number = message.plain.rawValue
      guard let type = ElementType.allCases.first(where: { $0.fileNumber == number }) else {
        throw problem("is of element type \(number), which is not known", place)
      }
      form = .plain(type)
    case STYLEMODEL__TENSOR__ENCODING_AFFINE:
      guard let affine = message.affine?.pointee, affine.has_bits != 0, affine.has_is_signed != 0,
        affine.has_has_offsets != 0, AffineEncoding.widths.contains(Int(affine.bits)),
        affine.has_axis == 0 || affine.axis < UInt32(shape.rank)
      else { throw problem("has an affine encoding that is not sound", place) }
      form = .affine(
        bits: Int(affine.bits), isSigned: affine.is_signed != 0,
        axis: affine.has_axis != 0 ? Int(affine.axis) : nil, hasOffsets: affine.has_offsets != 0)
    case STYLEMODEL__TENSOR__ENCODING_PALETTE:
      guard let palette = message.palette?.pointee, palette.has_bits != 0, palette.has_tables != 0,
        PaletteEncoding.widths.contains(Int(palette.bits)),
        palette.has_axis == 0 ? palette.tables == 1 : palette.axis < UInt32(shape.rank)
      else { throw problem("has a palette that is not sound", place) }
      let axis = palette.has_axis != 0 ? Int(palette.axis) : nil
      let tables = Int(palette.tables)
      guard tables > 0, axis.map({ shape[$0] > 0 && shape[$0] % tables == 0 }) ?? true else {
        throw problem("has \(tables) palettes, which its shape \(shape) cannot share out evenly", place)
      }
      form = .palette(bits: Int(palette.bits), axis: axis, tables: tables)
    default: throw problem("has no encoding that is known", place)
    }
    guard message.has_compression != 0, message.has_stored_length != 0, message.has_raw_length != 0,
      message.has_crc32 != 0
    else { throw problem("lacks its lengths or its checksum", place) }
    switch message.compression {
    case STYLEMODEL__COMPRESSION__RAW: compression = .raw
    case STYLEMODEL__COMPRESSION__ZLIB: compression = .zlib
    case STYLEMODEL__COMPRESSION__CODED: compression = .coded
    default: throw problem("is compressed in a way that is not known", place)
    }
    storedLength = try integer(message.stored_length, place)
    rawLength = try integer(message.raw_length, place)
    checksum = message.crc32
  }
}

extension OperationCall {
  fileprivate init(_ message: Stylemodel__Node) throws(StyleModelError) {
    self.init(try text(message.operation, "the name of an operation"), operands: [])
    for operand in list(message.operands, message.n_operands).map(\.pointee) {
      guard operand.has_value != 0 else { throw problem("\(mnemonic) has an operand without a value") }
      let role = operand.role.map { String(cString: $0) } ?? ""
      operands.append(Operand(role: role, value: ValueID(Int(operand.value))))
    }
    for attribute in list(message.attributes, message.n_attributes).map(\.pointee) {
      attributes.append(
        Attribute(try text(attribute.name, "the name of an attribute"), try Self.value(attribute)))
    }
  }

  private static func value(_ message: Stylemodel__Attribute) throws(StyleModelError) -> AttributeValue {
    switch message.value_case {
    case STYLEMODEL__ATTRIBUTE__VALUE_INTEGERS:
      guard let integers = message.integers?.pointee else { break }
      return .integers(list(integers.values, integers.n_values).map { Int($0) })
    case STYLEMODEL__ATTRIBUTE__VALUE_NUMBER: return .number(message.number)
    case STYLEMODEL__ATTRIBUTE__VALUE_WORD: return .word(try text(message.word, "an attribute"))
    default: break
    }
    throw problem("has an attribute without a value")
  }
}

extension PixelContract {
  fileprivate init(_ message: Stylemodel__Pixels) throws(StyleModelError) {
    guard let order = ChannelOrder(rawValue: try text(message.channel_order, "the channel order")),
      let rounding = Rounding(rawValue: try text(message.rounding, "the rounding"))
    else { throw problem("has pixels of an order or rounding that is not known") }
    let factors = [
      list(message.input_scale, message.n_input_scale), list(message.input_bias, message.n_input_bias),
      list(message.output_scale, message.n_output_scale), list(message.output_bias, message.n_output_bias),
    ]
    guard factors.allSatisfy({ $0.count == 3 }) else {
      throw problem("does not scale three channels of pixels")
    }
    self.init(
      channelOrder: order, inputScale: factors[0], inputBias: factors[1], outputScale: factors[2],
      outputBias: factors[3], rounding: rounding)
    if message.n_sizes > 0 {
      guard message.widths == nil, message.heights == nil else {
        throw problem("has both a list and a range of sizes")
      }
      var sizes: [PictureSize] = []
      for size in list(message.sizes, message.n_sizes).map(\.pointee) {
        sizes.append(
          PictureSize(
            width: try extent(size.has_width, size.width), height: try extent(size.has_height, size.height)))
      }
      self.sizes = .listed(sizes)
    } else if let widths = message.widths, let heights = message.heights {
      sizes = .range(width: try range(widths.pointee), height: try range(heights.pointee))
    } else if message.widths != nil || message.heights != nil {
      throw problem("bounds only one side of its pictures")
    }
  }
}

extension StyleSet {
  fileprivate init(_ message: Stylemodel__Styles) throws(StyleModelError) {
    guard message.has_count != 0, message.count <= StyleSet.greatestCount,
      message.n_names <= StyleSet.greatestCount
    else {
      throw problem("has more styles than the \(grouped(StyleSet.greatestCount)) that are read, or none")
    }
    var names: [String] = []
    for name in list(message.names, message.n_names) { names.append(try text(name, "the name of a style")) }
    self.init(
      inputName: try text(message.input_name, "the name of the input that chooses a style"),
      count: Int(message.count), names: names)
  }
}

extension Provenance {
  fileprivate init(_ message: Stylemodel__Provenance) throws(StyleModelError) {
    guard message.has_source_length != 0, message.has_source_sha256 != 0, message.source_sha256.len == 32
    else { throw problem("lacks the length or the SHA-256 digest of its source") }
    var options: [String] = []
    for option in list(message.options, message.n_options) { options.append(try text(option, "an option")) }
    self.init(
      sourceName: try text(message.source_name, "the name of its source"),
      sourceByteCount: try integer(message.source_length, "provenance"),
      sourceSHA256: list(message.source_sha256.data, message.source_sha256.len), options: options,
      tool: try text(message.tool, "the name of its tool"),
      recipe: message.recipe.map { String(cString: $0) })
    try checkSourceName()
  }

  /// Checks that the name of the source cannot lead out of the folder that it is looked for in.
  func checkSourceName() throws(StyleModelError) {
    guard !sourceName.isEmpty, !sourceName.utf8.contains(UInt8(ascii: "/")), sourceName != ".",
      sourceName != ".."
    else { throw problem("names a source that is not a plain file name") }
  }
}

private func range(_ message: Stylemodel__Range) throws(StyleModelError) -> ClosedSizeRange {
  let lowest = try extent(message.has_lowest, message.lowest)
  guard message.has_highest != 0 else { return ClosedSizeRange(lower: lowest, upper: nil) }
  let highest = try extent(1, message.highest)
  guard lowest <= highest else { throw problem("has a range of sizes that ends before it begins") }
  return ClosedSizeRange(lower: lowest, upper: highest)
}

/// A width or height: 1 to 65,536 pixels, so that nothing computed from it overflows.
private func extent(_ isPresent: protobuf_c_boolean, _ value: UInt32) throws(StyleModelError) -> Int {
  guard isPresent != 0, (1...65536).contains(value) else {
    throw problem("allows pictures of \(value) pixels a side; 1 to 65,536 can be")
  }
  return Int(value)
}

private func integer(_ value: UInt64, _ place: String) throws(StyleModelError) -> Int {
  guard let result = Int(exactly: value) else { throw problem("has a number beyond all files", place) }
  return result
}

private func text(_ pointer: UnsafePointer<CChar>?, _ what: String) throws(StyleModelError) -> String {
  guard let pointer else { throw problem("lacks \(what)") }
  return String(cString: pointer)
}

/// A repeated field as protobuf-c keeps it: a pointer and a count.
private func list<Element>(_ pointer: UnsafeMutablePointer<Element>?, _ count: Int) -> [Element] {
  pointer.map { Array(UnsafeBufferPointer(start: $0, count: count)) } ?? []
}

/// A repeated message, whose pointers are never nil.
private func list<Element>(
  _ pointer: UnsafeMutablePointer<UnsafeMutablePointer<Element>?>?, _ count: Int
) -> [UnsafeMutablePointer<Element>] {
  guard let pointer else { return [] }
  return UnsafeBufferPointer(start: pointer, count: count).compactMap { $0 }
}

private func problem(_ text: String, _ place: String = "header") -> StyleModelError {
  StyleModelError(.badInput, place: place, text)
}
