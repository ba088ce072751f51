import CImageCodecs
import Diagnostics

/// One of the two C codecs: its reading half.
struct PictureDecoder: Sendable {
  /// As it stands in messages: `PNG`.
  let name: String
  let readLayout:
    @Sendable (
      UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<ci_layout>?, UnsafeMutablePointer<ci_message>?
    ) ->
      ci_status
  let decodeSamples:
    @Sendable (
      UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt8>?, Int, UnsafeMutablePointer<ci_message>?
    ) ->
      ci_status

  /// What the header says; the size is within the limits.
  func layout(of bytes: [UInt8]) throws(StyleModelError) -> ci_layout {
    var layout = ci_layout()
    var message = ci_message()
    try check(readLayout(bytes, bytes.count, &layout, &message), message)
    try checkPictureSize(width: Int(layout.width), height: Int(layout.height))
    return layout
  }

  /// The samples as the layout describes them, and the codec's own warning if it had one.
  func samples(of bytes: [UInt8], layout: ci_layout) throws(StyleModelError) -> ([UInt8], warning: String?) {
    let size = Int(layout.width) * Int(layout.height) * Int(layout.channels) * Int(layout.bytes_per_sample)
    var message = ci_message()
    var status = CI_DONE
    let samples = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      status = decodeSamples(bytes, bytes.count, buffer.baseAddress, size, &message)
      count = status == CI_DONE ? size : 0
    }
    try check(status, message)
    let warning = text(of: message.warning)
    return (samples, warning.isEmpty ? nil : warning)
  }

  private func check(_ status: ci_status, _ message: ci_message) throws(StyleModelError) {
    switch status {
    case CI_DONE: return
    case CI_CUT_OFF:
      throw StyleModelError(
        .badInput, "is cut off: a \(name) that ends before its picture does (\(text(of: message.reason)))",
        remedy: "copy or download it again")
    default:
      throw StyleModelError(
        .badInput, "is a \(name) that cannot be decoded (\(text(of: message.reason)))",
        remedy: "open it in a picture editor and save it again")
    }
  }
}

/// Runs one of the C encoders over 8-bit RGB.
func encode(
  _ name: String, _ picture: Picture, rounding: Rounding,
  with encoder: (
    UnsafePointer<UInt8>?, UInt32, UInt32, UnsafeMutablePointer<ci_buffer>?, UnsafeMutablePointer<ci_message>?
  ) -> ci_status
) throws(StyleModelError) -> [UInt8] {
  try checkFinite(picture)
  try checkPictureSize(width: picture.width, height: picture.height)
  let rgb = picture.quantizedTo8Bits(rounding: rounding)
  var buffer = ci_buffer()
  defer { ci_buffer_free(&buffer) }
  var message = ci_message()
  guard encoder(rgb, UInt32(picture.width), UInt32(picture.height), &buffer, &message) == CI_DONE else {
    throw StyleModelError(
      .cannotWrite,
      "a picture of \(sizeText(width: picture.width, height: picture.height)) cannot be written as \(name) "
        + "(\(text(of: message.reason)))", remedy: "choose another format")
  }
  return Array(UnsafeBufferPointer(start: buffer.bytes, count: buffer.count))
}

/// Refuses a picture that no file of bytes can hold.
private func checkFinite(_ picture: Picture) throws(StyleModelError) {
  let count = picture.nonFiniteCount
  guard count == 0 else {
    throw StyleModelError(
      .gateFailed,
      "\(counted(count, "sample")) of \(grouped(picture.samples.count)) are not finite numbers",
      remedy: "a .npy output keeps them for a closer look")
  }
}

/// A fixed array of characters that ends with a zero.
private func text<Characters>(of characters: Characters) -> String {
  withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
