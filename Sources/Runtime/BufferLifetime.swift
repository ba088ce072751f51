/// The first and last step that need a buffer, and how large it is.
struct BufferLifetime {
  let floats: Int
  var first: Int
  var last: Int

  /// Makes the buffer live at a step.
  mutating func extend(to step: Int) {
    first = min(first, step)
    last = max(last, step)
  }

  private func overlaps(_ other: BufferLifetime) -> Bool { first <= other.last && other.first <= last }

  /// Places buffers in one block of memory so that those alive at the same time do not overlap: the largest first,
  /// each as low as it fits.
  static func place(_ buffers: [BufferLifetime]) -> (offsets: [Int], total: Int) {
    var offsets = [Int](repeating: 0, count: buffers.count)
    var placed: [Int] = []
    var total = 0
    for index in buffers.indices.sorted(by: { (buffers[$0].floats, $1) > (buffers[$1].floats, $0) }) {
      var offset = 0
      for other in placed.sorted(by: { offsets[$0] < offsets[$1] })
      where buffers[index].overlaps(buffers[other]) {
        if offset + buffers[index].floats <= offsets[other] { break }
        offset = max(offset, offsets[other] + buffers[other].floats)
      }
      offsets[index] = offset
      placed.append(index)
      total = max(total, offset + buffers[index].floats)
    }
    return (offsets, total)
  }
}
