import Tensors

/// Calls `body` with each run of neighbouring elements that belong to one channel of `axis`, in C order; without an
/// axis all elements are one run of channel 0.
func forEachRun(shape: Shape, axis: Int?, _ body: (_ channel: Int, _ elements: Range<Int>) -> Void) {
  guard shape.count > 0 else { return }
  guard let axis else { return body(0, 0..<shape.count) }
  let channels = shape[axis]
  let length = shape.dimensions[(axis + 1)...].reduce(1, *)
  var start = 0
  while start < shape.count {
    for channel in 0..<channels {
      body(channel, start..<(start + length))
      start += length
    }
  }
}
