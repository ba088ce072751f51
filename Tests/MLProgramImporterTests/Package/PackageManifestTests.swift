import Diagnostics
import Files
import Glibc
import TestSupport
import Testing

@testable import MLProgramImporter

@Suite struct PackageManifestTests {
  private func manifest(path: String, root: String = "a") -> [UInt8] {
    Array(
      """
      {"fileFormatVersion": "1.0.0", "rootModelIdentifier": "\(root)",
       "itemInfoEntries": {"a": {"path": "\(path)", "name": "model.mlmodel"}}}
      """.utf8)
  }

  @Test func namesTheModel() throws {
    let manifest = try PackageManifest(manifest(path: "com.apple.CoreML/model.mlmodel"))
    #expect(manifest.modelPath == "com.apple.CoreML/model.mlmodel")
  }

  @Test(arguments: [
    "../model.mlmodel", "/etc/passwd", "a/../../b", "a//b", "./a", "a/.", "", "a\\\\..\\\\b", "a\\u0000b",
    "..",
  ]) func pathsThatLeaveThePackageAreRefused(_ path: String) {
    let error = #expect(throws: StyleModelError.self) { try PackageManifest(manifest(path: path)) }
    #expect(error?.problem.contains("which leaves the package") == true)
  }

  @Test(arguments: [
    ("{", "byte 1"), ("[]", "fileFormatVersion"), (#"{"fileFormatVersion": "2.0"}"#, "fileFormatVersion"),
    (#"{"fileFormatVersion": "1.0.0"}"#, "itemInfoEntries"),
    (#"{"fileFormatVersion": "1.0.0", "itemInfoEntries": {"a": {}}}"#, "item 'a'"),
    (
      #"{"fileFormatVersion": "1.0.0", "itemInfoEntries": {"a": {"path": "b"}}, "rootModelIdentifier": "c"}"#,
      "rootModelIdentifier"
    ),
  ]) func damageIsNamedByItsPlace(_ text: String, _ place: String) {
    let error = #expect(throws: StyleModelError.self) { try PackageManifest(Array(text.utf8)) }
    #expect(error?.place == place)
  }
}

@Suite struct MLPackageTests {
  private func package(_ folder: TemporaryFolder) throws -> String {
    let path = folder.makeFolder("m.mlpackage")
    _ = folder.makeFolder("m.mlpackage/Data")
    try folder.write([8, 6], as: "m.mlpackage/Data/model.mlmodel")
    try folder.write(
      Array(
        """
        {"fileFormatVersion": "1.0.0", "rootModelIdentifier": "a", "itemInfoEntries":
         {"a": {"path": "model.mlmodel"}, "b": {"path": "weights"}}}
        """.utf8), as: "m.mlpackage/Manifest.json")
    return path
  }

  @Test func holdsWhatItsManifestLists() throws {
    let folder = try TemporaryFolder()
    let path = try package(folder)
    _ = folder.makeFolder("m.mlpackage/Data/weights")
    try folder.write([1], as: "m.mlpackage/Data/weights/weight.bin")
    try folder.write([2], as: "m.mlpackage/Data/other")
    for name in [path, path + "/"] {
      let package = try MLPackage(name)
      #expect(package.model == [8, 6])
      #expect(try package.file(besideModel: "weights/weight.bin") == [1])
      #expect(
        package.files.map(\.name) == ["Data/model.mlmodel", "Data/weights/weight.bin", "Manifest.json"])
      let error = #expect(throws: StyleModelError.self) { try package.file(besideModel: "other") }
      #expect(error?.kind == .badInput)
    }
  }

  @Test func missingFilesAreNamed() throws {
    let folder = try TemporaryFolder()
    let path = try package(folder)
    let error = #expect(throws: StyleModelError.self) { try MLPackage(path) }
    #expect(error?.kind == .cannotOpen && error?.file == path + "/Data/weights")
  }

  @Test(arguments: ["m.mlpackage/Data/weights", "m.mlpackage/Data/weights/weight.bin"])
  func linksAreNotFollowed(_ link: String) throws {
    let folder = try TemporaryFolder()
    let path = try package(folder)
    if link.hasSuffix("bin") { _ = folder.makeFolder("m.mlpackage/Data/weights") }
    symlink("/etc", folder.path(link))
    let error = #expect(throws: StyleModelError.self) { try MLPackage(path) }
    #expect(error?.problem == "is a symbolic link, which may lead out of the package")
  }
}
