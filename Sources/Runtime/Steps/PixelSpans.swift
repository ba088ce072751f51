/// A map cut into spans of neighbouring pixels, for steps that need no more than that. It depends on the size
/// alone, since statistics are merged span by span.
struct PixelSpans {
  private let pixels: Int
  private let length: Int

  init(_ layout: MapLayout) {
    pixels = layout.pixels
    // Some tens of kilobytes, and whole vectors whatever the pixel stride; not too many spans in a large picture.
    let shortest = max(8, 16384 / layout.pixelStride / 8 * 8)
    length = max(shortest, (pixels / 512 + 7) / 8 * 8)
  }

  var count: Int { (pixels + length - 1) / length }

  subscript(index: Int) -> Range<Int> { index * length..<min((index + 1) * length, pixels) }
}
