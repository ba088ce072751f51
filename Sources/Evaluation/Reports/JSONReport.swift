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
      "pictures": .array(pictures.map(\.json)),
      "gates": .array(
        gates.map { ["gate": .string($0.gate), "passed": .bool($0.passed), "text": .string($0.text)] }),
      "sizes": .array(sizes.map { ["name": .string($0.name), "bytes": .integer($0.byteCount)] }),
      "rounded": .bool(rounded),
      "definition": .string(definition),
      "notes": .array(notes.map { .string($0) }),
    ]
  }
}

extension EvaluationReport.Compute.Overflow {
  fileprivate var json: JSONValue {
    [
      "picture": .string(picture), "layer": .string(layer), "what": .string(what), "count": .integer(count),
      "non_finite_pixels": .integer(nonFinitePixels),
    ]
  }
}

extension EvaluationReport.Subject {
  fileprivate var json: JSONValue {
    [
      "name": .string(name), "storage": .string(storage),
      "bytes": byteCount > 0 ? .integer(byteCount) : .null,
      "sha256": sha256.isEmpty ? .null : .string(sha256),
    ]
  }
}

extension PictureResult {
  fileprivate var json: JSONValue {
    switch outcome {
    case .failure(let error): ["name": .string(name), "size": .string(size), "error": .string(error.message)]
    case .success(let figures):
      [
        "name": .string(name), "size": .string(size), "psnr_db": .number(figures.quality.psnr),
        "identical": .bool(figures.quality.identical),
        "mean_squared_error": .number(figures.quality.meanSquaredError),
        "ssim": .number(figures.quality.ssim),
        "ssim_window": .integer(figures.quality.ssimWindow),
        "seconds": .number(figures.candidateSeconds), "reference_seconds": .number(figures.referenceSeconds),
      ]
    }
  }
}
