import MLProgramImporter
import ProtobufSupport

/// A program as it is written down, operation by operation.
struct ProgramDraft {
  /// What an operation is given.
  enum Argument {
    /// A value computed before.
    case name(String)
    /// A known value, which becomes a constant of its own.
    case value(ProgramValue)
  }

  /// The operators that the program may use: iOS 15, 16 or 18 and their specification versions.
  enum OperatorSet: Int, Comparable {
    case iOS15 = 6
    case iOS16 = 7
    case iOS18 = 9

    /// The name that programs have for it.
    var name: String { "CoreML\(rawValue - 1)" }

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  let operatorSet: OperatorSet
  private(set) var weights = WeightFileWriter()
  private var operations = ProtobufWriter()
  private var names: Set<String> = []

  init(operatorSet: OperatorSet) { self.operatorSet = operatorSet }

  /// A name that is free, as near to the one that is wanted as the format's letters allow.
  mutating func freeName(_ wanted: String) -> String {
    var base = String(
      wanted.unicodeScalars.map { scalar in
        scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
          ? Character(scalar) : "_"
      }.prefix(100))
    if base.first.map({ $0.isNumber }) ?? true { base = "_" + base }
    var name = base
    var number = 2
    while !names.insert(name).inserted {
      name = "\(base)_\(number)"
      number += 1
    }
    return name
  }

  /// Adds an operation whose result is float32.
  /// - Parameters:
  ///   - arguments: by role, in the order in which they are written.
  ///   - result: a name from `freeName`.
  ///   - extents: those of the result; nil varies.
  mutating func add(
    _ type: String, _ arguments: [(role: String, value: Argument)], result: String, extents: [Int?]
  ) {
    var bound: [(role: String, name: String)] = []
    for (role, argument) in arguments {
      switch argument {
      case .name(let name): bound.append((role, name))
      case .value(let value): bound.append((role, constant("\(result)_\(role)", value)))
      }
    }
    operations.message(3) { operation in
      operation.text(1, type)
      for (role, name) in bound {
        operation.message(2) { entry in
          entry.text(1, role)
          entry.message(2) { $0.message(1) { $0.text(1, name) } }
        }
      }
      operation.namedType(3, result, .float32, extents)
      operation.attribute("name", .text(result))
    }
  }

  /// Adds a constant, and gives the name that it got.
  mutating func constant(_ name: String, _ value: ProgramValue) -> String {
    let name = freeName(name)
    operations.message(3) { operation in
      operation.text(1, "const")
      operation.namedType(3, name, value.type, value.shape)
      operation.attribute("name", .text(name))
      operation.attribute("val", value)
    }
    return name
  }

  /// Adds a weight in a compressed form whose result is float32. Its parts are attributes up to iOS 17, inputs from then on.
  mutating func compressed(
    _ type: String, _ parts: [(role: String, value: Argument)], result: String, shape: [Int]
  ) {
    operations.message(3) { [operatorSet] operation in
      operation.text(1, type)
      for (role, argument) in parts {
        switch argument {
        case .value(let value) where operatorSet < .iOS18: operation.attribute(role, value)
        case .value(let value):
          operation.message(2) { entry in
            entry.text(1, role)
            entry.message(2) { $0.message(1) { $0.message(2) { value.write(to: &$0) } } }
          }
        case .name(let name):
          operation.message(2) { entry in
            entry.text(1, role)
            entry.message(2) { $0.message(1) { $0.text(1, name) } }
          }
        }
      }
      operation.namedType(3, result, .float32, shape)
      operation.attribute("name", .text(result))
    }
  }

  /// Numbers where the format keeps them: a few in the program, more in the weight file.
  mutating func numbers(_ type: ProgramType, _ shape: [Int], _ bytes: [UInt8]) -> ProgramValue {
    let count = shape.reduce(1, *)
    if count >= Self.leastBlob, let code = type.blobCode {
      return ProgramValue(
        type: type, shape: shape, place: .blob(weights.add(bytes, code: code, bits: count * type.bits)))
    }
    if type == .float32 {
      return .floats(
        bytes.withUnsafeBytes { raw in
          (0..<count).map {
            Float(
              bitPattern: UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self)))
          }
        }, shape: shape)
    }
    return ProgramValue(type: type, shape: shape, place: .bytes(bytes))
  }

  /// Floats where the format keeps them.
  mutating func numbers(_ values: [Float], shape: [Int]) -> ProgramValue {
    numbers(.float32, shape, values.withUnsafeBytes { Array($0) })
  }

  /// As coremltools has it: tensors of fewer numbers stay in the program.
  private static let leastBlob = 10

  /// The program as a message `Program`, with one function of one input and one output.
  func program(input: String, extents: [Int?], output: String) -> [UInt8] {
    var program = ProtobufWriter()
    program.number(1, 1)
    program.message(2) { entry in
      entry.text(1, "main")
      entry.message(2) { function in
        function.namedType(1, input, .float32, extents)
        function.text(2, operatorSet.name)
        function.message(3) { specialization in
          specialization.text(1, operatorSet.name)
          specialization.message(2) { block in
            block.text(2, output)
            block.append(operations.bytes)
          }
        }
      }
    }
    return program.bytes
  }
}

extension ProtobufWriter {
  /// Writes an entry of an operation's attributes.
  fileprivate mutating func attribute(_ name: String, _ value: ProgramValue) {
    message(5) { entry in
      entry.text(1, name)
      entry.message(2) { value.write(to: &$0) }
    }
  }
}
