import Diagnostics
import Tensors

/// How a map of features lies in memory: `[height, width, channels]`, one pixel `pixelStride` floats after the
/// other. Eight and more channels are rounded up to a multiple of eight; what is in the lanes beyond the channels
/// is written along and means nothing.
struct MapLayout: Hashable, Sendable {
  let height: Int
  let width: Int
  let channels: Int

  /// The layout of `[1, C, H, W]`.
  /// - Throws: `.badInput` where a map is larger than tables and sums of sizes are made for.
  init(_ shape: Shape) throws(StyleModelError) {
    let extents = shape.dimensions.suffix(3)
    guard extents.allSatisfy({ $0 <= 1 << 24 }), shape.count <= 1 << 36 else {
      throw StyleModelError(.badInput, "a map of \(shape) is too large", remedy: "use a smaller picture")
    }
    channels = shape[1]
    height = shape[2]
    width = shape[3]
  }

  var pixelStride: Int { channels < 8 ? channels : (channels + 7) / 8 * 8 }
  var rowStride: Int { width * pixelStride }
  var pixels: Int { width * height }
  /// All of it, rounded up to a cache line.
  var floatCount: Int { (height * rowStride + 15) / 16 * 16 }
}
