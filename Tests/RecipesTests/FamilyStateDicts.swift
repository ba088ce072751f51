import Recipes
import Tensors

/// State dicts with the keys of the known families, tiny and seeded: names and shapes are all that recipes look at.
enum FamilyStateDicts {
  static func dict(_ tensors: [(String, [Int])], layers: [String: StateDict.LayerSettings] = [:]) -> StateDict
  {
    StateDict(
      entries: tensors.enumerated().map { index, tensor in
        let shape = Shape(tensor.1)
        let floats = (0..<shape.count).map { Float(($0 * 31 + index * 17) % 23 - 11) / 16 }
        return StateDict.Entry(name: tensor.0, tensor: StoredTensor(shape: shape, floats: floats))
      }, layers: layers, container: "test")
  }

  /// A weight and a bias.
  private static func pair(_ weight: String, _ bias: String, _ shape: [Int]) -> [(String, [Int])] {
    [(weight, shape), (bias, [shape[0]])]
  }

  static func eriklindernoren(blocks: Int = 5, width: Int = 2, prefix: String = "") -> [(String, [Int])] {
    func layer(_ path: String, _ shape: [Int], normed: Bool = true) -> [(String, [Int])] {
      pair("\(path).block.1.weight", "\(path).block.1.bias", shape)
        + (normed ? pair("\(path).norm.weight", "\(path).norm.bias", [shape[0]]) : [])
    }
    let w = width
    var tensors = layer("model.0", [w, 3, 9, 9]) + layer("model.1", [2 * w, w, 3, 3])
    tensors += layer("model.2", [4 * w, 2 * w, 3, 3])
    for index in 3..<(3 + blocks) {
      for half in 0..<2 { tensors += layer("model.\(index).block.\(half)", [4 * w, 4 * w, 3, 3]) }
    }
    tensors +=
      layer("model.\(blocks + 3)", [2 * w, 4 * w, 3, 3]) + layer("model.\(blocks + 4)", [w, 2 * w, 3, 3])
    tensors += layer("model.\(blocks + 5)", [3, w, 9, 9], normed: false)
    return tensors.map { (prefix + $0.0, $0.1) }
  }

  static func pytorchExamples(norm: (weight: String, bias: String) = ("weight", "bias")) -> [(String, [Int])]
  {
    func layer(_ conv: String, _ shape: [Int], _ name: String?) -> [(String, [Int])] {
      pair("\(conv).conv2d.weight", "\(conv).conv2d.bias", shape)
        + (name.map { pair("\($0).\(norm.weight)", "\($0).\(norm.bias)", [shape[0]]) } ?? [])
    }
    var tensors = layer("conv1", [2, 3, 9, 9], "in1") + layer("conv2", [4, 2, 3, 3], "in2")
    tensors += layer("conv3", [8, 4, 3, 3], "in3")
    for index in 1...5 {
      for half in 1...2 {
        tensors += layer("res\(index).conv\(half)", [8, 8, 3, 3], "res\(index).in\(half)")
      }
    }
    return tensors + layer("deconv1", [4, 8, 3, 3], "in4") + layer("deconv2", [2, 4, 3, 3], "in5")
      + layer("deconv3", [3, 2, 9, 9], nil)
  }

  /// Keras 1: names without dots, and statistics beside norms that take each picture's own.
  static func titu1994(blocks: Int = 5) -> [(String, [Int])] {
    func norm(_ name: String, _ width: Int) -> [(String, [Int])] {
      ["gamma", "beta", "running_mean", "running_std"].map { ("\(name)_\($0)", [width]) }
    }
    func conv(_ name: String, _ shape: [Int]) -> [(String, [Int])] { pair("\(name)_W", "\(name)_b", shape) }
    var tensors = conv("conv1", [2, 3, 9, 9]) + norm("batchnorm1", 2)
    tensors += conv("conv2", [4, 2, 3, 3]) + norm("batchnorm2", 4)
    tensors += conv("conv3", [4, 4, 3, 3]) + norm("batchnorm3", 4)
    for index in 1..<(1 + blocks) {
      tensors += conv("res_conv_\(index)_1", [8, 4, 3, 3]) + norm("res_batchnorm_\(index)_1", 8)
      tensors += conv("res_conv_\(index)_2", [4, 8, 3, 3]) + norm("res_batchnorm_\(index)_2", 4)
    }
    tensors += conv("deconv3", [4, 4, 3, 3]) + norm("batchnorm4", 4)
    tensors += conv("deconv2", [4, 4, 3, 3]) + norm("batchnorm5", 4)
    return tensors + conv("deconv1", [3, 4, 9, 9])
  }

  private static func bottleneck(_ path: String, _ width: Int, _ out: Int) -> [(String, [Int])] {
    [("\(path).conv1.weight", [width, width, 1, 1])]
      + pair("\(path).in1.weight", "\(path).in1.bias", [width])
      + [("\(path).conv2.weight", [width, 1, 3, 3])]
      + pair("\(path).in2.weight", "\(path).in2.bias", [width])
      + [("\(path).conv3.weight", [out, width, 1, 1])]
      + pair("\(path).in3.weight", "\(path).in3.bias", [out])
  }

  static var ternerss: [(String, [Int])] {
    var tensors: [(String, [Int])] =
      [("model.0.weight", [4, 3, 7, 7])] + pair("model.1.weight", "model.1.bias", [4])
    tensors += bottleneck("model.3", 4, 8) + bottleneck("model.4", 8, 16)
    for index in 5...9 { tensors += bottleneck("model.\(index)", 16, 16) }
    return tensors + bottleneck("model.10.conv1", 16, 8) + bottleneck("model.11.conv1", 8, 4)
      + [("model.12.weight", [3, 4, 7, 7])]
  }

  static var mmalotin: [(String, [Int])] {
    var tensors: [(String, [Int])] = [("conv1.weight", [4, 3, 9, 9])] + pair("in1.weight", "in1.bias", [4])
    tensors += bottleneck("conv2", 4, 8) + bottleneck("conv3", 8, 16)
    for index in 1...5 { tensors += bottleneck("res\(index)", 16, 16) }
    return tensors + bottleneck("upconv1.conv1", 16, 8) + bottleneck("upconv2.conv1", 8, 4)
      + [("conv4.weight", [3, 4, 9, 9])]
  }

  /// joshbrew's, which `Fixtures/recipes/separable.recipe` knows.
  static func separable(blocks: Int = 5) -> [(String, [Int])] {
    func layer(_ path: String, _ channels: Int, _ out: Int, kernel: Int = 3) -> [(String, [Int])] {
      pair("\(path).depthwise.weight", "\(path).depthwise.bias", [channels, 1, kernel, kernel])
        + pair("\(path).pointwise.weight", "\(path).pointwise.bias", [out, channels, 1, 1])
    }
    func outer(_ path: String, _ channels: Int, _ out: Int, kernel: Int = 3) -> [(String, [Int])] {
      layer("\(path).depthwise_separable_conv", channels, out, kernel: kernel)
    }
    func norm(_ path: String, _ channels: Int) -> [(String, [Int])] {
      pair("\(path).weight", "\(path).bias", [channels])
    }
    var tensors = outer("conv1", 3, 4, kernel: 9) + norm("in1", 4) + outer("conv2", 4, 8) + norm("in2", 8)
    tensors += outer("conv3", 8, 16) + norm("in3", 16)
    for index in 0..<blocks {
      for half in 1...2 {
        tensors += layer("resblocks.\(index).conv\(half)", 16, 16) + norm("resblocks.\(index).in\(half)", 16)
      }
    }
    return tensors + outer("deconv1", 16, 8) + norm("in4", 8) + outer("deconv2", 8, 4) + norm("in5", 4)
      + outer("deconv3", 4, 3, kernel: 9)
  }

  static func rrmina(resNext: Bool) -> [(String, [Int])] {
    func layer(_ path: String, _ kind: String, _ shape: [Int], out: Int, normed: Bool = true) -> [(
      String, [Int]
    )] {
      [("\(path).\(kind).weight", shape), ("\(path).\(kind).bias", [out])]
        + (normed ? pair("\(path).norm_layer.weight", "\(path).norm_layer.bias", [out]) : [])
    }
    var tensors = layer("ConvBlock.0", "conv_layer", [4, 3, 9, 9], out: 4)
    tensors += layer("ConvBlock.2", "conv_layer", [8, 4, 3, 3], out: 8)
    tensors += layer("ConvBlock.4", "conv_layer", [16, 8, 3, 3], out: 16)
    for index in 0..<5 {
      let path = "ResidualBlock.\(index)"
      let shapes =
        resNext ? [[8, 16, 1, 1], [8, 8, 3, 3], [16, 8, 1, 1]] : [[16, 16, 3, 3], [16, 16, 3, 3]]
      for (number, shape) in shapes.enumerated() {
        tensors += layer("\(path).conv\(number + 1)", "conv_layer", shape, out: shape[0])
      }
    }
    return tensors + layer("DeconvBlock.0", "conv_transpose", [16, 8, 3, 3], out: 8)
      + layer("DeconvBlock.2", "conv_transpose", [8, 4, 3, 3], out: 4)
      + layer("DeconvBlock.4", "conv_layer", [3, 4, 9, 9], out: 3, normed: false)
  }
}
