package import Diagnostics
import Glibc

/// Memory aligned to cache lines, freed with its owner.
package final class AlignedMemory<Element> {
  /// The first element.
  package let base: UnsafeMutablePointer<Element>
  /// The number of elements.
  package let count: Int

  /// Allocates `count` elements, all zero bits.
  /// - Throws: `.badInput` when the system does not give that much.
  package init(zeros count: Int) throws(StyleModelError) {
    let (bytes, overflow) = max(count, 1).multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
    var raw: UnsafeMutableRawPointer?
    guard !overflow, posix_memalign(&raw, 64, bytes) == 0, let raw else {
      throw StyleModelError(
        .badInput, "there is not enough memory for this picture", remedy: "use a smaller picture")
    }
    memset(raw, 0, bytes)
    base = raw.bindMemory(to: Element.self, capacity: max(count, 1))
    self.count = count
  }

  deinit { free(base) }
}
