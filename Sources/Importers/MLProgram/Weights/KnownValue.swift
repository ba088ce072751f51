import Diagnostics
import Tensors

/// Something known before any picture is: the value of a constant.
enum KnownValue {
  /// Numbers as the program stores them.
  case numbers(ProgramTensor)
  /// A weight that a compressed form stands for, where our own encodings say it.
  case weight(StoredTensor)
  case texts([String])

  /// Whether there are no numbers.
  var isText: Bool { if case .texts = self { true } else { false } }

  /// The numbers as a weight.
  func stored() throws(StyleModelError) -> StoredTensor {
    switch self {
    case .numbers(let tensor): return try tensor.stored()
    case .weight(let tensor): return tensor
    case .texts: throw StyleModelError(.badInput, "is text where numbers are wanted")
    }
  }

  /// The extents.
  var shape: Shape {
    switch self {
    case .numbers(let tensor): tensor.shape
    case .weight(let tensor): tensor.shape
    case .texts(let texts): [texts.count]
    }
  }
}

/// Where known values are read from: the program itself and its weight files, each of which is read once.
struct KnownValues {
  /// Reads a file by its path from the model's folder: `weights/weight.bin`.
  typealias Reader = (String) throws(StyleModelError) -> [UInt8]

  private let read: Reader
  private var files: [String: WeightFile] = [:]
  /// How many numbers may still be read and decoded: a short file can name one tensor a thousand times.
  private var budget: Int

  /// - Parameter modelByteCount: the length of the model's own file, which bounds what its numbers may come to.
  init(modelByteCount: Int, _ read: @escaping Reader) {
    self.read = read
    budget = max(1 << 20, min(modelByteCount, 1 << 40) * Self.numbersPerByte)
  }

  /// No sound file decodes to more: one bit for each of eight numbers, and vectors of a few numbers for a code.
  private static let numbersPerByte = 64
  /// How the names of weight files begin.
  private static let prefix = "@model_path/"

  /// What an argument stands for.
  mutating func value(_ value: Program.Value) throws(StyleModelError) -> KnownValue {
    switch value {
    case .numbers(let tensor):
      try spend(tensor.shape.count)
      return .numbers(tensor)
    case .texts(let texts): return .texts(texts)
    case .other(let kind): throw StyleModelError(.badInput, "is \(kind), which is not read")
    case .blob(let name, let offset, let type):
      guard let shape = type.shape else {
        throw StyleModelError(.badInput, "is a constant without a fixed shape")
      }
      guard name.hasPrefix(Self.prefix), goesDownOnly(String(name.dropFirst(Self.prefix.count))) else {
        throw StyleModelError(
          .badInput, "lies in '\(printable(name, limit: 200))', which is no file of the package",
          remedy: "only files named \(Self.prefix)… are read")
      }
      let location = String(name.dropFirst(Self.prefix.count))
      do throws(StyleModelError) {
        let file: WeightFile
        if let known = files[location] {
          file = known
        } else {
          let bytes = try read(location)
          file = try WeightFile(bytes)
          files[location] = file
          budget += min(bytes.count, 1 << 40) * Self.numbersPerByte
        }
        try spend(shape.count)
        let bytes = try file.numbers(at: offset, type: type.type, count: shape.count)
        return .numbers(try ProgramTensor(type: type.type, shape: shape, bytes: bytes))
      } catch {
        throw StyleModelError(
          error.kind, file: error.file,
          place: ["'\(printable(location, limit: 200))'", error.place].compactMap { $0 }.joined(
            separator: ", "),
          error.problem, remedy: error.remedy)
      }
    }
  }

  /// Counts numbers that are read or decoded.
  /// - Throws: `.badInput` when they are more than the files can justify.
  mutating func spend(_ count: Int) throws(StyleModelError) {
    guard count <= budget else {
      throw StyleModelError(.badInput, "decodes to more weights than its files can hold")
    }
    budget -= count
  }
}
