import Glibc

/// How much memory the process may take at its peak while pictures are run.
public struct MemoryLimit: Hashable, Sendable {
  /// What it should keep to where it can, in bytes: a picture that takes more in one piece is run in bands, which takes
  /// less memory and a little more time.
  public var wanted: Int
  /// What it must keep to, in bytes: a picture that takes more even so is refused before any work starts.
  public var most: Int
  /// What the process takes besides its runs, in bytes: its code and whatever else it holds.
  public var besides: Int

  /// Creates a limit.
  public init(wanted: Int, most: Int, besides: Int = 0) {
    self.wanted = wanted
    self.most = most
    self.besides = besides
  }

  /// The same for both.
  public static func bytes(_ count: Int, besides: Int = 0) -> MemoryLimit {
    MemoryLimit(wanted: count, most: count, besides: besides)
  }

  /// All the memory that the process can have: the system promises more, and ends the process that then uses it.
  public static let physical = MemoryLimit.bytes(physicalBytes)

  /// The machine's memory in bytes, or what a container grants of it.
  static let physicalBytes = min(
    max(sysconf(Int32(_SC_PHYS_PAGES)), 1)
      .multipliedReportingOverflow(by: max(sysconf(Int32(_SC_PAGESIZE)), 1)).partialValue,
    ControlGroup.memoryLimit ?? .max)

  /// For a machine that others use too: a gigabyte or a quarter of the memory, whichever is less; never more than three
  /// quarters of it.
  public static func automatic(besides: Int = 0) -> MemoryLimit {
    MemoryLimit(
      wanted: min(1_000_000_000, physicalBytes / 4), most: physicalBytes / 4 * 3, besides: besides)
  }
}
