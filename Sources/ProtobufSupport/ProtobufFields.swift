public import CSchemas

/// The text of a field as protobuf-c gives it, empty where it is absent.
public func string(_ field: UnsafeMutablePointer<CChar>?) -> String {
  field.map { String(cString: $0) } ?? ""
}

/// The elements of a repeated field of messages or texts, as protobuf-c gives them.
public func list<Element>(
  _ start: UnsafeMutablePointer<UnsafeMutablePointer<Element>?>?, _ count: Int
) -> [UnsafeMutablePointer<Element>] {
  UnsafeBufferPointer(start: start, count: start == nil ? 0 : count).compactMap { $0 }
}

/// The elements of a repeated field of numbers, as protobuf-c gives them.
public func numbers<Element>(_ start: UnsafeMutablePointer<Element>?, _ count: Int) -> [Element] {
  Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
}

extension ProtobufCBinaryData {
  /// The bytes, where protobuf-c keeps them.
  public var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: data, count: data == nil ? 0 : len)
  }
}
