import Diagnostics
import TestSupport
import Testing

@testable import StyleModelKit

@Suite struct ImportOptionsTests {
  private static let several: [ImportOptions] = {
    var contract = ContractOverride()
    contract.preset = .signed
    var numbers = ContractOverride()
    numbers.inputScale = [1 / 3, 0.1, .leastNonzeroMagnitude]
    numbers.inputBias = [-0.5, 0, 1]
    numbers.outputScale = [3.4e38, 1, 1]
    numbers.outputBias = [127.5, 127.5, 127.5]
    return [
      ImportOptions(), ImportOptions(recipePath: "/a b/net.recipe"),
      ImportOptions(stateKey: "generator.state_dict", keepsRunningStatistics: true, contract: contract),
      ImportOptions(contract: numbers),
    ]
  }()

  /// What a file records is read back to the last bit; the options of the quantizer around it are passed over.
  @Test(arguments: several.indices) func comeBackFromAFilesProvenance(index: Int) throws {
    let options = Self.several[index]
    let arguments = ["--bits", "4", "--keep", "first"] + options.arguments
    let read = try ImportOptions(provenance: arguments) { "found/" + $0 }
    #expect(read.recipePath == options.recipePath.map { _ in "found/net.recipe" })
    #expect(read.stateKey == options.stateKey)
    #expect(read.keepsRunningStatistics == options.keepsRunningStatistics)
    #expect(read.contract == options.contract)
  }

  /// A file may say anything.
  @Test(arguments: [
    ["--io"], ["--io", "nonsense"], ["--input-scale", "1,2"], ["--input-scale", "a,b,c"], ["--state-key"],
    ["", "x"],
  ])
  func whatIsNotUnderstoodIsPassedOver(arguments: [String]) throws {
    let read = try ImportOptions(provenance: arguments) { _ in nil }
    #expect(read.contract.isEmpty && read.recipePath == nil && read.stateKey == nil)
  }

  @Test func aRecipesErrorsNameItsFile() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("recipe \"x\" {".utf8, as: "bad.recipe")
    let error = failure { () throws(StyleModelError) in _ = try ImportOptions(recipePath: path).recipes() }
    #expect(error?.kind == .badInput && error?.file == path)
    let missing = failure { () throws(StyleModelError) in
      _ = try loadModel(fixturePath(mosaic), options: ImportOptions(recipePath: folder.path("none")))
    }
    #expect(missing?.kind == .cannotOpen && missing?.file == folder.path("none"))
  }

  @Test(arguments: [("a/b.pth", "b.pth"), ("b", "b"), ("/x/", "x"), ("/", "/"), ("a//b c", "b c")])
  func namesAreTheLastPartsOfPaths(path: String, name: String) { #expect(fileName(of: path) == name) }
}
