import Archives
import Diagnostics

/// Reads one pickle, protocols 0 to 5, into inert values. Nothing is called, imported or looked up.
///
/// Whatever is made takes at least a byte of the file, objects are shared and never expanded, nesting is held in
/// arrays and not on the call stack, and the limits below bound what a large file can make of it.
struct PickleMachine {
  /// The largest pickle that is read, in bytes; the tensors are not in it.
  static let byteLimit = 64 << 20
  /// The most values that a pickle may push and memoise, together; PyTorch's take about thirty a tensor.
  static let valueLimit = 2 << 20
  /// The most objects with parts that a pickle may make.
  static let objectLimit = 1 << 19

  private var cursor: ByteCursor
  private let place: String
  private var document = PickleDocument()
  private var globalIndices: [PickleGlobal: Int] = [:]
  private var stack: [PickleValue] = []
  /// The heights of `stack` at each open MARK. Nothing below the last of them may be popped.
  private var marks: [Int] = []
  private var memo: [Int: PickleValue] = [:]
  private var spent = 0

  /// Reads the pickle at the start of `bytes`, which may go on behind it.
  /// - Parameters:
  ///   - bytes: the pickle.
  ///   - place: what errors call it: `data.pkl`.
  /// - Throws: `.badInput` for a pickle that is damaged, too large, or names a global that is hostile.
  static func read(_ bytes: ArraySlice<UInt8>, place: String) throws(StyleModelError) -> PickleDocument {
    var machine = PickleMachine(cursor: ByteCursor(bytes), place: place)
    return try machine.run()
  }

  private init(cursor: ByteCursor, place: String) {
    self.cursor = cursor
    self.place = place
  }

  private mutating func run() throws(StyleModelError) -> PickleDocument {
    while true {
      guard offset < Self.byteLimit else { throw error("is larger than \(byteSize(Self.byteLimit))") }
      guard let byte = cursor.integer(UInt8.self) else {
        throw error("ends before its STOP: the file is cut short", remedy: "download or save it again")
      }
      guard let code = PickleOpcode(rawValue: byte) else {
        throw error("has no opcode 0x\(String(byte, radix: 16)) that is known")
      }
      if code == .stop { break }
      try execute(code)
    }
    document.root = try pop()
    guard stack.isEmpty, marks.isEmpty else { throw error("stops with values left over") }
    document.byteCount = offset
    return document
  }

  private mutating func execute(_ code: PickleOpcode) throws(StyleModelError) {
    switch code {
    case .proto:
      let version = try read(UInt8.self)
      guard version <= 5 else { throw error("is of protocol \(version); 0 to 5 can be read") }
    case .frame: _ = try read(UInt64.self)
    case .stop: break

    case .none: try push(.none)
    case .newTrue: try push(.bool(true))
    case .newFalse: try push(.bool(false))
    case .binInt: try push(.integer(Int(try read(Int32.self))))
    case .binInt1: try push(.integer(Int(try read(UInt8.self))))
    case .binInt2: try push(.integer(Int(try read(UInt16.self))))
    case .int, .long: try push(textInteger(try line()))
    case .long1: try push(longInteger(try take(Int(try read(UInt8.self)))))
    case .long4: try push(longInteger(try take(Int(try read(Int32.self)))))
    case .float:
      guard let value = Double(try line()) else { throw error("holds a number that is none") }
      try push(.double(value))
    case .binFloat: try push(.double(Double(bitPattern: try read(UInt64.self).byteSwapped)))

    case .string: try push(.string(unquoted(try line())))
    case .unicode: try push(.string(try line()))
    case .shortBinUnicode, .shortBinString: try push(text(Int(try read(UInt8.self))))
    case .binUnicode: try push(text(Int(try read(UInt32.self))))
    case .binString: try push(text(Int(try read(Int32.self))))
    case .binUnicode8: try push(text(try length()))
    case .shortBinBytes: try push(bytes(Int(try read(UInt8.self))))
    case .binBytes: try push(bytes(Int(try read(UInt32.self))))
    case .binBytes8, .byteArray8: try push(bytes(try length()))

    case .emptyTuple: try push(.tuple([]))
    case .tuple1: try push(.tuple(try pop(1)))
    case .tuple2: try push(.tuple(try pop(2)))
    case .tuple3: try push(.tuple(try pop(3)))
    case .tuple: try push(.tuple(try popToMark()))
    case .emptyList: try push(.list([]))
    case .list: try push(.list(try popToMark()))
    case .emptySet: try push(.set([]))
    case .frozenSet: try push(.set(try popToMark()))
    case .emptyDict: try push(.dict([]))
    case .dict: try push(.dict(try items(try popToMark())))

    case .append: try add(try pop(1))
    case .appends, .addItems: try add(try popToMark())
    case .setItem: try set(try items(try pop(2)))
    case .setItems: try set(try items(try popToMark()))

    case .mark:
      try spend()
      marks.append(stack.count)
    case .pop: if stack.count == marks.last { marks.removeLast() } else { _ = try pop() }
    case .popMark: _ = try popToMark()
    case .dup: try push(try top())

    case .put: try memoize(try index(try line()))
    case .binPut: try memoize(Int(try read(UInt8.self)))
    case .longBinPut: try memoize(Int(try read(UInt32.self)))
    case .memoize: try memoize(memo.count)
    case .get: try recall(try index(try line()))
    case .binGet: try recall(Int(try read(UInt8.self)))
    case .longBinGet: try recall(Int(try read(UInt32.self)))

    case .global: try push(global(module: try line(), name: try line()))
    case .stackGlobal:
      let parts = try pop(2)
      guard case .string(let module) = parts[0], case .string(let name) = parts[1] else {
        throw error("names a global by something that is no text")
      }
      try push(global(module: module, name: name))
    case .ext1, .ext2, .ext4:
      throw error("uses the extension registry, which only the program that wrote it has")
    case .nextBuffer, .readonlyBuffer:
      throw error("keeps its buffers outside the file", remedy: "save the state dict with torch.save")

    case .persID: try push(.persistent(.string(try line())))
    case .binPersID: try push(.persistent(try pop()))

    case .reduce, .newObj:
      let parts = try pop(2)
      try push(.call(PickleCall(callable: parts[0], arguments: parts[1])))
    case .newObjEx:
      let parts = try pop(3)
      try push(.call(PickleCall(callable: parts[0], arguments: parts[1])))
    case .inst:
      let callable = try global(module: try line(), name: try line())
      try pushCall(callable, try popToMark())
    case .obj:
      let parts = try popToMark()
      guard let callable = parts.first else { throw error("makes an object of no class") }
      try pushCall(callable, Array(parts.dropFirst()))
    case .build:
      let state = try pop()
      if case .object(let index) = try top(), case .call(var call) = document.objects[index] {
        call.state = state
        document.objects[index] = .call(call)
      }
    }
  }

  // MARK: The stack

  private mutating func push(_ value: PickleValue) throws(StyleModelError) {
    try spend()
    stack.append(value)
  }

  /// Pays for one more entry on the stack, in the memo or among the marks.
  private mutating func spend() throws(StyleModelError) {
    spent += 1
    guard spent <= Self.valueLimit else { throw error("makes more than \(grouped(Self.valueLimit)) values") }
  }

  private mutating func push(_ object: PickleObject) throws(StyleModelError) {
    try push(try made(object))
  }

  private mutating func pushCall(_ callable: PickleValue, _ arguments: [PickleValue]) throws(StyleModelError)
  {
    try push(.call(PickleCall(callable: callable, arguments: try made(.tuple(arguments)))))
  }

  private mutating func made(_ object: PickleObject) throws(StyleModelError) -> PickleValue {
    guard document.objects.count < Self.objectLimit else {
      throw error("makes more than \(grouped(Self.objectLimit)) objects")
    }
    document.objects.append(object)
    return .object(document.objects.count - 1)
  }

  private func top() throws(StyleModelError) -> PickleValue {
    guard stack.count > marks.last ?? 0, let value = stack.last else {
      throw error("takes from an empty stack")
    }
    return value
  }

  private mutating func pop() throws(StyleModelError) -> PickleValue {
    let value = try top()
    stack.removeLast()
    return value
  }

  private mutating func pop(_ count: Int) throws(StyleModelError) -> [PickleValue] {
    guard stack.count - (marks.last ?? 0) >= count else { throw error("takes from an empty stack") }
    defer { stack.removeLast(count) }
    return Array(stack.suffix(count))
  }

  private mutating func popToMark() throws(StyleModelError) -> [PickleValue] {
    guard let mark = marks.popLast() else { throw error("closes a MARK that it did not open") }
    defer { stack.removeLast(stack.count - mark) }
    return Array(stack[mark...])
  }

  // MARK: Containers and the memo

  private func items(_ values: [PickleValue]) throws(StyleModelError) -> [PickleItem] {
    guard values.count % 2 == 0 else { throw error("gives a dict a key without a value") }
    return stride(from: 0, to: values.count, by: 2).map { PickleItem(key: values[$0], value: values[$0 + 1]) }
  }

  private mutating func add(_ values: [PickleValue]) throws(StyleModelError) {
    guard case .object(let index) = try top(), document.objects[index].add(values) else {
      throw error("appends to something that is no list")
    }
  }

  private mutating func set(_ items: [PickleItem]) throws(StyleModelError) {
    guard case .object(let index) = try top(), document.objects[index].set(items) else {
      throw error("sets an item of something that is no dict")
    }
  }

  private mutating func memoize(_ index: Int) throws(StyleModelError) {
    try spend()
    memo[index] = try top()
  }

  private mutating func recall(_ index: Int) throws(StyleModelError) {
    guard let value = memo[index] else { throw error("recalls value \(index), which it never memoised") }
    try push(value)
  }

  private mutating func global(module: String, name: String) throws(StyleModelError) -> PickleValue {
    guard module.utf8.count <= 512, name.utf8.count <= 512 else {
      throw error("names a global by more than 512 letters")
    }
    let global = PickleGlobal(module: module, name: name)
    if let index = globalIndices[global] { return .global(index) }
    guard !HostileGlobals.contains(global) else {
      throw error(
        "names \(printable(global.description, limit: 120)), for which a checkpoint has no use",
        remedy: "nothing was run; the file is probably malicious, do not load it in PyTorch")
    }
    document.globals.append(global)
    globalIndices[global] = document.globals.count - 1
    return .global(document.globals.count - 1)
  }

  // MARK: Operands

  private mutating func read<T: FixedWidthInteger>(_ type: T.Type) throws(StyleModelError) -> T {
    guard let value = cursor.integer(type) else { throw cutShort() }
    return value
  }

  private mutating func length() throws(StyleModelError) -> Int {
    guard let length = Int(exactly: try read(UInt64.self)) else { throw cutShort() }
    return length
  }

  private mutating func take(_ count: Int) throws(StyleModelError) -> ArraySlice<UInt8> {
    guard count >= 0 else { throw error("states a negative length") }
    guard let bytes = cursor.take(count) else { throw cutShort() }
    return bytes
  }

  private mutating func line() throws(StyleModelError) -> String {
    guard let bytes = cursor.line() else { throw cutShort() }
    return String(decoding: bytes.last == 0x0D ? bytes.dropLast() : bytes, as: UTF8.self)
  }

  private mutating func text(_ count: Int) throws(StyleModelError) -> PickleValue {
    .string(String(decoding: try take(count), as: UTF8.self))
  }

  private mutating func bytes(_ count: Int) throws(StyleModelError) -> PickleValue {
    let bytes = try take(count)
    let start = cursor.bytes.startIndex
    return .bytes(bytes.startIndex - start..<bytes.endIndex - start)
  }

  private func index(_ text: String) throws(StyleModelError) -> Int {
    guard let index = Int(text), index >= 0 else { throw error("uses a memo index that is no number") }
    return index
  }

  /// Protocol 0 writes booleans as the integers 00 and 01, and long integers with an L at their end.
  private func textInteger(_ text: String) throws(StyleModelError) -> PickleValue {
    if text == "00" { return .bool(false) }
    if text == "01" { return .bool(true) }
    let digits = text.hasSuffix("L") ? text.dropLast() : text[...]
    if let value = Int(digits) { return .integer(value) }
    guard !digits.isEmpty, digits.drop(while: { $0 == "-" }).allSatisfy(\.isNumber) else {
      throw error("holds a number that is none")
    }
    return .bigInteger
  }

  /// Little-endian two's complement of any length.
  private func longInteger(_ bytes: ArraySlice<UInt8>) -> PickleValue {
    guard bytes.count <= 8 else { return .bigInteger }
    var value: UInt64 = bytes.last ?? 0 >= 0x80 ? .max : 0
    for byte in bytes.reversed() { value = value << 8 | UInt64(byte) }
    return .integer(Int(truncatingIfNeeded: value))
  }

  private func unquoted(_ text: String) -> String {
    guard text.count >= 2, let quote = text.first, quote == "'" || quote == "\"", text.last == quote else {
      return text
    }
    return String(text.dropFirst().dropLast())
  }

  // MARK: Errors

  private var offset: Int { cursor.position - cursor.bytes.startIndex }

  private func cutShort() -> StyleModelError {
    error("states more bytes than are left of it (\(grouped(cursor.remaining)))")
  }

  private func error(
    _ problem: String, remedy: String = "the file is damaged; download or save it again"
  ) -> StyleModelError {
    StyleModelError(.badInput, place: "\(place), byte \(grouped(offset))", problem, remedy: remedy)
  }
}
