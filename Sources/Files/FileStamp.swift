import Glibc

/// What tells whether a file has been replaced: its inode, size and time of change.
public struct FileStamp: Hashable, Sendable {
  private let numbers: [Int]

  /// The stamp of the file as it is now; nil where there is none.
  public init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    numbers = [
      Int(status.st_dev), Int(status.st_ino), Int(status.st_size), status.st_mtim.tv_sec,
      status.st_mtim.tv_nsec,
    ]
  }
}
