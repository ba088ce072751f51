import CSchemas
import Diagnostics
import ProtobufSupport
import Tensors

extension Program {
  /// The most operations that are read: far more than any style network has.
  private static let greatestCount = 50_000

  /// Reads a function of a program.
  /// - Throws: `.badInput` naming the operation and the argument that cannot be read.
  init(_ message: Mil__Program, function name: String) throws(StyleModelError) {
    let functions = list(message.functions, message.n_functions)
    guard let function = functions.first(where: { string($0.pointee.key) == name })?.pointee.value?.pointee
    else {
      throw StyleModelError(
        .badInput,
        functions.isEmpty ? "has no function" : "has no function '\(printable(name, limit: 80))'")
    }
    let operatorSet = string(function.opset)
    let blocks = list(function.block_specializations, function.n_block_specializations)
    guard let block = blocks.first(where: { string($0.pointee.key) == operatorSet })?.pointee.value?.pointee
    else {
      throw StyleModelError(
        .badInput, "has no operations for its operator set '\(printable(operatorSet, limit: 40))'")
    }
    guard block.n_operations <= Self.greatestCount else {
      throw StyleModelError(
        .badInput,
        "has \(grouped(block.n_operations)) operations; \(grouped(Self.greatestCount)) are the most that is read"
      )
    }
    self.operatorSet = operatorSet
    var inputs: [(name: String, type: TensorType)] = []
    for input in list(function.inputs, function.n_inputs) {
      guard let type = input.pointee.type.flatMap({ TensorType($0.pointee) }) else {
        throw StyleModelError(
          .badInput, place: "input '\(printable(string(input.pointee.name), limit: 80))'", "is no tensor")
      }
      inputs.append((string(input.pointee.name), type))
    }
    self.inputs = inputs
    outputs = list(block.outputs, block.n_outputs).map { String(cString: $0) }
    var operations: [Operation] = []
    for operation in list(block.operations, block.n_operations) {
      operations.append(try Operation(operation.pointee))
    }
    self.operations = operations
  }
}

extension Program.TensorType {
  /// The type, or nil where it is a list, a tuple or a state, or of numbers that are not known here.
  fileprivate init?(_ message: Mil__ValueType) {
    guard message.type_case == MIL__VALUE_TYPE__TYPE_TENSOR_TYPE, let tensor = message.tensor_type?.pointee,
      let type = ProgramType(rawValue: Int(tensor.data_type)), tensor.n_dimensions <= 16
    else { return nil }
    self.type = type
    extents = list(tensor.dimensions, tensor.n_dimensions).map { dimension in
      guard dimension.pointee.dimension_case == MIL__DIMENSION__DIMENSION_CONSTANT else { return nil }
      return Int(exactly: dimension.pointee.constant?.pointee.size ?? 0)
    }
  }
}

extension Program.Operation {
  fileprivate init(_ message: Mil__Operation) throws(StyleModelError) {
    type = string(message.type)
    outputs = list(message.outputs, message.n_outputs).map { string($0.pointee.name) }
    blockCount = message.n_blocks
    var inputs: [String: [Program.Argument]] = [:]
    var attributes: [String: Program.Value] = [:]
    var role = ""
    do throws(StyleModelError) {
      for entry in list(message.inputs, message.n_inputs) {
        role = string(entry.pointee.key)
        var arguments: [Program.Argument] = []
        if let argument = entry.pointee.value?.pointee {
          for binding in list(argument.arguments, argument.n_arguments) {
            arguments.append(try Program.Argument(binding.pointee))
          }
        }
        inputs[role] = arguments
      }
      for entry in list(message.attributes, message.n_attributes) {
        role = string(entry.pointee.key)
        // Every operation has its own name among its attributes, which nothing here needs.
        guard role != "name", let value = entry.pointee.value?.pointee else { continue }
        attributes[role] = try Program.Value(value)
      }
    } catch {
      throw StyleModelError(
        error.kind,
        place:
          "\(printable(type, limit: 80)) '\(printable(outputs.first ?? "", limit: 80))', \(printable(role, limit: 80))",
        error.problem, remedy: error.remedy)
    }
    self.inputs = inputs
    self.attributes = attributes
  }
}

extension Program.Argument {
  fileprivate init(_ message: Mil__Binding) throws(StyleModelError) {
    switch message.binding_case {
    case MIL__BINDING__BINDING_NAME: self = .name(string(message.name))
    case MIL__BINDING__BINDING_VALUE:
      guard let value = message.value?.pointee else { fallthrough }
      self = .value(try Program.Value(value))
    default: throw StyleModelError(.badInput, "is bound to nothing")
    }
  }
}

extension Program.Value {
  fileprivate init(_ message: Mil__Value) throws(StyleModelError) {
    guard let type = message.type.flatMap({ Program.TensorType($0.pointee) }) else {
      self = .other("a list, a tuple or of an unknown type")
      return
    }
    switch message.value_case {
    case MIL__VALUE__VALUE_BLOB_FILE_VALUE:
      let blob = message.blob_file_value?.pointee
      self = .blob(file: string(blob?.file_name), offset: blob?.offset ?? 0, type: type)
    case MIL__VALUE__VALUE_IMMEDIATE_VALUE:
      let value = message.immediate_value?.pointee
      guard value?.value_case == MIL__IMMEDIATE_VALUE__VALUE_TENSOR, let tensor = value?.tensor?.pointee
      else {
        self = .other("a list, a tuple or a dictionary")
        return
      }
      if tensor.value_case == MIL__TENSOR_VALUE__VALUE_STRINGS {
        let texts = tensor.strings?.pointee
        self = .texts(list(texts?.values, texts?.n_values ?? 0).map { String(cString: $0) })
        return
      }
      guard let shape = type.shape else { throw StyleModelError(.badInput, "has no fixed shape") }
      self = .numbers(
        try ProgramTensor(type: type.type, shape: shape, bytes: try tensor.bytes(type.type)))
    default: throw StyleModelError(.badInput, "has no value")
    }
  }
}

extension Mil__TensorValue {
  /// The numbers as they would stand in a weight file.
  fileprivate func bytes(_ type: ProgramType) throws(StyleModelError) -> [UInt8] {
    func little<Stored, Number: FixedWidthInteger>(
      _ start: UnsafeMutablePointer<Stored>?, _ count: Int, _ convert: (Stored) -> Number
    ) -> [UInt8] {
      numbers(start, count).flatMap { value in withUnsafeBytes(of: convert(value).littleEndian) { Array($0) }
      }
    }
    switch (value_case, type) {
    case (MIL__TENSOR_VALUE__VALUE_FLOATS, .float32):
      return little(floats?.pointee.values, floats?.pointee.n_values ?? 0) { $0.bitPattern }
    case (MIL__TENSOR_VALUE__VALUE_DOUBLES, .float64):
      return little(doubles?.pointee.values, doubles?.pointee.n_values ?? 0) { $0.bitPattern }
    case (MIL__TENSOR_VALUE__VALUE_LONG_INTS, .int64), (MIL__TENSOR_VALUE__VALUE_LONG_INTS, .uint64):
      return little(long_ints?.pointee.values, long_ints?.pointee.n_values ?? 0) { $0 }
    case (MIL__TENSOR_VALUE__VALUE_BOOLS, .bool):
      return little(bools?.pointee.values, bools?.pointee.n_values ?? 0) { UInt8($0 == 0 ? 0 : 1) }
    case (MIL__TENSOR_VALUE__VALUE_INTS, _):
      let start = ints?.pointee.values
      let count = ints?.pointee.n_values ?? 0
      switch type.bits {
      case 32 where !type.isFloat: return little(start, count) { $0 }
      case 16 where !type.isFloat: return little(start, count) { Int16(truncatingIfNeeded: $0) }
      case 8: return little(start, count) { Int8(truncatingIfNeeded: $0) }
      default: break
      }
    case (MIL__TENSOR_VALUE__VALUE_BYTES, _):
      // Halves, narrow integers, and whatever else has no field of its own.
      if let data = bytes?.pointee.values { return Array(data.bytes) }
    case (MIL__TENSOR_VALUE__VALUE__NOT_SET, _): return []
    default: break
    }
    throw StyleModelError(.badInput, "holds numbers of another type than \(type)")
  }
}
