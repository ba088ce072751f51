import Diagnostics
import TestSupport

@testable import StyleModelKit

/// The real network that most tests here run.
let mosaic = "mosaic_small_3000.pth"

/// A recipe of a user's own, for the six tensors of `Fixtures/torch/legacy.pth.tar`.
let tinyRecipe = """
  recipe "tiny" {
    title "two convolutions"
    pixels(unit)
    input %x
    %x = conv(%x, weight: @"conv1.weight", bias: @"conv1.bias", padding: half(@"conv1.weight"), padding_mode: reflect)
    %x = instance_norm(%x, gamma: @"in1.weight", beta: @"in1.bias", epsilon: 1e-5)
    %x = relu(%x)
    %x = conv(%x, weight: @"conv2.weight", bias: @"conv2.bias")
    output %x
  }
  """

extension TemporaryFolder {
  /// Converts a model of this folder into it, as the command does.
  /// - Returns: the path of the result, and what was done.
  func convert(
    _ source: String, to name: String, _ scheme: String = "int8", keep: [String] = [],
    importOptions: ImportOptions = ImportOptions()
  ) throws -> (path: String, conversion: Conversion) {
    var options = try QuantizationOptions(named: scheme)
    options.keep = keep
    let model = try loadModel(path(source), options: importOptions)
    let conversion = try StyleModelKit.convert(model, quantization: options, importOptions: importOptions)
    return (try write(conversion.bytes, as: name), conversion)
  }

  /// The tiny network: its checkpoint, and the recipe beside it.
  func tinyNetwork() throws -> ImportOptions {
    try copy(fixture: "torch/legacy.pth.tar", as: "tiny.pth")
    return ImportOptions(recipePath: try write(tinyRecipe.utf8, as: "tiny.recipe"))
  }
}

/// A fixture's pixels.
func picture(_ name: String) throws -> Picture { try readPicture(fixturePath(name)).picture }

/// The error of a call, or nil where it went well.
func failure(_ body: () throws(StyleModelError) -> Void) -> StyleModelError? {
  do throws(StyleModelError) {
    try body()
    return nil
  } catch { return error }
}
