public import Diagnostics
import Files

/// The path of a file in the repository's `Fixtures` folder, wherever the tests are run from.
/// - Parameter name: relative to `Fixtures`: `astronaut_256x256.png`, `pictures/palette_4x3.png`.
public func fixturePath(_ name: String) -> String {
  repositoryRoot + "/Fixtures/" + name
}

/// The bytes of a file in the repository's `Fixtures` folder.
/// - Throws: `StyleModelError` naming the path when it cannot be read.
public func fixtureBytes(_ name: String) throws(StyleModelError) -> [UInt8] {
  try readFile(fixturePath(name))
}

/// The folder that holds `Package.swift`, as the compiler saw it: this file is `Tests/TestSupport/Fixtures.swift`.
public let repositoryRoot: String = {
  let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
  return parts.dropLast(3).joined(separator: "/")
}()
