import Diagnostics
import Files
import StyleModelKit
import Tensors

/// The body of `stylemodel diff`.
@Sendable func runDiff(_ arguments: ParsedArguments, _ console: Console) throws(StyleModelError) -> Int32 {
  let options = ImportArguments.options(arguments)
  let a = try loadModel(arguments.one(DiffOptions.a), checkpointOptions: options)
  let b = try loadModel(arguments.one(DiffOptions.b), checkpointOptions: options)
  let difference = ModelDifference(a, b)
  if arguments.has(GeneralOptions.json) {
    console.print(difference.json(a, b).text(indented: true))
  } else {
    for line in difference.lines(a, b) { console.print(line) }
  }
  let fails = arguments.has(DiffOptions.failIfDifferent) && !difference.sameNetwork
  return fails ? StyleModelError.Kind.gateFailed.exitStatus : 0
}

extension ModelDifference {
  private var verdict: String {
    if sameFile { return "the same file, byte for byte" }
    return sameNetwork ? "one network in two files" : "two different networks"
  }

  fileprivate func lines(_ a: Model, _ b: Model) -> [String] {
    var lines = ["A: \(printable(a.path))", "B: \(printable(b.path))", "", verdict]
    for (title, changes) in [("file", file), ("origin", origin), ("pixels", contract)] where !changes.isEmpty
    {
      lines += ["", title]
      lines += changes.map { "  \($0.property): \(printable($0.a)) -> \(printable($0.b))" }
    }
    if isRewired { lines += ["", "operations", "  the same, on other values: see 'inspect --graph'"] }
    if !operations.isEmpty {
      let gone = operations.count { !$0.isInB }
      lines += ["", "operations: \(gone) only in A, \(operations.count - gone) only in B"]
      lines += operations.map { "  \($0.isInB ? "+" : "-") \(printable($0.operation))" }
    }
    lines = lines.flatMap { hanging($0, indent: 4) }
    return tensors.isEmpty ? lines : lines + [""] + tensorLines
  }

  private var tensorLines: [String] {
    var table = TextTable(
      .left("tensor"), .left("A"), .left("B"), .right("max |A-B|"), .right("SNR dB"))
    for tensor in tensors {
      table.add(
        printable(tensor.name), form(tensor.a, beside: tensor.b), form(tensor.b, beside: tensor.a),
        tensor.distance.map { fixed($0.greatest, 6) } ?? "",
        tensor.distance.map { fixed($0.signalToNoise, 2) } ?? "")
    }
    func bytes(_ forms: [StoredForm?]) -> String { grouped(forms.reduce(0) { $0 + ($1?.byteCount ?? 0) }) }
    return [
      "tensors that differ: \(tensors.count), \(bytes(tensors.map(\.a))) -> \(bytes(tensors.map(\.b))) bytes"
    ] + table.lines()
  }

  /// How a tensor is stored, with its shape where that is not the other's.
  private func form(_ form: StoredForm?, beside other: StoredForm?) -> String {
    guard let form else { return "-" }
    return form.shape == other?.shape ? form.shortEncoding : "\(form.shortEncoding) \(form.shape)"
  }
}

extension ModelDifference.StoredForm {
  /// The encoding in less room: `int8 axis 0`.
  fileprivate var shortEncoding: String {
    let words = encoding.split(separator: " ").filter { $0 != "per" && $0 != "channel" }
    return words.map { $0.filter { !"()".contains($0) } }.joined(separator: " ")
  }
}

extension ModelDifference {
  fileprivate func json(_ a: Model, _ b: Model) -> JSONValue {
    [
      "a": .string(a.path), "b": .string(b.path),
      "same_file": .bool(sameFile), "same_network": .bool(sameNetwork),
      "bytes": [.integer(a.byteCount), .integer(b.byteCount)],
      "file": json(file), "origin": json(origin), "pixels": json(contract),
      "operations": .array(
        operations.map { ["only_in": .string($0.isInB ? "b" : "a"), "operation": .string($0.operation)] }),
      "rewired": .bool(isRewired),
      "tensors": .array(
        tensors.map { tensor in
          [
            "name": .string(tensor.name), "a": json(tensor.a), "b": json(tensor.b),
            "max_abs_difference": tensor.distance.map { .number($0.greatest) } ?? .null,
            "snr_db": tensor.distance.map { .number($0.signalToNoise) } ?? .null,
            "same_numbers": .bool(tensor.distance?.greatest == 0),
          ]
        }),
    ]
  }

  private func json(_ changes: [Change]) -> JSONValue {
    .array(changes.map { ["property": .string($0.property), "a": .string($0.a), "b": .string($0.b)] })
  }

  private func json(_ form: StoredForm?) -> JSONValue {
    guard let form else { return .null }
    return [
      "shape": .array(form.shape.dimensions.map { .integer($0) }), "stored_as": .string(form.encoding),
      "bytes": .integer(form.byteCount),
    ]
  }
}
