import Diagnostics
import Imaging
import ModelGraph
import NumPyFormat
import Recipes
import Runtime
import Tensors
import TestSupport
import Testing

@testable import HDF5Importer

/// Networks that Keras wrote, against what Keras itself made of a picture with odd sides.
@Suite struct KerasNetworkTests {
  @Test(arguments: [
    ("mosaic_keras2.h5", "mosaic.npy"), ("mosaic_keras3.keras", "mosaic.npy"),
    ("layers_keras2.h5", "layers.npy"), ("layers_keras3.h5", "layers.npy"),
    ("layers_keras3.keras", "layers.npy"),
  ])
  func agreesWithKeras(file: String, golden: String) throws {
    let network = try #require(try readHDF5(try fixtureBytes("hdf5/" + file)).network).get()
    #expect(network.saysInput && network.saysOutput)
    try expectAgreement(network.graph, golden)
  }

  /// The very network whose layers `mosaic` has, through the recipe.
  @Test func agreesWithTheRecipeOfTheSameWeights() throws {
    let dict = try readHDF5(try fixtureBytes("hdf5/state_dict.h5")).weights
    try expectAgreement(try dict.recognised().graph, "mosaic.npy")
  }

  private func expectAgreement(_ graph: Graph, _ golden: String) throws {
    let picture = try decodePicture(try fixtureBytes("hdf5/tall_43x61.png")).picture
    let result = try Engine(graph).run(picture)
    let bytes = try fixtureBytes("hdf5/" + golden)
    let (header, start) = try npyHeader(bytes[...])
    let expected = try StoredTensor(
      shape: Shape(header.shape), encoding: .plain(.float32), bytes: Array(bytes[start...]))
    // What strides made larger than the picture is cropped from the right and the bottom.
    #expect(result.height <= header.shape[0] && result.width <= header.shape[1])
    let numbers = expected.floats()
    var greatest: Float = 0
    for row in 0..<result.height {
      for index in 0..<(result.width * 3) {
        let difference = abs(
          result.samples[row * result.width * 3 + index] - numbers[row * header.shape[1] * 3 + index])
        greatest = max(greatest, difference)
      }
    }
    #expect(greatest < 0.005)
  }

  @Test func keepsTheNamesOfWeights() throws {
    let two = try readHDF5(try fixtureBytes("hdf5/layers_keras2.h5")).weights
    let names = Set(two.entries.map(\.name))
    #expect(names.isSuperset(of: ["first/kernel:0", "first/bias:0", "batch_normalization/moving_mean:0"]))
    let file = try fixtureBytes("hdf5/layers_keras3.weights.h5")
    let three = try readHDF5(file).weights
    #expect(Set(three.entries.map(\.name)).isSuperset(of: ["first/vars/0", "first/vars/1"]))
    let archived = try readHDF5(try fixtureBytes("hdf5/layers_keras3.keras")).weights
    #expect(
      three.entries.map { "\($0.name) \($0.tensor)" }.sorted()
        == archived.entries.map { "\($0.name) \($0.tensor)" }.sorted())
    // The three files hold the same network.
    #expect(
      two.entries.first { $0.name == "first/kernel:0" }?.tensor
        == three.entries.first { $0.name == "first/vars/0" }?.tensor)
  }

  /// Lists of names that are split over attributes, with names of fixed and of variable length.
  @Test func readsWeightsAlone() throws {
    let dict = try readHDF5(try fixtureBytes("hdf5/keras1_weights.h5")).weights
    #expect(
      dict.entries.map(\.name) == [0, 2, 4].flatMap { ["layer_\($0)/kernel:0", "layer_\($0)/bias:0"] })
    let kernel = dict.entries[2].tensor
    #expect(kernel.shape == [4, 2, 2, 3])
    // [h, w, in, out] counts up, so [out, in, h, w] goes in steps.
    #expect(kernel.floats().prefix(8) == [2, 10, 18, 26, 34, 42, 6, 14])
  }

  @Test func refusesOtherBackendsByName() throws {
    let model = try readHDF5(try fixtureBytes("hdf5/other_backend.h5"))
    #expect(model.weights.entries.count == 1)
    guard case .failure(let error)? = model.network else {
      Issue.record("a network was read")
      return
    }
    #expect(error.problem == "was made with the backend 'cntk', whose convolutions are not known here")
  }
}
