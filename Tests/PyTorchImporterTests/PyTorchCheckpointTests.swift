import Diagnostics
import Recipes
import Tensors
import Testing

@testable import PyTorchImporter

@Suite struct PyTorchCheckpointTests {
  /// Every way of storing the same six tensors gives the same six tensors.
  @Test(arguments: [
    ("state_dict.pth", [String]()),
    ("deflated.pth", []),
    ("descriptors.pth", []),
    ("zip64.pth", []),
    ("protocol_4.pth", []),
    ("no_byteorder.pth", []),
    ("big_endian.pth", ["its numbers were stored most significant byte first and were swapped"]),
    ("cuda.pth", []),
    ("python_2.pth", []),
    ("legacy.pth.tar", []),
    ("legacy_from_big_endian.pth", []),
    ("legacy_big_endian.pth", ["its numbers were stored most significant byte first and were swapped"]),
    ("training_state.pth", ["the weights were taken from state_dict"]),
    (
      "nested_twice.pth",
      [
        "the weights were taken from ckpt.net_state", "the prefix \"module.\" of all names was stripped",
        "the prefix \"_orig_mod.\" of all names was stripped",
      ]
    ),
    ("generator.pth", ["the weights were taken from generator; discriminator left aside"]),
  ])
  func readsTheSameFromEveryContainer(file: String, notes: [String]) throws {
    let dict = try readPyTorchCheckpoint(try fixture("torch/" + file))
    expectTwoLayers(dict)
    #expect(dict.notes == notes)
    #expect(dict.storageByteCount == 540)
  }

  @Test func namesTheContainer() throws {
    #expect(try readPyTorchCheckpoint(fixture("torch/zip64.pth")).container == "PyTorch zip checkpoint")
    #expect(
      try readPyTorchCheckpoint(fixture("torch/legacy.pth.tar")).container
        == "PyTorch checkpoint of a release before 1.6")
  }

  @Test func keepsElementTypesAsTheyAreStored() throws {
    for file in ["torch/element_types.pth", "torch/element_types_big_endian.pth"] {
      let dict = try readPyTorchCheckpoint(try fixture(file))
      let tensors = Dictionary(uniqueKeysWithValues: dict.entries.map { ($0.name, $0.tensor) })
      let types: [(String, ElementType)] = [
        ("double", .float64), ("float", .float32), ("half", .float16), ("bfloat16", .bfloat16),
        ("long", .int64),
        ("int", .int32), ("short", .int16), ("char", .int8), ("byte", .uint8), ("bool", .bool),
      ]
      for (name, type) in types {
        let tensor = try #require(tensors[name])
        #expect(tensor.encoding == .plain(type))
        switch type {
        case .uint8: #expect(tensor.floats() == [0, 1, 2, 254, 255])
        case .bool: #expect(tensor.floats() == [1, 0, 1, 1, 0])
        default: #expect(tensor.floats() == (type.isFloatingPoint ? expectedNumbers(5) : [-2, -1, 0, 1, 2]))
        }
      }
      #expect(tensors["scalar"]?.shape == [])
      #expect(tensors["scalar"]?.floats() == [12345])
      #expect(tensors["empty"]?.shape == [0, 3])
      #expect(tensors["empty"]?.bytes == [])
      let nonfinite = try #require(tensors["nonfinite"]?.floats())
      #expect(nonfinite[0].isNaN && nonfinite[1] == .infinity && nonfinite[2] == -.infinity)
      #expect(dict.notes.first == "1 tensor of doubles will be rounded to floats")
    }
  }

  @Test func gathersViewsByStride() throws {
    let dict = try readPyTorchCheckpoint(try fixture("torch/views.pth"))
    let tensors = Dictionary(uniqueKeysWithValues: dict.entries.map { ($0.name, $0.tensor) })
    let whole = (0..<24).map(Float.init)
    #expect(tensors["whole"] == StoredTensor(shape: [2, 3, 4], floats: whole))
    #expect(tensors["again"] == tensors["whole"])
    let transposed = (0..<24).map { Float($0 / 6 + $0 % 6 * 4) }
    #expect(tensors["transposed"] == StoredTensor(shape: [4, 6], floats: transposed))
    #expect(tensors["sliced"] == StoredTensor(shape: [2, 2], floats: [5, 6, 17, 18]))
    #expect(tensors["expanded"] == StoredTensor(shape: [3, 2], floats: [2, 3, 2, 3, 2, 3]))
    // Stored as [2, 2, 2, 3], the channels innermost.
    let channelsLast = (0..<24).map { index in
      let (picture, channel, row, column) = (index / 12, index / 4 % 3, index / 2 % 2, index % 2)
      return Float(picture * 12 + row * 6 + column * 3 + channel)
    }
    #expect(tensors["channels_last"] == StoredTensor(shape: [2, 3, 2, 2], floats: channelsLast))
    // Six tensors of one storage: counted once.
    #expect(dict.storageByteCount == 96)
  }

  @Test func looksThroughTheWrappersOfParameters() throws {
    let dict = try readPyTorchCheckpoint(try fixture("torch/wrappers.pth"))
    #expect(
      dict.entries.map(\.name)
        == ["v1", "v2", "v3", "parameter", "with_state", "old_parameter", "from_type", "sized"])
    for entry in dict.entries {
      #expect(entry.tensor == StoredTensor(shape: [2, 3], floats: expectedNumbers(6)), "\(entry.name)")
    }
  }

  @Test func refusesToGuessBetweenTwoNetworks() throws {
    let bytes = try fixture("torch/two_generators.pth")
    #expect(
      refusal(bytes)?.message
        == "holds 2 sets of weights: netG_A (6 tensors), netG_B (6 tensors); choose one with --state-key, as in --state-key netG_A"
    )
    expectTwoLayers(try readPyTorchCheckpoint(bytes, options: PyTorchOptions(stateKey: "netG_A")))
    expectTwoLayers(try readPyTorchCheckpoint(bytes, options: PyTorchOptions(stateKey: "netG_B")), step: 5)
    #expect(
      refusal(bytes, options: PyTorchOptions(stateKey: "netG_C"))?.message
        == "has nothing under the state key netG_C; its weights are under netG_A, netG_B")
  }

  @Test func aTableBesideANetworkIsNotTheNetwork() throws {
    let bytes = try fixture("torch/mean_beside.pth")
    #expect(
      refusal(bytes)?.problem == "holds 2 sets of weights: the whole (1 tensor), mosaic (6 tensors)")
    expectTwoLayers(try readPyTorchCheckpoint(bytes, options: PyTorchOptions(stateKey: "mosaic")))
  }

  @Test func takesStateKeysOfAnyDepth() throws {
    let bytes = try fixture("torch/nested_twice.pth")
    for key in ["ckpt", "ckpt.net_state"] {
      expectTwoLayers(try readPyTorchCheckpoint(bytes, options: PyTorchOptions(stateKey: key)))
    }
    #expect(
      refusal(bytes, options: PyTorchOptions(stateKey: "ckpt.epoch"))?.message.contains(
        "no weights under the state key ckpt.epoch") == true)
  }

  /// The legacy stream names classes by persistent ids with their source.
  @Test(arguments: ["whole_module.pth", "legacy_whole_module.pth"])
  func readsWholeModulesAsRecords(file: String) throws {
    let dict = try readPyTorchCheckpoint(try fixture("torch/" + file))
    #expect(dict.entries.map(\.name) == ["1.weight", "2.weight", "2.bias", "3.weight", "3.bias", "4.weight"])
    #expect(dict.entries[3].tensor == StoredTensor(shape: [4, 3, 3, 3], floats: expectedNumbers(108)))
    #expect(dict.layers[""]?.className == "torch.nn.modules.container.Sequential")
    var pad = StateDict.LayerSettings(className: "torch.nn.modules.padding.ReflectionPad2d")
    pad.padding = [1, 1, 1, 1]
    #expect(dict.layers["0"] == pad)
    var convolution = StateDict.LayerSettings(className: "torch.nn.modules.conv.Conv2d")
    convolution.stride = [2, 2]
    convolution.padding = [0, 0]
    convolution.paddingMode = "zeros"
    convolution.dilation = [1, 1]
    convolution.groups = 1
    convolution.outputPadding = [0, 0]
    #expect(dict.layers["1"] == convolution)
    var norm = StateDict.LayerSettings(className: "torch.nn.modules.instancenorm.InstanceNorm2d")
    norm.epsilon = 1e-3
    norm.tracksRunningStatistics = false
    #expect(dict.layers["2"] == norm)
    #expect(dict.layers["3"]?.outputPadding == [1, 1])
    // padding="same" of a 5×5 kernel.
    #expect(dict.layers["4"]?.padding == [2, 2])
    #expect(dict.layers["4"]?.paddingMode == "reflect")
  }
}
