import Tensors
import Testing

@testable import Recipes

@Suite struct StateDictPrefixesTests {
  private func dict(_ names: [String], layers: [String] = []) -> StateDict {
    StateDict(
      entries: names.map { StateDict.Entry(name: $0, tensor: StoredTensor(shape: [1], floats: [0])) },
      layers: Dictionary(uniqueKeysWithValues: layers.map { ($0, StateDict.LayerSettings(className: $0)) }),
      container: "test")
  }

  @Test(arguments: [
    (["model.0.weight", "model.1.bias"], "model."), (["model.0.weight", "head.bias"], nil), (["weight"], nil),
    (["model.", "model.weight"], nil), (["model.weight", "modelweight"], nil), ([], nil),
  ])
  func findsThePrefixThatAllNamesShare(names: [String], prefix: String?) {
    #expect(dict(names).sharedPrefix == prefix)
  }

  @Test func stripsNamesAndLayersAndSaysSo() throws {
    let whole = dict(["netG.0.weight", "netG.0.bias"], layers: ["netG", "netG.0", "other"])
    let stripped = try #require(whole.strippingSharedPrefix("netG."))
    #expect(stripped.entries.map(\.name) == ["0.weight", "0.bias"])
    #expect(stripped.layers.mapValues(\.className) == ["0": "netG.0"])
    #expect(stripped.notes == ["the prefix \"netG.\" of all names was stripped"])
    #expect(whole.strippingSharedPrefix("net.") == nil)
    #expect(dict([]).strippingSharedPrefix("") == nil)
  }
}
