import Diagnostics
import StyleModelKit
import TestSupport
import Testing

@testable import CommandLine

@Suite struct DiffTests {
  private let folder: TemporaryFolder
  private var source: String { fixturePath("mosaic_small_3000.pth") }

  init() throws {
    folder = try TemporaryFolder()
    for (name, options) in [("a", ["--int8"]), ("b", ["--bits", "6"]), ("c", ["--int8", "--io", "unit"])] {
      let made = try capture(["convert", source, "-o", folder.path(name + ".stylemodel")] + options)
      #expect(made.status == 0, "\(made.diagnostics)")
    }
  }

  private func diff(_ a: String, _ b: String, _ options: String...) throws -> Captured {
    func path(_ name: String) -> String { name.contains("/") ? name : folder.path(name + ".stylemodel") }
    return try capture(["diff", path(a), path(b)] + options)
  }

  private func json(_ a: String, _ b: String) throws -> JSONValue {
    try JSONValue(parsing: Array(try diff(a, b, "--json").output.utf8)[...])
  }

  @Test func ofAFileWithItself() throws {
    let same = try diff("a", "a", "--fail-if-different")
    #expect(same.status == 0 && same.output.hasSuffix("\nthe same file, byte for byte\n"))
    let json = try json("a", "a")
    #expect(json["same_file"] == true && json["same_network"] == true)
    for key in ["file", "origin", "pixels", "operations", "tensors"] { #expect(json[key] == .array([])) }
  }

  @Test func ofTwoWidths() throws {
    #expect(try diff("a", "b").status == 0)
    let different = try diff("a", "b", "--fail-if-different")
    #expect(different.status == 1 && different.diagnostics.isEmpty)
    #expect(different.output.contains("\ntwo different networks\n"))
    #expect(different.output.contains("  storage: int8 -> int6\n"))
    #expect(different.output.contains("  options: --int8 -> --bits 6\n"))
    let json = try json("a", "b")
    #expect(json["operations"] == .array([]) && json["pixels"] == .array([]))
    let tensors = try #require(json["tensors"]?.items)
    #expect(tensors.count == 16)
    for tensor in tensors {
      #expect(tensor["b"]?["stored_as"]?.string == "int6 per channel (axis 0)")
      let noise = try #require(tensor["snr_db"]?.number)
      // 6 bits are worth about 30 dB, and 8 bits hardly count beside them.
      #expect(noise > 20 && noise < 40)
      #expect(try #require(tensor["max_abs_difference"]?.number) > 0)
    }
  }

  @Test func ofTwoContracts() throws {
    let json = try json("a", "c")
    let properties = json["pixels"]?.items?.compactMap { $0["property"]?.string } ?? []
    #expect(properties == ["input scale", "input bias", "output scale", "output bias"])
    #expect(json["tensors"] == .array([]) && json["same_network"] == false)
  }

  @Test func ofASourceAndItsConversion() throws {
    let json = try json(source, "a")
    let operations = try #require(json["operations"]?.items)
    let gone = operations.filter { $0["only_in"]?.string == "a" }.compactMap { $0["operation"]?.string }
    #expect(gone.contains { $0.hasPrefix("pad(%, amounts: [4, 4, 4, 4], mode: reflect)") })
    let tensors = try #require(json["tensors"]?.items)
    #expect(tensors.contains { $0["b"] == .null } && tensors.contains { $0["b"] != .null })
    for line in try diff(source, "a").output.split(separator: "\n") where !line.contains(folder.path) {
      #expect(line.count <= 80 || line.contains("Fixtures"), "\(line)")
    }
  }

  @Test func ofAFileThatIsNone() throws {
    #expect(try diff("a", "none").status == 66)
    let path = try folder.write("text".utf8, as: "bad.stylemodel")
    #expect(try diff(path, "a").status == 65)
  }
}
