public import Diagnostics
import Files
import Glibc

/// A folder of a test's own; it goes away, with all that is in it, when its owner does.
public final class TemporaryFolder: Sendable {
  /// The folder, without a slash at the end.
  public let path: String

  /// Makes an empty folder.
  /// - Throws: `.cannotCreate` when there is no room for one.
  public init() throws(StyleModelError) {
    var template = Array("/tmp/stylemodel-tests-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw StyleModelError(.cannotCreate, file: "/tmp", "takes no folder (\(systemErrorText(errno)))")
    }
    path = String(cString: made)
  }

  deinit { remove(path) }

  /// The path of a file in it.
  public func path(_ name: String) -> String { path + "/" + name }

  /// Writes a file.
  /// - Returns: its path.
  @discardableResult
  public func write(_ bytes: some Sequence<UInt8>, as name: String) throws(StyleModelError) -> String {
    try replaceFile(path(name), with: bytes)
    return path(name)
  }

  /// Makes a folder in it.
  /// - Returns: its path.
  public func makeFolder(_ name: String) -> String {
    mkdir(path(name), 0o755)
    return path(name)
  }

  /// Copies a file of the repository's `Fixtures` into it.
  /// - Parameter name: what the copy is called; nil is as the fixture is.
  /// - Returns: its path.
  @discardableResult
  public func copy(fixture: String, as name: String? = nil) throws(StyleModelError) -> String {
    let own = fixture.split(separator: "/").last.map(String.init) ?? fixture
    return try write(try fixtureBytes(fixture), as: name ?? own)
  }

  /// The names of what is in it, sorted; hidden files count, since none may be left behind.
  public var names: [String] { entries(of: path).sorted() }
}

private func entries(of folder: String) -> [String] {
  guard let handle = opendir(folder) else { return [] }
  defer { closedir(handle) }
  var names: [String] = []
  while let entry = readdir(handle) {
    let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names
}

private func remove(_ path: String) {
  var status = stat()
  guard lstat(path, &status) == 0 else { return }
  guard status.st_mode & S_IFMT == S_IFDIR else {
    unlink(path)
    return
  }
  chmod(path, 0o700)
  for name in entries(of: path) { remove(path + "/" + name) }
  rmdir(path)
}
