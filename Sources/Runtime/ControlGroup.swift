import Glibc

/// The memory that the process's control group may take: what a container or a batch system grants, where the machine
/// itself has more.
enum ControlGroup {
  /// The least of the limits that hold for this process, in bytes; nil where there is none.
  static let memoryLimit = memoryLimit(
    groups: lines(of: "/proc/self/cgroup"), root: "/sys/fs/cgroup", read: { lines(of: $0).first })

  /// The least limit of the process's group and of all that enclose it.
  /// - Parameters:
  ///   - groups: the lines of `/proc/self/cgroup`: `0::/path` of version 2, `4:memory:/path` of version 1.
  ///   - root: where the hierarchies are mounted. A container sees its own group there, whatever its path outside.
  ///   - read: the first line of a file, or nil where there is no such file.
  static func memoryLimit(groups: [String], root: String, read: (String) -> String?) -> Int? {
    var least: Int?
    for group in groups {
      let fields = group.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { continue }
      let isVersion1 = fields[1].split(separator: ",").contains("memory")
      guard isVersion1 || fields[1].isEmpty else { continue }
      let mount = isVersion1 ? root + "/memory" : root
      let file = isVersion1 ? "memory.limit_in_bytes" : "memory.max"
      var names = fields[2].split(separator: "/")
      while true {
        let folder = names.reduce(mount) { $0 + "/" + $1 }
        // "max", or a number too large to be one, is no limit.
        if let limit = read(folder + "/" + file).flatMap({ Int($0) }), limit > 0 {
          least = min(least ?? limit, limit)
        }
        guard names.popLast() != nil else { break }
      }
    }
    return least
  }

  private static func lines(of path: String) -> [String] {
    guard let file = fopen(path, "re") else { return [] }
    defer { fclose(file) }
    var lines: [String] = []
    var line = [CChar](repeating: 0, count: 4096)
    while lines.count < 64, fgets(&line, Int32(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      lines.append(text.hasSuffix("\n") ? String(text.dropLast()) : text)
    }
    return lines
  }
}
