import Diagnostics
import TestSupport
import Testing

@testable import Files

@Suite struct GlobTests {
  @Test func patternsAndNames() throws {
    let folder = try TemporaryFolder()
    for name in ["b.pth", "a.pth", "B.pth", "c.txt", "d[1].pth"] { try folder.write([], as: name) }
    func names(_ pattern: String) throws -> [String] {
      try expandedPattern(folder.path(pattern)).map { String($0.dropFirst(folder.path.count + 1)) }
    }
    #expect(try names("*.pth") == ["B.pth", "a.pth", "b.pth", "d[1].pth"])
    #expect(try names("[ab].pth") == ["a.pth", "b.pth"])
    #expect(try names("d[1].pth") == ["d[1].pth"], "a file of that very name")
    #expect(try names("none.pth") == ["none.pth"], "no pattern: whoever reads it says that it is not there")
    let error = #expect(throws: StyleModelError.self) { try names("*.onnx") }
    #expect(error?.kind == .cannotOpen)
  }
}
