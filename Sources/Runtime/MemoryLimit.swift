import Diagnostics
import Glibc
import ModelGraph

/// The machine's memory in bytes.
let physicalMemory = sysconf(Int32(_SC_PHYS_PAGES)).multipliedReportingOverflow(
  by: sysconf(Int32(_SC_PAGESIZE))
).partialValue

extension Engine {
  /// Refuses early what cannot end well: the system promises memory that it does not have, and ends the process that
  /// then uses it.
  /// - Throws: `.badInput` when a run at this size takes more than `limit` bytes.
  func requireMemory(for size: PictureSize, limit: Int = physicalMemory) throws(StyleModelError) {
    let needed = try peakMemoryEstimate(for: size)
    guard needed > limit else { return }
    throw StyleModelError(
      .badInput,
      "takes about \(byteSize(needed)) of memory for a picture of \(size), and there are \(byteSize(limit))",
      remedy: "use a smaller picture")
  }
}
