import Diagnostics
import Recipes
import Tensors
import TestSupport
import Testing

@testable import HDF5Importer

/// State dicts as h5py writes them.
@Suite struct PlainDumpTests {
  @Test func readsCompressedDumps() throws {
    let model = try readHDF5(try fixtureBytes("hdf5/state_dict.h5"))
    #expect(model.network == nil)
    #expect(model.weights.container == "HDF5 file")
    #expect(try model.weights.recognised().recipe.name == "eriklindernoren")
    let kernel = try #require(model.weights.entries.first { $0.name == "model.0.block.1.weight" })
    #expect(kernel.tensor.shape == [8, 3, 9, 9])
    #expect(kernel.tensor.floats().allSatisfy { $0.isFinite && abs($0) < 1 && $0 != 0 })
  }

  /// The same numbers in five types and both byte orders, in groups that kept the order in which they were written.
  @Test func readsGroupsAndNumberTypes() throws {
    let dict = try readHDF5(try fixtureBytes("hdf5/nested.h5"), stateKey: "state_dict").weights
    let flat = try readHDF5(try fixtureBytes("hdf5/state_dict.h5")).weights
    let types: [String: ElementType] = [
      "model.1.block.1.weight": .float64, "model.1.block.1.bias": .float16, "model.1.norm.weight": .float32,
      "model.1.norm.bias": .float32, "steps": .int64, "trained": .bool,
    ]
    #expect(Set(dict.entries.map(\.name)) == Set(types.keys))
    for entry in dict.entries {
      let type = try #require(types[entry.name])
      #expect(entry.tensor.encoding == .plain(type), "\(entry.name)")
      guard let expected = flat.entries.first(where: { $0.name == entry.name }) else { continue }
      let tolerance: Float = type == .float16 ? 1e-3 : 0
      for (value, other) in zip(entry.tensor.floats(), expected.tensor.floats()) {
        #expect(abs(value - other) <= tolerance * max(abs(other), 1e-3), "\(entry.name)")
      }
    }
    #expect(dict.entries.first { $0.name == "steps" }?.tensor.floats() == [3000])
    #expect(dict.entries.first { $0.name == "trained" }?.tensor.floats() == [1])
    #expect(dict.notes == ["1 object passed over: '/names' (it holds text)"])
  }

  @Test func namesAStateKeyThatIsNotThere() throws {
    let bytes = try fixtureBytes("hdf5/nested.h5")
    let error = #expect(throws: StyleModelError.self) { try readHDF5(bytes, stateKey: "generator") }
    #expect(error?.message == "has no tensors under the state key generator; leave --state-key away")
  }
}
