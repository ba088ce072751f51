import Glibc

/// How much memory this process has in use.
///
/// The kernel's own account of it: what `getrusage` calls the peak begins with that of the process that started this one.
public enum ProcessMemory {
  /// At this moment, in bytes.
  public static var current: Int { field("VmRSS:") }

  /// The most there has been so far, in bytes.
  public static var peak: Int { field("VmHWM:") }

  /// A line of `/proc/self/status` in bytes; 0 where there is no such thing.
  private static func field(_ name: String) -> Int {
    guard let file = fopen("/proc/self/status", "re") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      guard text.hasPrefix(name) else { continue }
      return (Int(text.dropFirst(name.count).filter(\.isNumber)) ?? 0) * 1024
    }
    return 0
  }
}
