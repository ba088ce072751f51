import CSchemas
import Diagnostics
import Testing

@testable import ProtobufSupport

/// Messages of our own schema, right and wrong ones.
@Suite struct WireFormatTests {
  private var schema: UnsafePointer<ProtobufCMessageDescriptor> {
    get throws {
      var empty = Stylemodel__Header()
      stylemodel__header__init(&empty)
      return try #require(empty.base.descriptor)
    }
  }

  /// What the message says of its input's name, if it can be unpacked.
  private func inputName(_ bytes: [UInt8], limits: ProtobufLimits = ProtobufLimits()) throws -> String? {
    let schema = try schema
    let result: Result<String?, StyleModelError> = bytes.withUnsafeBytes { buffer in
      Result { () throws(StyleModelError) in
        try withUnpackedProtobuf(buffer, schema, as: Stylemodel__Header.self, limits: limits, at: 100) {
          message in message.input_name.map { String(cString: $0) }
        }
      }
    }
    return try result.get()
  }

  @Test func readsWhatTheWriterWrites() throws {
    var writer = ProtobufWriter()
    writer.text(2, "picture")
    writer.message(3) { node in
      node.text(1, "conv")
      node.message(3) { attribute in
        attribute.text(1, "stride")
        attribute.message(2) { $0.signedNumbers(1, [0, -1, 1, Int(Int64.min), Int(Int64.max)]) }
      }
    }
    writer.message(5) { tensor in
      tensor.numbers(2, [3, 300, 1 << 40])
      tensor.fixed32(8, 0xdead_beef)
    }
    let bytes = writer.bytes
    let schema = try schema
    try bytes.withUnsafeBytes { buffer in
      try withUnpackedProtobuf(buffer, schema, as: Stylemodel__Header.self) { header in
        let integers = header.nodes[0]?.pointee.attributes[0]?.pointee.integers?.pointee
        #expect(
          (0..<5).map { integers?.values[$0] } == [0, -1, 1, Int64.min, Int64.max])
        let tensor = header.tensors[0]?.pointee
        #expect((0..<3).map { tensor?.shape[$0] } == [3, 300, 1 << 40])
        #expect(tensor?.crc32 == 0xdead_beef)
      }
    }
    #expect(try inputName(bytes) == "picture")
  }

  @Test func skipsWhatTheSchemaDoesNotKnow() throws {
    var writer = ProtobufWriter()
    writer.number(1000, 5)
    writer.fixed32(1001, 5)
    writer.block(1002, [0xff, 0xff, 0xff])
    writer.text(2, "picture")
    #expect(try inputName(writer.bytes) == "picture")
    #expect(try inputName([]) == nil)
  }

  @Test(
    arguments: [
      ([0x12, 5, 0x61], "byte 102: a field reaches over the end of its message"),
      ([0x12, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 0x61], "reaches over the end"),
      ([0x12], "a number does not end"),
      ([0x20, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2], "a number does not end"),
      ([0x12, 1, 0xff], "'input_name' is not text"),
      ([0x12, 2, 0x61, 0], "'input_name' is not text"),
      ([0x12, 1, 0x61, 0x12, 1, 0x62], "says 'input_name' twice"),
      ([0x10, 1], "'input_name' of the wrong wire type"),
      ([0x0b], "wire type 3"),
      ([0x00, 0x00], "no valid number"),
      ([0x1a, 3, 0x0a, 2, 0x61], "a field reaches over the end of its message"),
    ] as [([UInt8], String)])
  func refusesUnsoundBytes(bytes: [UInt8], message: String) {
    let error = #expect(throws: StyleModelError.self) { try inputName(bytes) }
    #expect(error?.kind == .badInput)
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  /// A node in a message that is itself … : no schema of ours nests freely, so the limit is made small.
  @Test func refusesDeepNesting() throws {
    var writer = ProtobufWriter()
    writer.message(3) { $0.message(3) { $0.message(2) { $0.signedNumbers(1, [1]) } } }
    #expect(throws: Never.self) { try inputName(writer.bytes, limits: ProtobufLimits(depth: 4)) }
    let error = #expect(throws: StyleModelError.self) {
      try inputName(writer.bytes, limits: ProtobufLimits(depth: 3))
    }
    #expect(error?.problem == "messages are nested more than 3 deep")
  }

  @Test func refusesToSpendFarMoreMemoryThanItRead() throws {
    var writer = ProtobufWriter()
    for _ in 0..<20_000 { writer.message(3) { _ in } }
    let error = #expect(throws: StyleModelError.self) {
      try inputName(writer.bytes, limits: ProtobufLimits(memoryPerByte: 8))
    }
    #expect(error?.problem == "takes far more memory than its size justifies")
  }
}
