import Glibc
import Tensors

/// A plain decoder of coded streams, from Schemas/stylemodel-format.md alone: the judge of the one in C. It also adds up what
/// the models say that the symbols are worth.
struct PlainDecoder {
  struct Failure: Error {}

  private final class Model {
    var counts: [Int] = []
    let shift: Int
    private var frequencies: [Int] = []
    private var period = 8
    private var remaining = 0

    init(_ index: Int) {
      let mean = [256, 323, 406][index % 3] << (index / 3)
      shift = max(0, index / 3 - 6)
      let ratio = (mean << 16) / (mean + 1 << (13 + shift))
      var weight = 65536 - ratio
      for _ in 0..<16 {
        counts.append(2 + weight / 128)
        weight = weight * ratio / 65536
      }
      refresh()
    }

    private func refresh() {
      let total = counts.reduce(0, +)
      frequencies = counts.map { 1 + $0 * (32768 - 16) / total }
      let likeliest = counts.firstIndex(of: counts.max() ?? 0) ?? 0
      frequencies[likeliest] += 32768 - frequencies.reduce(0, +)
      remaining = period
      if period < 1024 { period += period / 2 }
      if total > 1 << 24 { counts = counts.map { $0 - $0 / 2 } }
    }

    func symbol(at place: Int) -> (symbol: Int, start: Int, frequency: Int) {
      var start = 0
      for (symbol, frequency) in frequencies.enumerated() {
        if place < start + frequency { return (symbol, start, frequency) }
        start += frequency
      }
      return (15, start, 0)
    }

    func count(_ symbol: Int) {
      counts[symbol] += 32
      remaining -= 1
      if remaining == 0 { refresh() }
    }
  }

  private var front: ArraySlice<UInt8>
  private var bits: [Int] = []
  private var states: [Int] = []
  /// What the models say, with the plain bits, in bits.
  private(set) var codeLength = 0.0

  init(_ stream: [UInt8]) throws {
    front = stream[...]
    for _ in 0..<2 { try states.append(word() + word() * 65536) }
    guard states.allSatisfy({ $0 >= 65536 }) else { throw Failure() }
  }

  private mutating func word() throws -> Int {
    guard front.count >= 2 else { throw Failure() }
    return Int(front.removeFirst()) + 256 * Int(front.removeFirst())
  }

  private mutating func number(_ bitCount: Int) throws -> Int {
    var result = 0
    for bit in 0..<bitCount {
      if bits.isEmpty {
        guard let byte = front.popLast() else { throw Failure() }
        bits = (0..<8).map { Int(byte >> UInt8($0) & 1) }
      }
      result += bits.removeFirst() << bit
    }
    codeLength += Double(bitCount)
    return result
  }

  private mutating func magnitude(_ coder: Int, _ model: Model) throws -> Int {
    let place = states[coder] % 32768
    let (symbol, start, frequency) = model.symbol(at: place)
    states[coder] = frequency * (states[coder] / 32768) + place - start
    if states[coder] < 65536 { try states[coder] = states[coder] * 65536 + word() }
    codeLength -= log2(Double(frequency) / 32768)
    model.count(symbol)
    var high = symbol
    if symbol == 15 {
      var zeros = 0
      while try number(1) == 0 { zeros += 1 }
      guard zeros < 16 else { throw Failure() }
      try high += 1 << zeros + number(zeros) - 1
    }
    return try high << model.shift + number(model.shift)
  }

  private mutating func signed(_ magnitude: Int) throws -> Int {
    guard magnitude != 0 else { return 0 }
    return try number(1) == 1 ? -magnitude : magnitude
  }

  /// Numbers about a common one.
  mutating func numbers(rows: Int, bits: Int, least: Int) throws -> [Int] {
    let common = try number(bits) + least
    let model = Model(try number(6))
    return try (0..<rows).map { row in try common + signed(magnitude(row % 2, model)) }
  }

  /// The integers, `[column][row]`, with the classes before them.
  mutating func integers(rows: Int, columns: Int, isSigned: Bool, isDependent: Bool) throws -> [Int] {
    let classes = try numbers(rows: rows, bits: 6, least: 0)
    var models: [Int: [Model]] = [:]
    for index in classes where models[index] == nil { models[index] = [Model(index), Model(index)] }
    let next = [[0, 2], [5, 7], [1, 3], [6, 4], [2, 0], [4, 6], [3, 1], [7, 5]]
    var result: [Int] = []
    for _ in 0..<columns {
      var state = 0
      for row in 0..<rows {
        guard let model = models[classes[row]]?[state % 2] else { throw Failure() }
        var value = try magnitude(result.count % 2, model)
        if isDependent {
          let index = value
          value = state % 2 == 0 ? 2 * index : max(2 * index - 1, 0)
          state = next[state][index % 2]
        }
        result.append(isSigned ? try signed(value) : value)
      }
    }
    guard front.isEmpty, bits.allSatisfy({ $0 == 0 }), states == [65536, 65536] else { throw Failure() }
    return result
  }
}
