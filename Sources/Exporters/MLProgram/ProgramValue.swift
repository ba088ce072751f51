import MLProgramImporter
import ProtobufSupport

/// A value that a program knows: a setting, or the numbers of a weight.
struct ProgramValue {
  /// The number of the element type.
  let type: ProgramType
  /// The extents; none for a single value.
  let shape: [Int]
  /// Where the value stands.
  let place: Place

  enum Place {
    case floats([Float])
    case integers([Int])
    case truths([Bool])
    case text(String)
    /// Halves and narrow integers, packed.
    case bytes([UInt8])
    /// The metadata's offset in the weight file.
    case blob(Int)
  }

  static func number(_ value: Float) -> ProgramValue {
    ProgramValue(type: .float32, shape: [], place: .floats([value]))
  }
  static func number(_ value: Int) -> ProgramValue {
    ProgramValue(type: .int32, shape: [], place: .integers([value]))
  }
  static func list(_ values: [Int]) -> ProgramValue {
    ProgramValue(type: .int32, shape: [values.count], place: .integers(values))
  }
  static func truths(_ values: [Bool]) -> ProgramValue {
    ProgramValue(type: .bool, shape: [values.count], place: .truths(values))
  }
  static func truth(_ value: Bool) -> ProgramValue {
    ProgramValue(type: .bool, shape: [], place: .truths([value]))
  }
  static func text(_ value: String) -> ProgramValue {
    ProgramValue(type: .string, shape: [], place: .text(value))
  }
  static func floats(_ values: [Float], shape: [Int]) -> ProgramValue {
    ProgramValue(type: .float32, shape: shape, place: .floats(values))
  }

  /// The name under which programs know the weight file.
  static let weightFileName = "@model_path/weights/weight.bin"

  /// Writes the value as a message `Value`.
  func write(to writer: inout ProtobufWriter) {
    writer.message(2) { $0.tensorType(type, shape.map { $0 }) }
    if case .blob(let offset) = place {
      writer.message(5) { blob in
        blob.text(1, Self.weightFileName)
        blob.number(2, offset)
      }
      return
    }
    writer.message(3) { immediate in
      immediate.message(1) { tensor in
        switch place {
        case .floats(let values): tensor.message(1) { $0.floats(1, values) }
        case .integers(let values): tensor.message(2) { $0.numbers(1, values) }
        case .truths(let values): tensor.message(3) { $0.numbers(1, values.map { $0 ? 1 : 0 }) }
        case .text(let value): tensor.message(4) { $0.text(1, value) }
        case .bytes(let bytes): tensor.message(7) { $0.block(1, bytes) }
        case .blob: break
        }
      }
    }
  }
}

extension ProtobufWriter {
  /// Writes the fields of a message `ValueType` that is a tensor; nil is an extent that varies.
  mutating func tensorType(_ type: ProgramType, _ extents: [Int?]) {
    message(1) { tensor in
      tensor.number(1, type.rawValue)
      if !extents.isEmpty { tensor.number(2, extents.count) }
      for extent in extents {
        tensor.message(3) { dimension in
          if let extent {
            dimension.message(1) { $0.number(1, extent) }
          } else {
            dimension.message(2) { _ in }
          }
        }
      }
    }
  }

  /// Writes a message `NamedValueType`.
  mutating func namedType(_ field: Int, _ name: String, _ type: ProgramType, _ extents: [Int?]) {
    message(field) { named in
      named.text(1, name)
      named.message(2) { $0.tensorType(type, extents) }
    }
  }
}
