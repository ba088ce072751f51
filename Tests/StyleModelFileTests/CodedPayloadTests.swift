import CEntropyCoding
import Diagnostics
import Glibc
import Tensors
import TestSupport
import Testing

@testable import StyleModelFile

/// How the integers of a test are spread.
enum Spread: String, CaseIterable {
  case zeros, narrow, wide, widening, extreme, dependent

  func integer(row: Int, _ random: inout SeededRandom) -> Int {
    // The sum of a few uniform numbers is about normal.
    let normal = (0..<6).reduce(0.0) { sum, _ in sum + Double.random(in: -1...1, using: &random) } / 1.4
    return switch self {
    case .zeros: 0
    case .narrow: Int(normal * 0.7)
    case .wide: Int(normal * 300)
    case .widening, .dependent: Int(normal * exp2(Double(row % 9) - 2))
    case .extreme: [-32768 + 1, 32767, 0, 1, -1].randomElement(using: &random) ?? 0
    }
  }
}

/// Integers along an axis of a shape; the dependent ones are moved to their states.
func tensor(_ shape: Shape, axis: Int?, _ spread: Spread, bits: Int = 16, hasOffsets: Bool = false) throws
  -> StoredTensor
{
  var random = SeededRandom(seed: 31)
  let rows = axis.map { shape[$0] } ?? 1
  let inner = axis.map { shape.dimensions[($0 + 1)...].reduce(1, *) } ?? shape.count
  var integers = (0..<shape.count).map { spread.integer(row: $0 / max(inner, 1) % max(rows, 1), &random) }
  if spread == .dependent {
    for outer in 0..<shape.count / max(rows * inner, 1) {
      for column in 0..<inner {
        var state = 0
        for row in 0..<rows {
          let place = (outer * rows + row) * inner + column
          if integers[place] != 0, abs(integers[place]) % 2 != state % 2 { integers[place] += 1 }
          state = Int(
            [[0, 2], [5, 7], [1, 3], [6, 4], [2, 0], [4, 6], [3, 1], [7, 5]][state][
              (abs(integers[place]) + 1) / 2 % 2])
        }
      }
    }
  }
  let limit = 1 << (bits - 1) - 1
  integers = integers.map { min(max($0, -limit), limit) }
  let encoding = AffineEncoding(
    bits: bits, isSigned: true, axis: axis, scales: (0..<rows).map { OctaveSteps.step($0 * 7 % 23 - 60) },
    offsets: hasOffsets ? (0..<rows).map { Float($0) } : [])
  return try StoredTensor(
    shape: shape, encoding: .affine(encoding), bytes: packIntegers(integers, bits: bits))
}

private func entry(_ tensor: StoredTensor, storedLength: Int) -> TensorEntry {
  TensorEntry(
    name: "w", shape: tensor.shape, form: tensor.form, compression: .coded, storedLength: storedLength,
    rawLength: tensor.payload.count, checksum: 0)
}

@Suite struct CodedPayloadTests {
  static let shapes: [(Shape, Int?)] = [
    ([32, 3, 5, 5], 0), ([7, 12, 3, 3], 1), ([9], 0), ([300], nil), ([1, 1, 1, 1], 0), ([2, 3, 257], 2),
    ([64, 64, 3, 3], 0),
  ]

  @Test(arguments: shapes.indices, Spread.allCases) func comesBackAsItWas(index: Int, spread: Spread) throws {
    let (shape, axis) = Self.shapes[index]
    for hasOffsets in [false, true] {
      let tensor = try tensor(shape, axis: axis, spread, hasOffsets: hasOffsets)
      let payload = try #require(tensor.codedPayload(below: 1 << 24))
      #expect(try StoredTensor(entry(tensor, storedLength: payload.count), coded: payload[...]) == tensor)
    }
  }

  /// What the C decoder gets is what the specification says, and the stream is no longer than its models say, but for the
  /// states at its end.
  @Test(arguments: shapes.indices, Spread.allCases) func thePlainDecoderReadsTheSame(
    index: Int, spread: Spread
  ) throws {
    let (shape, axis) = Self.shapes[index]
    let tensor = try tensor(shape, axis: axis, spread)
    let payload = try #require(tensor.codedPayload(below: 1 << 24))
    let rows = axis.map { shape[$0] } ?? 1
    var decoder = try PlainDecoder(Array(payload.dropFirst()))
    let steps = try decoder.numbers(rows: rows, bits: 11, least: -1008)
    guard case .affine(let affine) = tensor.encoding else { return }
    #expect(steps.map { OctaveSteps.step($0) } == affine.scales)
    let found = try decoder.integers(
      rows: rows, columns: shape.count / rows, isSigned: true, isDependent: payload[0] & 2 != 0)
    let inner = axis.map { shape.dimensions[($0 + 1)...].reduce(1, *) } ?? shape.count
    let integers = try #require(tensor.quantizedIntegers())
    var expected: [Int] = []
    for outer in 0..<shape.count / max(rows * inner, 1) {
      for column in 0..<inner {
        for row in 0..<rows { expected.append(integers[(outer * rows + row) * inner + column]) }
      }
    }
    #expect(found == expected)
    #expect(Double(8 * payload.count) < decoder.codeLength * 1.002 + 96)
  }

  /// The models find out how numbers are spread: a stream takes hardly more than the entropy of its numbers.
  @Test func takesAboutTheEntropy() throws {
    let tensor = try tensor([64, 64, 3, 3], axis: 0, .narrow)
    let payload = try #require(tensor.codedPayload(below: 1 << 24))
    let integers = try #require(tensor.quantizedIntegers())
    let counts = Dictionary(integers.map { ($0, 1.0) }, uniquingKeysWith: +)
    let entropy = counts.values.reduce(0.0) { $0 - $1 * log2($1 / Double(integers.count)) } / 8
    #expect(Double(payload.count) < entropy * 1.01 + 150)
  }

  /// Rounding that made integers depend on one another is found out, and pays.
  @Test func dependenceIsFound() throws {
    let dependent = try #require(tensor([64, 64, 3, 3], axis: 0, .dependent).codedPayload(below: 1 << 24))
    let plain = try #require(tensor([64, 64, 3, 3], axis: 0, .widening).codedPayload(below: 1 << 24))
    #expect(dependent[0] == 3)
    #expect(plain[0] == 1)
    #expect(dependent.count < plain.count * 85 / 100)
  }

  @Test func scalesThatAreNoPowersAreKept() throws {
    let shape: Shape = [40, 30]
    let integers = (0..<1200).map { $0 % 5 - 2 }
    for isSigned in [true, false] {
      let encoding = AffineEncoding(
        bits: 9, isSigned: isSigned, axis: 0, scales: (0..<40).map { 0.01 * Float($0 + 1) })
      let tensor = try StoredTensor(
        shape: shape, encoding: .affine(encoding),
        bytes: packIntegers(isSigned ? integers : integers.map { $0 + 2 }, bits: 9))
      let payload = try #require(tensor.codedPayload(below: 1 << 20))
      #expect(payload[0] == 0)
      #expect(try StoredTensor(entry(tensor, storedLength: payload.count), coded: payload[...]) == tensor)
    }
  }

  @Test func doesNotGrow() throws {
    let tensor = try tensor([8, 8], axis: 0, .extreme)
    let length = try #require(tensor.codedPayload(below: 1 << 20)).count
    for limit in 0...length { #expect(tensor.codedPayload(below: limit) == nil) }
    #expect(tensor.codedPayload(below: length + 1)?.count == length)
    #expect(try seededPlain().codedPayload(below: 1 << 20) == nil)
  }

  private func seededPlain() throws -> StoredTensor {
    var random = SeededRandom(seed: 1)
    return try seededTensor([4, 4], .plain(.int8), &random)
  }
}

/// Streams made to harm; whatever they hold, decoding ends, and with an error.
@Suite struct HostileStreamTests {
  private func message(_ tensor: StoredTensor, _ payload: [UInt8]) -> String {
    do throws(StyleModelError) {
      _ = try StoredTensor(entry(tensor, storedLength: payload.count), coded: payload[...])
      return ""
    } catch { return error.message }
  }

  private func sample(_ spread: Spread = .widening) throws -> (tensor: StoredTensor, payload: [UInt8]) {
    let tensor = try tensor([16, 8, 3, 3], axis: 0, spread)
    return (tensor, try #require(tensor.codedPayload(below: 1 << 20)))
  }

  @Test func everyTruncation() throws {
    let (tensor, payload) = try sample()
    for length in 0..<payload.count { #expect(!message(tensor, Array(payload[..<length])).isEmpty) }
  }

  @Test func bytesInTheMiddleThatNobodyReads() throws {
    let (tensor, payload) = try sample()
    // Symbols end where bits begin, so a byte between them can only be put in by moving one of them.
    for place in [9, payload.count / 2, payload.count] {
      var longer = payload
      longer.insert(0, at: place)
      #expect(!message(tensor, longer).isEmpty)
    }
  }

  @Test func everyDamagedByteEndsInAnErrorOrOtherNumbers() throws {
    for spread in [Spread.widening, .wide, .dependent] {
      let (tensor, payload) = try sample(spread)
      for place in payload.indices {
        for flip: UInt8 in [0x01, 0x80, 0xff] {
          var damaged = payload
          damaged[place] ^= flip
          let found = try? StoredTensor(entry(tensor, storedLength: damaged.count), coded: damaged[...])
          #expect(found != tensor)
        }
      }
    }
  }

  @Test func unknownFlags() throws {
    var (tensor, payload) = try sample()
    payload[0] |= 4
    #expect(message(tensor, payload).contains("coded in a way that is not known"))
  }

  @Test func statesBelowTheLowest() throws {
    var (tensor, payload) = try sample()
    payload.replaceSubrange(1..<5, with: [0xff, 0xff, 0, 0])
    #expect(message(tensor, payload).contains("does not end with its last number"))
  }

  @Test func nothingButZerosOrOnes() throws {
    let (tensor, _) = try sample()
    for byte: UInt8 in [0, 0x55, 0xff] {
      for count in [1, 9, 100, 100_000] {
        #expect(!message(tensor, [1] + [UInt8](repeating: byte, count: count)).isEmpty)
      }
    }
  }

  @Test func numbersThatDoNotFitTheirWidth() throws {
    let (tensor, payload) = try sample(.wide)
    var narrow = entry(tensor, storedLength: payload.count)
    narrow.form = .affine(bits: 4, isSigned: true, axis: 0, hasOffsets: false)
    let error = #expect(throws: StyleModelError.self) { try StoredTensor(narrow, coded: payload[...]) }
    #expect(error?.message.contains("do not fit 4 bits") == true)
  }

  @Test func scalesThatAreCutOffOrNotFinite() throws {
    let (tensor, payload) = try sample()
    #expect(message(tensor, [0] + payload[1..<40]).contains("fewer bytes than its scales take"))
    #expect(message(tensor, [0] + [UInt8](repeating: 0xff, count: 400)).contains("not finite"))
  }

  /// Extents that multiply to nothing, and would take for ever to count through.
  @Test func emptyTensorsWithEndlessExtents() throws {
    var layout = TensorEntry(
      name: "w", shape: [1 << 40, 0], form: .affine(bits: 8, isSigned: true, axis: nil, hasOffsets: false),
      compression: .coded,
      storedLength: 20, rawLength: 4, checksum: 0)
    for axis in [nil, 1] {
      layout.form = .affine(bits: 8, isSigned: true, axis: axis, hasOffsets: false)
      #expect(throws: StyleModelError.self) {
        try StoredTensor(layout, coded: [UInt8](repeating: 1, count: 20)[...])
      }
    }
  }

  @Test func payloadsOfPlainTensorsAreNotCoded() throws {
    let error = #expect(throws: StyleModelError.self) {
      try decodeStyleModel(
        crafted { header, payloads in
          header.tensors[1].compression = .coded
          header.tensors[1].storedLength = 3
          header.tensors[1].checksum = crc32([1, 2, 3])
          payloads[1] = [1, 2, 3]
        })
    }
    #expect(error?.message.contains("is coded, which only integers can be") == true)
  }

  /// A coded tensor of zeros unfolds a thousandfold; more than the limit it must not claim.
  @Test func expansionBeyondTheLimit() throws {
    let zeros = try tensor([64, 64, 64], axis: 0, .zeros)
    let payload = try #require(zeros.codedPayload(below: 1 << 24))
    #expect(zeros.payload.count > TensorEntry.greatestRawLength(storedLength: payload.count))
    let error = #expect(throws: StyleModelError.self) {
      try decodeStyleModel(
        crafted { header, payloads in
          header.tensors[0] = entry(zeros, storedLength: payload.count)
          header.tensors[0].checksum = crc32(payload[...])
          payloads[0] = payload
        })
    }
    #expect(error?.message.contains("more than is allowed") == true)
  }

  @Test func featuresThatAreUsedButNotRequired() throws {
    for (spread, bits, compression, problem) in [
      (Spread.narrow, 8, TensorEntry.Compression.coded, "bit 0, which it uses"),
      (.extreme, 16, .raw, "bit 1, which it uses"),
    ] {
      let integers = try tensor([3, 3, 9, 9], axis: 0, spread, bits: bits)
      let bytes = try crafted { header, payloads in
        payloads[0] = compression == .raw ? integers.payload : integers.codedPayload(below: 1 << 20) ?? []
        header.tensors[0] = entry(integers, storedLength: payloads[0].count)
        header.tensors[0].compression = compression
        header.tensors[0].checksum = crc32(payloads[0][...])
      }
      #expect(throws: Never.self) { try decodeStyleModel(bytes) }
      let layout = try FileLayout(bytes, checksums: .verify)
      let unmarked = assemble(header: layout.header.protobuf, layout.payloads.map { Array(bytes[$0]) })
      let error = #expect(throws: StyleModelError.self) { try decodeStyleModel(unmarked) }
      #expect(error?.message.contains(problem) == true)
    }
  }
}
