import CKernels

/// Something done to every number on its own while it is in the cache: after a step has computed it, before
/// anything else reads it.
enum Stage {
  /// A normalisation by coefficients that are known by then.
  case normalize(ChannelCoefficients)
  /// A function of the number.
  case activate(ck_activation)
  /// A function of the number and its counterpart in another buffer, which is the left one if `otherFirst`.
  case combine(ck_combination, other: BufferID, otherFirst: Bool)
  /// Rounding to half precision, with a count of what overflows.
  case roundToHalf(HalfRounding)

  /// The buffer that is read besides the one worked on.
  var other: BufferID? {
    if case .combine(_, let other, _) = self { other } else { nil }
  }
}

extension Machine {
  /// Applies stages to `count` neighbouring pixels of a buffer, from `first` on, where they stand; or on the way
  /// from `source`, a buffer of the same layout.
  func apply(
    _ stages: [Stage], first: Int, count: Int, of buffer: BufferID, pixelStride: Int,
    from source: BufferID? = nil
  ) {
    // A few kilobytes at a time, so that the second stage finds in the cache what the first has left there.
    let chunk = max(8, 4096 / pixelStride / 8 * 8)
    let target = pointer(buffer)
    var pixel = first
    while pixel < first + count {
      let offset = pixel * pixelStride
      let floats = min(chunk, first + count - pixel) * pixelStride
      var input = UnsafePointer(source.map(pointer) ?? target) + offset
      let output = target + offset
      for stage in stages {
        switch stage {
        case .normalize(let it):
          ck_normalize(kernels, input, output, floats, it.center, it.scale, it.shift, it.period)
        case .activate(let activation):
          if input != UnsafePointer(output) { output.update(from: input, count: floats) }
          ck_activate(kernels, activation, output, floats)
        case .combine(let combination, let other, let otherFirst):
          let counterpart = UnsafePointer(pointer(other)) + offset
          ck_combine(
            kernels, combination, otherFirst ? counterpart : input, otherFirst ? input : counterpart, output,
            floats)
        case .roundToHalf(let rounding):
          if input != UnsafePointer(output) { output.update(from: input, count: floats) }
          rounding.round(output, pixels: floats / pixelStride, pixelStride: pixelStride)
        }
        input = UnsafePointer(output)
      }
      pixel += chunk
    }
  }
}
