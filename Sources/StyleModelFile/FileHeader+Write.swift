import ModelGraph
import ProtobufSupport
import Tensors

extension FileHeader {
  /// The header as a protobuf message; the numbers of fields are those of StyleModel.proto.
  var protobuf: [UInt8] {
    var writer = ProtobufWriter()
    writer.message(1) { $0.contract(contract) }
    writer.text(2, inputName)
    for node in nodes { writer.message(3) { $0.node(node) } }
    writer.number(4, output)
    for tensor in tensors { writer.message(5) { $0.tensor(tensor) } }
    writer.message(6) { $0.provenance(provenance) }
    if let styles { writer.message(7) { $0.styles(styles) } }
    return writer.bytes
  }
}

extension ProtobufWriter {
  fileprivate mutating func node(_ call: OperationCall) {
    text(1, call.mnemonic)
    for operand in call.operands {
      message(2) { writer in
        if !operand.role.isEmpty { writer.text(1, operand.role) }
        writer.number(2, operand.value.number)
      }
    }
    for attribute in call.attributes {
      message(3) { writer in
        writer.text(1, attribute.name)
        switch attribute.value {
        case .integers(let values): writer.message(2) { $0.signedNumbers(1, values) }
        case .number(let value): writer.float(3, value)
        case .word(let word): writer.text(4, word)
        }
      }
    }
  }

  fileprivate mutating func contract(_ contract: PixelContract) {
    text(1, contract.channelOrder.rawValue)
    floats(2, contract.inputScale)
    floats(3, contract.inputBias)
    floats(4, contract.outputScale)
    floats(5, contract.outputBias)
    text(6, contract.rounding.rawValue)
    switch contract.sizes {
    case .any: break
    case .listed(let sizes):
      for size in sizes {
        message(7) { writer in
          writer.number(1, size.width)
          writer.number(2, size.height)
        }
      }
    case .range(let width, let height):
      message(8) { $0.range(width) }
      message(9) { $0.range(height) }
    }
  }

  fileprivate mutating func styles(_ styles: StyleSet) {
    number(1, styles.count)
    text(2, styles.inputName)
    for name in styles.names { text(3, name) }
  }

  private mutating func range(_ range: ClosedSizeRange) {
    number(1, range.lower)
    if let upper = range.upper { number(2, upper) }
  }

  fileprivate mutating func provenance(_ provenance: Provenance) {
    text(1, provenance.sourceName)
    number(2, provenance.sourceByteCount)
    block(3, provenance.sourceSHA256)
    for option in provenance.options { text(4, option) }
    text(5, provenance.tool)
    if let recipe = provenance.recipe { text(6, recipe) }
  }

  fileprivate mutating func tensor(_ entry: TensorEntry) {
    text(1, entry.name)
    numbers(2, entry.shape.dimensions)
    switch entry.form {
    case .plain(let type): number(3, type.fileNumber)
    case .affine(let bits, let isSigned, let axis, let hasOffsets):
      message(4) { writer in
        writer.number(1, bits)
        writer.number(2, isSigned ? 1 : 0)
        if let axis { writer.number(3, axis) }
        writer.number(4, hasOffsets ? 1 : 0)
      }
    case .palette(let bits, let axis, let tables):
      message(9) { writer in
        writer.number(1, bits)
        if let axis { writer.number(2, axis) }
        writer.number(3, tables)
      }
    }
    number(5, entry.compression.fileNumber)
    number(6, entry.storedLength)
    number(7, entry.rawLength)
    fixed32(8, entry.checksum)
  }
}

extension TensorEntry.Compression {
  /// The number that StyleModel.proto gives the compression.
  fileprivate var fileNumber: UInt32 {
    switch self {
    case .raw: 0
    case .zlib: 1
    case .coded: 2
    }
  }
}

extension ElementType {
  /// The number that StyleModel.proto gives the type.
  var fileNumber: UInt32 {
    switch self {
    case .float64: 1
    case .float32: 2
    case .float16: 3
    case .bfloat16: 4
    case .int64: 5
    case .int32: 6
    case .int16: 7
    case .int8: 8
    case .uint8: 9
    case .bool: 10
    }
  }
}
