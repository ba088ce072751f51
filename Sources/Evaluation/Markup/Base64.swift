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
