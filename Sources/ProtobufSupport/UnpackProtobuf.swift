public import CSchemas
public import Diagnostics
import Glibc

/// Unpacks a message with protobuf-c, after its wire format has been walked, from a bounded amount of memory, and
/// lends it to `body`.
/// - Parameters:
///   - descriptor: the schema of the message, as protoc-c generates it.
///   - type: the C structure that it describes.
///   - start: where the message begins in its file, for error messages.
/// - Throws: `.badInput` when the bytes are no such message or take too much memory, or what `body` throws.
public func withUnpackedProtobuf<Message, Result>(
  _ bytes: UnsafeRawBufferPointer, _ descriptor: UnsafePointer<ProtobufCMessageDescriptor>,
  as type: Message.Type, limits: ProtobufLimits = ProtobufLimits(), at start: Int = 0,
  _ body: (Message) throws(StyleModelError) -> Result
) throws(StyleModelError) -> Result {
  try checkWireFormat(bytes, descriptor, limits: limits, at: start)
  let (perByte, overflow) = bytes.count.multipliedReportingOverflow(by: limits.memoryPerByte)
  let budget = MemoryBudget(overflow ? Int.max : max(perByte, MemoryBudget.least))
  defer { withExtendedLifetime(budget) {} }
  var allocator = budget.allocator
  guard
    let message = protobuf_c_message_unpack(
      descriptor, &allocator, bytes.count, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
  else {
    throw StyleModelError(
      .badInput, place: "byte \(start)",
      budget.isExhausted ? "takes far more memory than its size justifies" : "is not a message of its schema")
  }
  defer { protobuf_c_message_free_unpacked(message, &allocator) }
  return try body(UnsafeMutableRawPointer(message).assumingMemoryBound(to: Message.self).pointee)
}

/// An allocator for protobuf-c that refuses to go beyond a number of bytes.
private final class MemoryBudget {
  /// What even the smallest message may take.
  static let least = 64 * 1024

  private var left: Int
  private(set) var isExhausted = false

  init(_ bytes: Int) { left = bytes }

  /// Must not be used after the budget is gone.
  var allocator: ProtobufCAllocator {
    ProtobufCAllocator(
      alloc: { context, size in
        guard let context else { return nil }
        return Unmanaged<MemoryBudget>.fromOpaque(context).takeUnretainedValue().allocate(size)
      },
      free: { _, pointer in Glibc.free(pointer) },
      allocator_data: Unmanaged.passUnretained(self).toOpaque())
  }

  private func allocate(_ size: Int) -> UnsafeMutableRawPointer? {
    guard size <= left else {
      isExhausted = true
      return nil
    }
    left -= size
    return malloc(size)
  }
}
