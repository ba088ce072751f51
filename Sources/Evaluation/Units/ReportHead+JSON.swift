public import Diagnostics

extension ReportHead {
  /// The head for programs, with the keys that reports have. `init(_:)` reads back what is the same.
  public var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("model", candidate.json), .init("against", reference.json), .init("compute", .string(compute)),
      .init(
        "sizes", .array(sizes.map { ["name": .string($0.name), "bytes": .integer($0.byteCount)] })),
      .init("source_bytes", sourceByteCount.map { .integer($0) } ?? .null),
      .init("source_sha256", sourceSHA256.map { .string($0) } ?? .null),
      .init("notes", .array(notes.map { .string($0) })),
      .init("closing_notes", .array(closingNotes.map { .string($0) })),
    ]
    if !shares.isEmpty { members.append(.init("shares", .array(shares.map(\.json)))) }
    if !layers.isEmpty {
      members.append(
        .init(
          "layers",
          .array(
            layers.map {
              ["name": .string($0.name), "shape": .string($0.shape), "storage": .string($0.storage)]
            })))
    }
    if let failure { members.append(.init("failure", failure.json)) }
    return .object(members)
  }

  /// Reads what `json` gives.
  /// - Throws: `.badInput` naming what in it is not as it should be.
  public init(_ head: JSONPlace) throws(StyleModelError) {
    func texts(_ key: String) throws(StyleModelError) -> [String] {
      try head.member(key).items().map { text throws(StyleModelError) in try text.text() }
    }
    let sourceBytes = try head.member("source_bytes")
    self.init(
      candidate: try EvaluationReport.Subject(try head.member("model")),
      reference: try EvaluationReport.Subject(try head.member("against")),
      sizes: try head.member("sizes").items().map { line throws(StyleModelError) in
        EvaluationReport.SizeLine(
          name: try line.member("name").text(), byteCount: try line.member("bytes").count())
      },
      shares: try (head.optional("shares")?.items() ?? []).map { share throws(StyleModelError) in
        try EvaluationReport.ByteShare(share)
      },
      compute: try head.member("compute").text(),
      sourceByteCount: sourceBytes.isNull ? nil : try sourceBytes.count(),
      sourceSHA256: try head.member("source_sha256").textOrNull(), notes: try texts("notes"),
      closingNotes: try texts("closing_notes"),
      layers: try (head.optional("layers")?.items() ?? []).map { layer throws(StyleModelError) in
        LayerNoise(
          name: try layer.member("name").text(), shape: try layer.member("shape").text(),
          storage: try layer.member("storage").text())
      },
      failure: try head.optional("failure").map { failure throws(StyleModelError) in
        try StyleModelError(failure)
      })
  }
}

extension EvaluationReport.Subject {
  fileprivate init(_ subject: JSONPlace) throws(StyleModelError) {
    let bytes = try subject.member("bytes")
    self.init(
      name: try subject.member("name").text(), storage: try subject.member("storage").text(),
      byteCount: bytes.isNull ? 0 : try bytes.count(),
      sha256: try subject.member("sha256").textOrNull() ?? "")
  }
}

extension EvaluationReport.ByteShare {
  fileprivate var json: JSONValue {
    [
      "layer": .string(layer), "storage": storage.map { .string($0) } ?? .null, "bytes": .integer(byteCount),
    ]
  }

  fileprivate init(_ share: JSONPlace) throws(StyleModelError) {
    self.init(
      layer: try share.member("layer").text(), storage: try share.member("storage").textOrNull(),
      byteCount: try share.member("bytes").count())
  }
}
