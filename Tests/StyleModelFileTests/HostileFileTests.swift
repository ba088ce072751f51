import Diagnostics
import ModelGraph
import ProtobufSupport
import Tensors
import Testing

@testable import StyleModelFile

/// Files made to harm, their checksums in order: one test a hole, named for it.
@Suite struct HostileFileTests {
  private func expectRefusal(
    _ bytes: [UInt8], _ message: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: StyleModelError.self, sourceLocation: sourceLocation) {
      try decodeStyleModel(bytes)
    }
    #expect(error?.kind == .badInput, sourceLocation: sourceLocation)
    #expect(
      error?.message.contains(message) == true, "\(error?.message ?? "")", sourceLocation: sourceLocation)
  }

  /// The file with some of its first 28 bytes changed and the checksum made good again.
  private func withPreamble(_ edit: (inout [UInt8]) -> Void) throws -> [UInt8] {
    var bytes = try encodeStyleModel(smallModel())
    let header = try FileLayout(bytes, checksums: .verify).headerRange
    edit(&bytes)
    let checksum = Preamble.checksum(fields: bytes[Preamble.fields], header: bytes[header])
    for index in 0..<4 { bytes[24 + index] = UInt8(truncatingIfNeeded: checksum >> UInt32(8 * index)) }
    return bytes
  }

  @Test func theUnchangedFileIsRead() throws {
    #expect(throws: Never.self) { try decodeStyleModel(crafted { _, _ in }) }
    #expect(throws: Never.self) { try decodeStyleModel(withPreamble { _ in }) }
  }

  @Test func laterVersion() throws {
    expectRefusal(
      try withPreamble { $0[8] = 2 }, "is a .stylemodel of version 2; this program reads version 1")
    expectRefusal(try withPreamble { $0[8] = 0 }, "version 0")
  }

  @Test func unknownFeature() throws {
    expectRefusal(try withPreamble { $0[13] = 4 }, "requires the feature of bit 10")
  }

  @Test func featureThatIsNotUsed() throws {
    expectRefusal(try withPreamble { $0[12] = 2 }, "requires the feature of bit 1, which it does not use")
  }

  @Test func stylesWithoutTheirFeature() throws {
    let layout = try FileLayout(encodeStyleModel(modelOfStyles()), checksums: .verify)
    let bytes = try encodeStyleModel(modelOfStyles())
    let payloads = layout.payloads.map { Array(bytes[$0]) }
    expectRefusal(assemble(header: layout.header.protobuf, payloads), "bit 2, which it uses")
    func refused(_ message: String, _ edit: (inout StyleSet) -> Void) throws {
      var header = layout.header
      var styles = try #require(header.styles)
      edit(&styles)
      header.styles = styles
      expectRefusal(
        assemble(header: header.protobuf, payloads, features: header.requiredFeatures), message)
    }
    try refused("2 names for 3 styles") { $0.names.removeLast() }
    try refused("a row for each of 2 styles") {
      $0.count = 2
      $0.names.removeLast()
    }
    try refused("has more styles than") { $0.count = 1 << 30 }
    try refused("has 0 styles") {
      $0.count = 0
      $0.names = []
    }
  }

  @Test func headerBeyondTheEnd() throws {
    expectRefusal(
      try withPreamble {
        $0[18] = 0x0f
        $0[22] = 0x0f
      }, "ends within its header")
  }

  @Test func headerThatIsNoZlibStream() throws {
    expectRefusal(try withPreamble { $0[28] ^= 0xff }, "does not unfold")
  }

  @Test func headerThatUnfoldsToAnotherLength() throws {
    expectRefusal(try withPreamble { $0[20] += 1 }, "does not unfold")
    expectRefusal(try withPreamble { $0[20] -= 1 }, "does not unfold")
  }

  @Test func headerBomb() throws {
    expectRefusal(try withPreamble { $0[22] = 0x0f }, "which is not allowed")
  }

  @Test func headerShorterThanItIsStored() throws {
    expectRefusal(
      try withPreamble {
        $0[20] = 1
        $0[21] = 0
      }, "which is not allowed")
  }

  @Test func rawHeadersAreRead() throws {
    let bytes = try encodeStyleModel(smallModel())
    let raw = try withRawHeader(bytes)
    #expect(raw.count > bytes.count)
    #expect(try decodeStyleModel(raw) == decodeStyleModel(bytes))
  }

  @Test func headerOfGigabytes() throws {
    expectRefusal(try withPreamble { $0[23] = 0xff }, "is the most that is read")
  }

  @Test func shortHeaderLeavesBytesThatAreNotZero() throws {
    var header = try FileLayout(encodeStyleModel(smallModel()), checksums: .verify).header
    header.tensors = []
    header.nodes = []
    header.output = 0
    // A graph that gives back its picture is sound; what follows its header is not its own.
    let bytes = assemble(header: header.protobuf, [])
    #expect(throws: Never.self) { try decodeStyleModel(bytes) }
    expectRefusal(bytes + [0], "has 1 byte after its end")
  }

  @Test func bytesAfterTheEnd() throws {
    expectRefusal(try crafted { _, _ in } + [0], "has 1 byte after its end")
    expectRefusal(try crafted { _, payloads in payloads.append([1]) }, "after its end")
  }

  @Test func hole() throws {
    // Eight more zeros between two payloads: the second one is then not where it must be.
    var bytes = try crafted { _, _ in }
    let second = try FileLayout(bytes, checksums: .verify).payloads[1].lowerBound
    bytes.insert(contentsOf: [UInt8](repeating: 0, count: 8), at: second)
    expectRefusal(bytes, "after its end")
  }

  @Test func somethingHiddenInThePadding() throws {
    var bytes = try crafted { _, _ in }
    let layout = try FileLayout(bytes, checksums: .verify)
    try #require(layout.payloads[0].upperBound < layout.payloads[1].lowerBound)
    bytes[layout.payloads[0].upperBound] = 1
    expectRefusal(bytes, "is not preceded by zeros")
  }

  @Test func payloadsThatOverlap() throws {
    // Offsets are not written down, so that payloads can only overlap by lengths beyond the file.
    expectRefusal(
      try crafted { header, _ in
        header.tensors[1].storedLength += 8
        header.tensors[1].rawLength += 8
        header.tensors[1].shape = [5]
      }, "the file is cut short")
  }

  @Test func rawLengthLies() throws {
    expectRefusal(try crafted { header, _ in header.tensors[0].rawLength += 1 }, "does not fit its shape")
  }

  @Test func rawLengthsDiffer() throws {
    expectRefusal(try crafted { header, _ in header.tensors[0].storedLength -= 1 }, "its two lengths differ")
  }

  @Test func lengthsBeyondAllFiles() throws {
    for length in [Int.max, Int.max - 7, -1] {
      expectRefusal(
        try crafted { header, _ in
          header.tensors[0].storedLength = length
          header.tensors[0].rawLength = length
        }, length < 0 ? "beyond all files" : "does not fit its shape")
    }
  }

  /// A file with one tensor of many zeros in few bytes.
  private func bomb(extent: Int, honest: Bool) throws -> [UInt8] {
    let zeros = [UInt8](repeating: 0, count: 4 * 3 * extent)
    let stored = try #require(deflated(zeros))
    return try crafted { header, payloads in
      header.tensors[1].shape = Shape([3 * extent])
      header.tensors[1].rawLength = zeros.count
      header.tensors[1].compression = .zlib
      header.tensors[1].storedLength = stored.count
      header.tensors[1].checksum = honest ? crc32(stored[...]) : 0
      payloads[1] = stored
    }
  }

  @Test func zlibBomb() throws {
    expectRefusal(try bomb(extent: 100_000, honest: true), "more than is allowed")
  }

  @Test func zlibStreamLongerThanAnnounced() throws {
    let stored = try #require(deflated([UInt8](repeating: 0, count: 1000)))
    for length in [12, 2000] {
      expectRefusal(
        try crafted { header, payloads in
          header.tensors[1].shape = Shape([length / 4])
          header.tensors[1].rawLength = length
          header.tensors[1].compression = .zlib
          header.tensors[1].storedLength = stored.count
          header.tensors[1].checksum = crc32(stored[...])
          payloads[1] = stored
        }, length == 12 ? "is compressed to more than it was" : "is not a zlib stream of 2,000 bytes")
    }
  }

  @Test func zlibStreamWithSomethingBehindIt() throws {
    let stored = try #require(deflated([UInt8](repeating: 0, count: 1000))) + [0]
    expectRefusal(
      try crafted { header, payloads in
        header.tensors[1].shape = [250]
        header.tensors[1].rawLength = 1000
        header.tensors[1].compression = .zlib
        header.tensors[1].storedLength = stored.count
        header.tensors[1].checksum = crc32(stored[...])
        payloads[1] = stored
      }, "is not a zlib stream")
  }

  @Test func wrongChecksum() throws {
    expectRefusal(
      try crafted { header, _ in header.tensors[1].checksum ^= 1 },
      "tensor b: is damaged: its CRC-32 is wrong")
  }

  @Test func twoTensorsOfOneName() throws {
    expectRefusal(
      try crafted { header, _ in header.tensors[1].name = "w" }, "tensor w: stands twice in the table")
  }

  @Test func tensorThatNothingUses() throws {
    expectRefusal(
      try crafted { header, _ in header.nodes[0].operands.removeLast() }, "tensor b: is used by no operation")
  }

  @Test func operandThatIsNotComputed() throws {
    for value in [1, 4, 1 << 31] {
      expectRefusal(
        try crafted { header, _ in header.nodes[0].operands[0].value = ValueID(value) },
        "uses value \(value), which is not computed before it")
    }
  }

  @Test func outputThatIsNotComputed() throws {
    for value in [2, 3, 1 << 31] {
      expectRefusal(try crafted { header, _ in header.output = value }, "gives out value \(value)")
    }
  }

  @Test func unknownOperation() throws {
    expectRefusal(
      try crafted { header, _ in header.nodes[0].mnemonic = "system" }, "operation 'system' is not known")
  }

  @Test func unknownAttribute() throws {
    expectRefusal(
      try crafted { header, _ in header.nodes[0].attributes.append(.init("shell", .word("sh"))) },
      "does not know 'shell:'")
  }

  @Test func hugeShape() throws {
    expectRefusal(
      try crafted { header, _ in header.tensors[1].shape = Shape([1 << 40]) }, "does not fit its shape")
    // An empty tensor takes no bytes, whatever its other extents are.
    expectRefusal(
      try crafted { header, payloads in
        header.tensors[1].shape = Shape([0, 1 << 40])
        header.tensors[1].rawLength = 0
        header.tensors[1].compression = .raw
        header.tensors[1].storedLength = 0
        header.tensors[1].checksum = 0
        payloads[1] = []
      }, "not [0, 1099511627776]")
  }

  @Test func shapeWhoseProductOverflows() throws {
    expectRefusal(
      try crafted { header, _ in
        header.tensors[1].shape = Shape([7, 7, 7, 7, 7, 7, 7, 7, 7])
      }, "has more than 8 extents")
    let tooLarge = try headerWithTensor { writer in
      writer.text(1, "w")
      writer.numbers(2, [1 << 40, 1 << 40])
    }
    expectRefusal(assemble(header: tooLarge, []), "has too large a shape")
  }

  /// The header of the smallest model with one more line in its table.
  private func headerWithTensor(_ write: (inout ProtobufWriter) -> Void) throws -> [UInt8] {
    var writer = ProtobufWriter()
    writer.message(5, write)
    return try FileLayout(encodeStyleModel(smallModel()), checksums: .verify).header.protobuf + writer.bytes
  }

  @Test func scalesThatAreNotFinite() throws {
    for bits: UInt32 in [Float.nan.bitPattern, Float.infinity.bitPattern] {
      expectRefusal(
        try crafted { header, payloads in
          for index in 0..<4 { payloads[0][index] = UInt8(truncatingIfNeeded: bits >> UInt32(8 * index)) }
          header.tensors[0].checksum = crc32(payloads[0][...])
        }, "not finite")
    }
  }

  @Test func bitsBehindTheLastNumber() throws {
    expectRefusal(
      try crafted { header, payloads in
        payloads[0][payloads[0].count - 1] |= 0xf0
        header.tensors[0].checksum = crc32(payloads[0][...])
      }, "has bits set behind its last number")
  }

  @Test func axisBeyondTheShape() throws {
    let bytes = try headerWithTensor { writer in
      writer.text(1, "v")
      writer.numbers(2, [3])
      writer.message(4) { affine in
        affine.number(1, 8)
        affine.number(2, 1)
        affine.number(3, 1)
        affine.number(4, 0)
      }
    }
    expectRefusal(assemble(header: bytes, []), "tensor v: has an affine encoding that is not sound")
  }

  @Test func widthsBeyondSixteen() throws {
    for bits in [0, 1, 17, 1 << 31] {
      expectRefusal(
        try crafted { header, _ in
          header.tensors[0].form = .affine(bits: bits, isSigned: true, axis: nil, hasOffsets: false)
        }, "not sound")
    }
  }

  @Test func sourceOutsideTheFolder() throws {
    for name in ["../up.pth", "/etc/passwd", "..", ".", ""] {
      expectRefusal(
        try crafted { header, _ in header.provenance.sourceName = name }, "not a plain file name")
    }
  }

  @Test func digestOfAnotherLength() throws {
    expectRefusal(try crafted { header, _ in header.provenance.sourceSHA256.removeLast() }, "SHA-256")
  }

  @Test func picturesWithoutPixels() throws {
    for sizes: PixelContract.Sizes in [
      .listed([PictureSize(width: 0, height: 4)]), .listed([PictureSize(width: 4, height: 1 << 31)]),
      .range(width: ClosedSizeRange(lower: 0, upper: nil), height: ClosedSizeRange(lower: 1, upper: nil)),
    ] {
      expectRefusal(try crafted { header, _ in header.contract.sizes = sizes }, "pixels a side")
    }
    expectRefusal(
      try crafted { header, _ in
        header.contract.sizes = .range(
          width: ClosedSizeRange(lower: 9, upper: 8), height: ClosedSizeRange(lower: 1, upper: nil))
      }, "ends before it begins")
  }

  @Test func contractThatIsNotFinite() throws {
    expectRefusal(try crafted { header, _ in header.contract.outputBias[2] = .nan }, "not finite")
  }

  @Test func fieldSaidTwice() throws {
    let header = try FileLayout(encodeStyleModel(smallModel()), checksums: .verify).header.protobuf
    var writer = ProtobufWriter()
    writer.number(4, 0)
    expectRefusal(assemble(header: header + writer.bytes, []), "says 'output' twice")
  }

  /// Unknown fields are skipped, however deep they seem to nest.
  @Test func deepNestingInAnUnknownField() throws {
    var nested: [UInt8] = []
    for _ in 0..<10_000 where nested.count < 100_000 {
      var writer = ProtobufWriter()
      writer.block(1000, nested)
      nested = writer.bytes
    }
    let bytes = try crafted { _, _ in }
    let layout = try FileLayout(bytes, checksums: .verify)
    let rebuilt = assemble(
      header: layout.header.protobuf + nested, layout.payloads.map { Array(bytes[$0]) })
    #expect(try decodeStyleModel(rebuilt) == decodeStyleModel(bytes))
  }

  @Test func nodesWithoutEnd() throws {
    expectRefusal(
      try crafted { header, _ in
        header.nodes += Array(repeating: OperationCall("relu", operands: []), count: 5000)
      }, "are the most that is read")
  }

  /// Transposed convolutions, each of which makes the picture 4096 times as tall.
  @Test func picturesThatGrowBeyondAllNumbers() throws {
    expectRefusal(
      try crafted { header, _ in
        for index in 1...8 {
          header.nodes.append(
            OperationCall(
              "conv_transpose",
              operands: [.init(value: ValueID(index)), .init(role: "weight", value: ValueID(10))],
              attributes: [.init("stride", .integers([4096, 1]))]))
        }
        header.nodes[0].operands[1].value = ValueID(10)
        header.nodes[0].operands[2].value = ValueID(11)
        header.output = 9
      }, "more than can be handled")
  }
}
