import Diagnostics
import Evaluation
import StyleModelKit

extension SearchResult {
  /// How weights are stored, in a few words.
  var summary: String {
    let weights = layers.reduce(0) { $0 + $1.count }
    let bytes = layers.reduce(0) { $0 + $1.byteCount }
    return
      "integers with steps of each channel's own, \(fixed(8 * Double(bytes) / Double(max(weights, 1)), 2)) bits a weight"
  }

  /// What was looked for, and what the pictures say.
  var lines: [String] {
    let what =
      switch goal {
      case .minPSNR(let psnr):
        "the smallest file of at least \(fixed(psnr, 2)) dB on the worst calibration picture"
      case .maxBytes(let count): "the nearest pictures in at most \(grouped(count)) bytes"
      }
    var lines = ["search   \(what); \(counted(trialCount, "trial"))"]
    if let worst { lines.append("         calibration: the worst picture, \(worst.text)") }
    if let worstUnseen {
      lines.append("         pictures that the search has not seen: the worst, \(worstUnseen.text)")
    }
    return lines
  }

  /// What each layer got, and why.
  var layerTable: [String] {
    var table = TextTable(
      .left("layer"), .right("weights"), .right("bytes"), .right("bits each"), .right("1 % noise"),
      .right("steps"), .right("loss"))
    for layer in layers {
      table.add(
        printable(layer.name), grouped(layer.count), grouped(layer.byteCount), fixed(layer.bitsPerWeight, 2),
        fixed(layer.sensitivity, 3), layer.isRounded ? fixed(layer.stepsPerWeight, 1) : layer.storage,
        layer.isRounded ? fixed(layer.expectedLoss, 4) : "")
    }
    return [""] + table.lines()
      + wrapped(
        """
        1 % noise: by how many levels of 255 the pictures would change if each weight were off by a hundredth of the \
        layer's; where that is more, steps are finer, so that a bit saves as much of the pictures' error in every \
        layer. steps: how many of them a usual weight is from zero. loss: the expected share in the mean squared error.
        """, width: lineWidth - 2
      ).map { "  " + $0 }
  }

  var json: JSONValue {
    let goalMember: JSONValue.Member =
      switch goal {
      case .minPSNR(let psnr): .init("min_psnr", .number(psnr))
      case .maxBytes(let count): .init("max_bytes", .integer(count))
      }
    return .object([
      goalMember, .init("trials", .integer(trialCount)),
      .init("calibration", .array(calibration.map(\.json))), .init("unseen", .array(unseen.map(\.json))),
      .init(
        "layers",
        .array(
          layers.map { layer in
            [
              "name": .string(layer.name), "weights": .integer(layer.count),
              "stored_as": .string(layer.storage),
              "bytes": .integer(layer.byteCount), "bits_per_weight": .number(layer.bitsPerWeight),
              "change_by_1_percent_noise": .number(layer.sensitivity),
              "steps_per_weight": layer.isRounded ? .number(layer.stepsPerWeight) : .null,
              "expected_loss": layer.isRounded ? .number(layer.expectedLoss) : .null,
            ]
          })),
    ])
  }
}

extension SearchResult.PictureOutcome {
  fileprivate var text: String {
    "\(printable(name)): \(psnr.isFinite ? "\(fixed(psnr, 2)) dB" : psnr > 0 ? "identical" : "not finite")"
  }

  fileprivate var json: JSONValue {
    [
      "name": .string(name), "identical": .bool(psnr == .infinity),
      "psnr": psnr.isFinite ? .number(psnr) : .null,
    ]
  }
}
