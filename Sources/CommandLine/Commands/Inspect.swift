import Diagnostics
import Evaluation
import Files
import ModelGraph
import StyleModelFile
import StyleModelKit

/// The body of `stylemodel inspect`.
@Sendable func runInspect(_ arguments: ParsedArguments, _ console: Console) throws(StyleModelError) -> Int32 {
  let inspection = try inspectFile(
    arguments.one(InspectOptions.file), options: ImportArguments.options(arguments))
  let wantsTensors = arguments.has(InspectOptions.tensors)
  let wantsGraph = arguments.has(InspectOptions.graph)
  if arguments.has(GeneralOptions.json) {
    console.print(inspection.json(tensors: wantsTensors, graph: wantsGraph).text(indented: true))
    return 0
  }
  for line in inspection.lines(tensors: wantsTensors) { console.print(line) }
  if wantsGraph {
    let model = try inspection.model.get()
    console.print("\n" + model.graph.text, terminator: "")
  }
  return 0
}

extension Inspection {
  private var modelError: StyleModelError? {
    if case .failure(let error) = model { error } else { nil }
  }

  fileprivate func lines(tensors wantsTensors: Bool) -> [String] {
    var lines = ["\(printable(path)): \(container), \(grouped(byteCount)) bytes"]
    lines += details.map { "  \($0.name): \($0.text)" }
    let elements = tensors.reduce(0) { $0 + $1.shape.count }
    lines.append("  \(counted(tensors.count, "tensor")), \(counted(elements, "number"))")
    for (encoding, group) in byEncoding {
      lines.append("    \(counted(group.count, "tensor")) \(encoding), \(grouped(group.bytes)) bytes")
    }
    let bad = tensors.filter { $0.nonFiniteCount > 0 }
    for tensor in bad {
      lines.append(
        "  warning: tensor '\(printable(tensor.name))' has \(counted(tensor.nonFiniteCount, "number")) not finite"
      )
    }
    switch model {
    case .success(let model):
      lines += model.description.map { "  " + $0 }
      if let provenance = model.provenance {
        lines.append(
          "  made from \(printable(provenance.sourceName)), \(grouped(provenance.sourceByteCount)) bytes")
        lines.append("    SHA-256 \(hexadecimal(provenance.sourceSHA256))")
        lines.append(
          "    by \(printable(provenance.tool)) convert \(printable(provenance.options.joined(separator: " ")))"
        )
      }
      lines += model.notes.map { "  note: " + $0 }
    case .failure(let error):
      lines.append("  no network: " + (error.file == path ? error.withoutFile : error).message)
    }
    lines = lines.flatMap { hanging($0, indent: 4) }
    lines.append("  where the bytes are")
    lines += sizeTable(sizes, indent: 4)
    // Without a network, the tensors are all there is to look at.
    if wantsTensors || modelError != nil {
      var table = TextTable(
        .left("tensor"), .left("shape"), .left("stored as"), .right("bytes"), .right("bits"))
      for tensor in tensors {
        table.add(
          printable(tensor.name), tensor.shape.description, tensor.shortEncoding,
          grouped(tensor.storedByteCount),
          fixed(tensor.bitsPerNumber, 2))
      }
      lines += [""] + table.lines()
    }
    return lines
  }

  /// The tensors by how they are stored, in the order of first appearance.
  private var byEncoding: [(encoding: String, group: (count: Int, bytes: Int))] {
    var order: [String] = []
    var groups: [String: (count: Int, bytes: Int)] = [:]
    for tensor in tensors {
      if groups[tensor.encoding] == nil { order.append(tensor.encoding) }
      let old = groups[tensor.encoding] ?? (0, 0)
      groups[tensor.encoding] = (old.count + 1, old.bytes + tensor.byteCount)
    }
    return order.map { ($0, groups[$0] ?? (0, 0)) }
  }

  fileprivate func json(tensors wantsTensors: Bool, graph wantsGraph: Bool) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("path", .string(path)), .init("container", .string(container)),
      .init("bytes", .integer(byteCount)),
      .init("details", .array(details.map { ["name": .string($0.name), "text": .string($0.text)] })),
      .init("tensor_count", .integer(tensors.count)),
      .init("sizes", .array(sizes.map { ["name": .string($0.name), "bytes": .integer($0.byteCount)] })),
    ]
    switch model {
    case .success(let model):
      members += [
        .init("recipe", model.recipeName.map { .string($0) } ?? .null),
        .init("storage", .string(model.storage)),
        .init("pixels", model.pixelSummary.map { .string($0) } ?? .null),
        .init("pixels_guess", model.pixelGuess.map { .string($0.description) } ?? .null),
        .init("styles", model.graph.styles.map(\.json) ?? .null),
        .init("notes", .array(model.notes.map { .string($0) })),
        .init("provenance", model.provenance.map(\.json) ?? .null),
      ]
      if wantsGraph { members.append(.init("graph", .string(model.graph.text))) }
    case .failure(let error): members.append(.init("error", .string(error.message)))
    }
    if wantsTensors {
      members.append(
        .init(
          "tensors",
          .array(
            tensors.map {
              [
                "name": .string($0.name), "shape": .array($0.shape.dimensions.map { .integer($0) }),
                "stored_as": .string($0.encoding), "bytes": .integer($0.byteCount),
                "stored_bytes": .integer($0.storedByteCount), "bits_per_number": .number($0.bitsPerNumber),
                "not_finite": .integer($0.nonFiniteCount),
              ]
            })))
    }
    return .object(members)
  }
}

extension Inspection.Tensor {
  /// How the numbers are stored, for a narrow column: `int8/channel`.
  fileprivate var shortEncoding: String {
    guard let range = encoding.firstRange(of: " per ") else { return encoding }
    return encoding[..<range.lowerBound] + "/" + encoding[range.upperBound...].prefix { $0 != " " }
  }
}

extension StyleSet {
  fileprivate var json: JSONValue {
    ["input": .string(inputName), "count": .integer(count), "names": .array(names.map { .string($0) })]
  }
}

extension Provenance {
  fileprivate var json: JSONValue {
    [
      "source": .string(sourceName), "source_sha256": .string(hexadecimal(sourceSHA256)),
      "source_bytes": .integer(sourceByteCount), "options": .array(options.map { .string($0) }),
      "tool": .string(tool),
    ]
  }
}
