import Glibc

/// How much memory a run may take: weights, features, and the pictures on both ends.
public struct MemoryLimit: Hashable, Sendable {
  /// What it should keep to where it can, in bytes: a picture that takes more in one piece is run in bands, which takes
  /// less memory and a little more time.
  public var wanted: Int
  /// What it must keep to, in bytes: a picture that takes more even so is refused before any work starts.
  public var most: Int

  /// Creates a limit.
  public init(wanted: Int, most: Int) {
    self.wanted = wanted
    self.most = most
  }

  /// The same for both.
  public static func bytes(_ count: Int) -> MemoryLimit { MemoryLimit(wanted: count, most: count) }

  /// Everything in one piece, whatever it takes.
  public static let none = MemoryLimit(wanted: .max, most: .max)

  /// For a machine that others use too: a gigabyte or a quarter of the memory, whichever is less; never more than three
  /// quarters of it.
  public static var automatic: MemoryLimit {
    let memory = max(sysconf(Int32(_SC_PHYS_PAGES)), 1) * max(sysconf(Int32(_SC_PAGESIZE)), 1)
    return MemoryLimit(wanted: min(900_000_000, memory / 4), most: memory / 4 * 3)
  }
}
