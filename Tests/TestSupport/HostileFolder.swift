public import Diagnostics
import Files

/// A file that must be refused, and the message it must get.
public struct Refusal: CustomStringConvertible, Sendable {
  /// The file's name in its folder.
  public var file: String
  /// The message, without the file.
  public var message: String

  /// As test reports name it.
  public var description: String { file }

  /// The refusals that a folder below `Fixtures/hostile` lists in its messages.txt, one `FILE: MESSAGE` a line.
  public static func listed(in folder: String) -> [Refusal] {
    let bytes = (try? fixtureBytes("hostile/\(folder)/messages.txt")) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      return Refusal(file: String(line[..<colon]), message: String(line[colon...].dropFirst(2)))
    }
  }

  /// The files of such a folder that have no message, and the messages that have no file.
  public static func unmatched(in folder: String, suffix: String) throws(StyleModelError) -> Set<String> {
    let files = try listFolder(fixturePath("hostile/" + folder)).filter { $0.hasSuffix(suffix) }
    return Set(files).symmetricDifference(listed(in: folder).map(\.file))
  }
}
