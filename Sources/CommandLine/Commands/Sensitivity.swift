import Diagnostics
import StyleModelKit

/// The body of `stylemodel sensitivity`.
@Sendable func runSensitivity(
  _ arguments: ParsedArguments, _ console: Console
) throws(StyleModelError) -> Int32 {
  var importOptions = ImportArguments.options(arguments)
  importOptions.style = StyleArguments.choice(arguments)
  let model = try loadModel(arguments.one(SensitivityOptions.model), options: importOptions)
  try model.requireOneStyle()
  let progress = ProgressBar("Measuring", on: console)
  defer { progress.finish() }
  let layers = try layerSensitivities(
    of: model, widths: arguments[SensitivityOptions.widths] ?? SensitivityOptions.defaultWidths,
    calibration: arguments[SensitivityOptions.calibrate].map { .folder($0) } ?? .builtIn,
    threads: arguments[GeneralOptions.threads], progress: progress.update)
  progress.finish()
  if arguments.has(GeneralOptions.json) {
    console.print(JSONValue.object([.init("layers", .array(layers.map(\.json)))]).text(indented: true))
  } else {
    for line in table(of: layers) { console.print(line) }
  }
  return 0
}

private func table(of layers: [LayerSensitivity]) -> [String] {
  let widths = layers.first?.widths.map(\.bits) ?? []
  var table = TextTable(
    [.left("layer"), .right("1 % noise")] + widths.map { .right("\($0) bits") })
  for layer in layers {
    table.add(
      [printable(layer.name), fixed(layer.changeByNoise, 3)]
        + layer.widths.map { "\(fixed($0.measuredChange, 3)) / \(fixed($0.expectedChange, 2))" })
  }
  return table.lines() + [""]
    + wrapped(
      """
      By how many levels of 255 the calibration pictures change, in the root mean square: if every weight of the layer \
      were off by a hundredth of the layer's; with the layer alone rounded to so many bits, as measured / as expected.
      """, width: lineWidth - 2
    ).map { "  " + $0 }
}

extension LayerSensitivity {
  fileprivate var json: JSONValue {
    [
      "name": .string(name), "weights": .integer(count), "change_by_1_percent_noise": .number(changeByNoise),
      "widths": .array(
        widths.map { width in
          [
            "bits": .integer(width.bits), "measured_change": .number(width.measuredChange),
            "expected_change": .number(width.expectedChange),
            "coded_bits_per_weight": .number(width.codedBitsPerWeight),
          ]
        }),
    ]
  }
}
