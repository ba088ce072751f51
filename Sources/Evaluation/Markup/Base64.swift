/// Bytes as Base64 with padding (RFC 4648, section 4): what data URIs hold.
func base64(_ bytes: [UInt8]) -> String {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  let length = (bytes.count + 2) / 3 * 4
  return String(unsafeUninitializedCapacity: length) { text in
    var written = 0
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = Swift.min(3, bytes.count - start)
      var group: UInt32 = 0
      for index in 0..<3 { group = group << 8 | (index < count ? UInt32(bytes[start + index]) : 0) }
      for digit in 0..<4 {
        text[written] =
          digit <= count ? alphabet[Int(group >> (18 - 6 * UInt32(digit))) & 63] : UInt8(ascii: "=")
        written += 1
      }
    }
    return written
  }
}

/// Reads Base64 as `base64` writes it.
/// - Returns: nil for anything else.
func decodedBase64(_ text: String) -> [UInt8]? {
  var values = [Int8](repeating: -1, count: 256)
  for (value, letter) in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8.enumerated()
  {
    values[Int(letter)] = Int8(value)
  }
  var letters = Array(text.utf8)
  guard letters.count % 4 == 0 else { return nil }
  let padding = letters.suffix(2).count { $0 == UInt8(ascii: "=") }
  letters.removeLast(padding)
  var bytes: [UInt8] = []
  bytes.reserveCapacity(letters.count / 4 * 3 + 3)
  var group: UInt32 = 0
  for (index, letter) in letters.enumerated() {
    let value = values[Int(letter)]
    guard value >= 0 else { return nil }
    group = group << 6 | UInt32(value)
    guard index % 4 == 3 else { continue }
    bytes += [UInt8(group >> 16 & 255), UInt8(group >> 8 & 255), UInt8(group & 255)]
  }
  switch letters.count % 4 {
  case 2: bytes.append(UInt8(group >> 4 & 255))
  case 3: bytes += [UInt8(group >> 10 & 255), UInt8(group >> 2 & 255)]
  default: break
  }
  return bytes
}
