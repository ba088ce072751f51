/// A bound on the work that reading one checkpoint may take.
///
/// Objects of a pickle are shared, so a file of a megabyte can offer the same long dict a hundred thousand times.
/// Whoever looks through one pays for its length first.
struct Effort {
  private var left = 2 << 20

  /// Pays for looking at `count` values; false once the bound is reached.
  mutating func spend(_ count: Int) -> Bool {
    guard count < left else {
      left = 0
      return false
    }
    left -= count + 1
    return true
  }
}
