import Diagnostics
import MLProgramImporter
import TestSupport
import Testing

/// The error of reading a package and the network in it, or nil if there was none.
private func refusal(_ path: String) -> StyleModelError? {
  do throws(StyleModelError) {
    let package = try MLPackage(path)
    _ = try readMLProgram(package.model, readBeside: package.file).network.get()
    return nil
  } catch { return error.withoutFile }
}

@Suite struct HostilePackagesTests {
  @Test(arguments: Refusal.listed(in: "mlpackage")) func isRefusedWithItsMessage(_ expected: Refusal) {
    let error = refusal(fixturePath("hostile/mlpackage/" + expected.file))
    #expect(error?.message == expected.message)
    #expect(error?.kind == .badInput)
  }

  @Test func everyPackageHasAMessage() throws {
    #expect(try Refusal.unmatched(in: "mlpackage", suffix: ".mlpackage") == [])
    #expect(Refusal.listed(in: "mlpackage").count > 40)
  }

  /// A package cut short anywhere is refused, or is still the same network.
  @Test func whatIsCutShortNeverCrashes() throws {
    let package = try MLPackage(fixturePath("mlpackage/small_image_fp16.mlpackage"))
    let whole = try readMLProgram(package.model, readBeside: package.file).network.get()
    for cut in stride(from: 0, to: package.model.count, by: 997) {
      let model = Array(package.model[..<cut])
      let read = try? readMLProgram(model, readBeside: package.file).network.get()
      #expect(read == nil || read?.graph == whole.graph)
    }
    for cut in stride(from: 0, to: 221_000, by: 9973) {
      #expect(throws: StyleModelError.self) {
        try readMLProgram(package.model) { (name) throws(StyleModelError) in
          Array(try package.file(besideModel: name)[..<cut])
        }
      }
    }
  }
}
