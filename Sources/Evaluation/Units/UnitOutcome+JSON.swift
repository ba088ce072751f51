public import Diagnostics
import Imaging

extension UnitOutcome {
  /// The outcome for programs: `result` is the picture as reports have it, the rest what a report is put together from
  /// besides. `init(_:)` reads back what is the same to the bit.
  public var json: JSONValue {
    var members: [JSONValue.Member] = [.init("result", picture.json)]
    switch picture.outcome {
    case .failure(let error): members.append(.init("error", error.json))
    case .success(let figures): members.append(.init("checks", figures.checks))
    }
    if let overflow { members.append(.init("overflow", overflow.unitJSON)) }
    if !layers.isEmpty {
      let sums = layers.map {
        JSONValue.array([.number($0.signal), .number($0.ownNoise), .number($0.arrivedNoise)])
      }
      members.append(.init("layers", .array(sums)))
    }
    if let exhibit = picture.exhibit { members.append(.init("exhibit", exhibit.json)) }
    return .object(members)
  }

  /// Reads what `json` gives.
  /// - Throws: `.badInput` naming what in it is not as it should be.
  public init(_ unit: JSONPlace) throws(StyleModelError) {
    let result = try unit.member("result")
    let digest = try result.member("sha256").textOrNull() ?? ""
    let outcome: Result<PictureResult.Figures, StyleModelError>
    if let error = unit.optional("error") {
      outcome = .failure(try StyleModelError(error))
    } else {
      outcome = .success(try PictureResult.Figures(result, checks: try unit.member("checks")))
    }
    self.init(
      picture: PictureResult(
        name: try result.member("name").text(), size: try result.member("size").text(), sha256: digest,
        outcome: outcome))
    picture.exhibit = try unit.optional("exhibit").map { place throws(StyleModelError) in
      try Exhibit(place)
    }
    overflow = try unit.optional("overflow").map { place throws(StyleModelError) in
      try EvaluationReport.Compute.Overflow(place)
    }
    layers = try (unit.optional("layers")?.items() ?? []).map { place throws(StyleModelError) in
      let sums = try place.items().map { sum throws(StyleModelError) in try sum.numberOrInfinity() }
      guard sums.count == 3 else { throw place.wanted("an array of three sums") }
      return LayerSums(signal: sums[0], ownNoise: sums[1], arrivedNoise: sums[2])
    }
  }
}

extension StyleModelError {
  /// The error for programs, part by part.
  public var json: JSONValue {
    func text(_ part: String?) -> JSONValue { part.map { .string($0) } ?? .null }
    return [
      "kind": .string(kind.rawValue), "file": text(file), "place": text(place), "problem": .string(problem),
      "remedy": text(remedy),
    ]
  }

  /// Reads what `json` gives.
  /// - Throws: `.badInput` naming what in it is not as it should be.
  public init(_ error: JSONPlace) throws(StyleModelError) {
    let kind = try error.member("kind")
    guard let known = Kind(rawValue: try kind.text()) else { throw kind.wanted("a kind of error") }
    self.init(
      known, file: try error.member("file").textOrNull(), place: try error.member("place").textOrNull(),
      try error.member("problem").text(), remedy: try error.member("remedy").textOrNull())
  }
}

extension PictureResult.Figures {
  /// What is odd about the outputs: what a report draws its notes from.
  fileprivate var checks: JSONValue {
    [
      "input_is_flat": .bool(inputIsFlat), "non_finite": .integer(output.nonFiniteCount),
      "saturated": .number(output.saturatedShare), "deviation": .number(output.deviation),
      "ordered_psnr_db": .number(channelOrder.psnr), "swapped_psnr_db": .number(channelOrder.swappedPSNR),
    ]
  }

  fileprivate init(_ result: JSONPlace, checks: JSONPlace) throws(StyleModelError) {
    self.init(
      quality: ImageQuality(
        meanSquaredError: try result.member("mean_squared_error").number(),
        ssim: try result.member("ssim").number(), ssimWindow: try result.member("ssim_window").count()),
      inputIsFlat: try checks.member("input_is_flat").truth(),
      output: OutputCheck(
        nonFiniteCount: try checks.member("non_finite").count(),
        saturatedShare: try checks.member("saturated").number(),
        deviation: try checks.member("deviation").number()),
      channelOrder: ChannelOrderCheck(
        psnr: try checks.member("ordered_psnr_db").numberOrInfinity(),
        swappedPSNR: try checks.member("swapped_psnr_db").numberOrInfinity()),
      temporal: nil, candidateSeconds: try result.member("seconds").number(),
      referenceSeconds: try result.member("reference_seconds").number())
    let temporal = try result.member("temporal")
    guard !temporal.isNull else { return }
    let shift = try temporal.member("shift")
    self.temporal = TemporalFigures(
      noise: try TemporalChange(try temporal.member("noise")),
      shift: shift.isNull ? nil : try TemporalChange(shift))
  }
}

extension TemporalChange {
  fileprivate init(_ change: JSONPlace) throws(StyleModelError) {
    self.init(
      reference: try change.member("reference").numberOrInfinity(),
      candidate: try change.member("candidate").numberOrInfinity())
  }
}

extension EvaluationReport.Compute.Overflow {
  /// What reports have, and the words.
  fileprivate var unitJSON: JSONValue {
    .object((json.members ?? []) + [.init("text", .string(text))])
  }

  fileprivate init(_ overflow: JSONPlace) throws(StyleModelError) {
    self.init(
      picture: try overflow.member("picture").text(), layer: try overflow.member("layer").text(),
      what: try overflow.member("what").text(), count: try overflow.member("count").count(),
      nonFinitePixels: try overflow.member("non_finite_pixels").count(),
      text: try overflow.member("text").text())
  }
}

extension Exhibit {
  fileprivate var json: JSONValue {
    [
      "original": original.json, "reference": reference.json, "candidate": candidate.json,
      "errors": errors.json, "width": .integer(width), "height": .integer(height),
      "scaled_down": .bool(isScaledDown), "shares_above": .array(sharesAbove.map { .number($0) }),
      "greatest_error": .number(greatestError),
    ]
  }

  fileprivate init(_ exhibit: JSONPlace) throws(StyleModelError) {
    func picture(_ key: String) throws(StyleModelError) -> EncodedPicture {
      try EncodedPicture(try exhibit.member(key))
    }
    let shares = try exhibit.member("shares_above")
    let numbers = try shares.items().map { share throws(StyleModelError) in try share.number() }
    guard numbers.count == Exhibit.errorSteps.count else {
      throw shares.wanted("an array of \(Exhibit.errorSteps.count) shares")
    }
    self.init(
      original: try picture("original"), reference: try picture("reference"),
      candidate: try picture("candidate"), errors: try picture("errors"),
      width: try exhibit.member("width").count(), height: try exhibit.member("height").count(),
      isScaledDown: try exhibit.member("scaled_down").truth(), sharesAbove: numbers,
      greatestError: try exhibit.member("greatest_error").number())
  }
}

extension Exhibit.EncodedPicture {
  fileprivate var json: JSONValue {
    ["format": .string(format.rawValue), "base64": .string(base64(bytes))]
  }

  fileprivate init(_ picture: JSONPlace) throws(StyleModelError) {
    let format = try picture.member("format")
    guard let known = PictureFormat(rawValue: try format.text()), known != .npy else {
      throw format.wanted("png or jpeg")
    }
    let text = try picture.member("base64")
    guard let bytes = decodedBase64(try text.text()) else { throw text.wanted("Base64") }
    self.init(format: known, bytes: bytes)
  }
}

extension JSONPlace {
  /// A number that may be infinite, which JSON writes as `null`.
  func numberOrInfinity() throws(StyleModelError) -> Double { isNull ? .infinity : try number() }
}
