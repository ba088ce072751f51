import CKernels

/// The SHA-256 digest of some bytes: 32 bytes that tell one file's contents from every other's.
public func sha256(_ bytes: [UInt8]) -> [UInt8] {
  [UInt8](unsafeUninitializedCapacity: 32) { out, count in
    if let digest = out.baseAddress { ck_sha256(bytes, bytes.count, digest) }
    count = 32
  }
}

/// Bytes as hexadecimal digits, two each: how digests are written.
public func hexadecimal(_ bytes: [UInt8]) -> String {
  let digits = Array("0123456789abcdef")
  var result = ""
  for byte in bytes {
    result.append(digits[Int(byte >> 4)])
    result.append(digits[Int(byte & 15)])
  }
  return result
}
