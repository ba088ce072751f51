import Diagnostics
import Evaluation
import StyleModelFile
import StyleModelKit

extension Model {
  /// What the pixels mean, or nil where neither the file nor the user says.
  var pixelSummary: String? { pixelsAreUnknown ? nil : graph.contract.summary }

  /// The network in a few lines: its family, its size, its pixels.
  var description: [String] {
    let parameters = graph.constants.values.reduce(0) { $0 + $1.tensor.shape.count }
    let operations = counted(graph.nodes.count, "operation")
    return [
      "\(recipeName.map { "recipe \(printable($0, limit: 80)), " } ?? "")\(operations), \(counted(parameters, "parameter")), \(storage)",
      "pixels \(pixelSummary ?? "unknown: the file does not say; pass --io\(pixelGuess.map { " (\($0))" } ?? "")")",
    ] + (graph.styles.map { [$0.summary] } ?? [])
  }
}

extension EvaluationReport {
  /// 0 where all went well; the status of the first bad input, or 1 where a gate failed or an output is not finite.
  var exitStatus: Int32 {
    for picture in pictures {
      if case .failure(let error) = picture.outcome { return error.kind.exitStatus }
    }
    return passed ? 0 : StyleModelError.Kind.gateFailed.exitStatus
  }
}

/// Where a file's bytes are: the lines add up to the file.
func sizeTable(_ sizes: [EvaluationReport.SizeLine], indent: Int) -> [String] {
  var table = TextTable(.right("bytes"), .left("what"))
  for line in sizes { table.add(grouped(line.byteCount), line.name) }
  table.add(grouped(sizes.reduce(0) { $0 + $1.byteCount }), "the file")
  return table.lines(indent: indent)
}
