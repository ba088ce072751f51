import Glibc

/// `value` with exactly `digits` decimals, rounded as `printf` rounds; not-a-number and infinities as
/// `nan`, `inf`, `-inf`.
public func fixed(_ value: Double, _ digits: Int) -> String {
  if value.isNaN { return "nan" }
  if value.isInfinite { return value < 0 ? "-inf" : "inf" }
  return withVaList([Int32(digits), value]) { arguments in
    var buffer = [CChar](repeating: 0, count: 400)
    let length = vsnprintf(&buffer, buffer.count, "%.*f", arguments)
    return String(
      decoding: buffer.prefix(max(0, min(Int(length), buffer.count - 1))).map(UInt8.init(bitPattern:)),
      as: UTF8.self)
  }
}

/// A difference with its sign, as `fixed` writes it: `-3.10`, `+0.25`, and `0.00` for what rounds to nothing.
public func signed(_ value: Double, _ digits: Int) -> String {
  let text = fixed(value, digits)
  if text.allSatisfy({ "-0.".contains($0) }) { return fixed(0, digits) }
  return value > 0 ? "+" + text : text
}

/// A byte count with its thousands set apart: `1,674,432`.
public func grouped(_ value: Int) -> String {
  let digits = String(value.magnitude)
  var result = ""
  for (index, digit) in digits.enumerated() {
    if index > 0, (digits.count - index) % 3 == 0 { result.append(",") }
    result.append(digit)
  }
  return value < 0 ? "-" + result : result
}

/// A byte count for people, in powers of 1000: `137 bytes`, `454.6 kB`, `6.74 MB`.
public func byteSize(_ bytes: Int) -> String {
  switch bytes {
  case ..<1000: "\(bytes) bytes"
  case ..<1_000_000: fixed(Double(bytes) / 1e3, 1) + " kB"
  case ..<1_000_000_000: fixed(Double(bytes) / 1e6, 2) + " MB"
  default: fixed(Double(bytes) / 1e9, 2) + " GB"
  }
}

/// A picture size in the one way that sizes are ever written: `WxH`.
public func sizeText(width: Int, height: Int) -> String { "\(width)x\(height)" }

/// The noun with its count, in the plural where English wants it: `1 tensor`, `3 tensors`.
public func counted(_ count: Int, _ singular: String, _ plural: String? = nil) -> String {
  "\(grouped(count)) \(count == 1 ? singular : plural ?? singular + "s")"
}
