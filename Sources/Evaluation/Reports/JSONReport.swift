public import Diagnostics

extension EvaluationReport {
  /// The report for programs. Keys keep their order. Identical pictures
  /// have `"psnr_db": null` and `"identical": true`, since JSON has no infinity.
  public var json: JSONValue {
    [
      "model": candidate.json,
      "against": reference.json,
      "passed": .bool(passed),
      "compute": .string(compute.name),
      "first_overflow": compute.firstOverflow?.json ?? .null,
      "worst": [
        "psnr_db": worstPSNR.map { .number($0.quality.psnr) } ?? .null,
        "psnr_picture": worstPSNR.map { .string($0.name) } ?? .null,
        "ssim": worstSSIM.map { .number($0.quality.ssim) } ?? .null,
        "ssim_picture": worstSSIM.map { .string($0.name) } ?? .null,
      ],
      "psnr_of_mean_squared_error_db": pooled.map { .number($0) } ?? .null,
      "identical": .bool(isComplete && qualities.allSatisfy(\.quality.identical)),
      "temporal": worstTemporalChange.map { worst in
        [
          "worst_extra_db": .number(worst.change.extra), "worst_picture": .string(worst.name),
          "worst_frames": .string(worst.frames),
        ]
      } ?? .null,
      "pictures": .array(pictures.map(\.json)),
      "gates": .array(gates.map(\.json)),
      "sizes": .array(sizes.map { ["name": .string($0.name), "bytes": .integer($0.byteCount)] }),
      "source_bytes": sourceByteCount.map { .integer($0) } ?? .null,
      "layers": .array(layers.map(\.json)),
      "rounded": .bool(rounded),
      "definition": .string(definition),
      "notes": .array(notes.map { .string($0) }),
    ]
  }
}

extension EvaluationReport.Compute.Overflow {
  var json: JSONValue {
    [
      "picture": .string(picture), "layer": .string(layer), "what": .string(what), "count": .integer(count),
      "non_finite_pixels": .integer(nonFinitePixels),
    ]
  }
}

extension EvaluationReport.Subject {
  var json: JSONValue {
    [
      "name": .string(name), "storage": .string(storage),
      "bytes": byteCount > 0 ? .integer(byteCount) : .null,
      "sha256": sha256.isEmpty ? .null : .string(sha256),
    ]
  }
}

extension GateResult {
  fileprivate var json: JSONValue {
    [
      "gate": .string(gate), "passed": .bool(passed), "limit": .string(limit), "text": .string(text),
      "checks": .array(
        checks.map { check in
          [
            "picture": check.picture.map { .string($0) } ?? .null, "passed": .bool(check.passed),
            "value": check.value.map { .number($0) } ?? .null,
            "before": check.before.map { .number($0) } ?? .null, "text": .string(check.text),
          ]
        }),
    ]
  }
}

extension LayerNoise {
  fileprivate var json: JSONValue {
    [
      "name": .string(name), "shape": .string(shape), "storage": .string(storage),
      "own_db": .number(ownRatio), "arrived_db": .number(arrivedRatio),
      "relative_noise": .number(relativeNoise),
    ]
  }
}

extension PictureResult {
  var json: JSONValue {
    switch outcome {
    case .failure(let error):
      ["name": .string(name), "size": .string(size), "sha256": digest, "error": .string(error.message)]
    case .success(let figures):
      [
        "name": .string(name), "size": .string(size), "sha256": digest,
        "psnr_db": .number(figures.quality.psnr), "identical": .bool(figures.quality.identical),
        "mean_squared_error": .number(figures.quality.meanSquaredError),
        "ssim": .number(figures.quality.ssim), "ssim_window": .integer(figures.quality.ssimWindow),
        "temporal": figures.temporal?.json ?? .null,
        "seconds": .number(figures.candidateSeconds), "reference_seconds": .number(figures.referenceSeconds),
      ]
    }
  }

  private var digest: JSONValue { sha256.isEmpty ? .null : .string(sha256) }
}

extension TemporalFigures {
  fileprivate var json: JSONValue { ["noise": noise.json, "shift": shift?.json ?? .null] }
}

extension TemporalChange {
  fileprivate var json: JSONValue {
    ["reference": .number(reference), "candidate": .number(candidate), "extra_db": .number(extra)]
  }
}
