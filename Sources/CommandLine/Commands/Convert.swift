import Diagnostics
import Files
import Glibc
import Passes
import Quantization
import StyleModelFile
import StyleModelKit

/// The body of `stylemodel convert`.
@Sendable func runConvert(_ arguments: ParsedArguments, _ console: Console) throws(StyleModelError) -> Int32 {
  let input = arguments.one(ConvertOptions.input)
  let scheme = try SchemeOptions.options(arguments)
  let output = arguments[ConvertOptions.output] ?? defaultOutputPath(for: input, quantization: scheme)
  let format = try OutputFormat.named(by: output)
  guard !isSameFile(input, output) else {
    throw StyleModelError(
      .usage, file: output, "is the input itself, which would be lost", remedy: "name another output with -o")
  }
  let importOptions = ImportArguments.options(arguments)
  let source = try loadModel(input, options: importOptions)
  let conversion = try convert(
    source, quantization: scheme, importOptions: importOptions, format: format)
  try replaceFile(output, with: conversion.bytes)

  let report: EvaluationReport?
  if arguments.has(ConvertOptions.evaluate) {
    let progress = ProgressBar("Evaluating", on: console)
    defer { progress.finish() }
    report = try evaluate(
      try loadModel(output),
      options: StyleModelKit.EvaluationOptions(
        imagesFolder: arguments[EvaluationArguments.images], sourcePath: input,
        sourceImportOptions: importOptions,
        fit: arguments[EvaluationArguments.fit] ?? .resize, threads: arguments[GeneralOptions.threads]),
      progress: progress.update)
  } else {
    report = nil
  }
  if arguments.has(GeneralOptions.json) {
    console.print(conversion.json(output: output, scheme: scheme, evaluation: report).text(indented: true))
  } else {
    for line in conversion.lines(output: output, scheme: scheme) { console.print(line) }
    if let report { console.print("\n" + report.text, terminator: "") }
  }
  return report?.exitStatus ?? 0
}

/// Whether two names are of one existing file.
private func isSameFile(_ a: String, _ b: String) -> Bool {
  var first = stat()
  var second = stat()
  return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_ino == second.st_ino
    && first.st_dev == second.st_dev
}

extension Conversion {
  /// What was read, what was done, and what came out.
  fileprivate func lines(output: String, scheme: QuantizationOptions) -> [String] {
    var lines = ["read     \(source.path): \(source.container), \(grouped(source.byteCount)) bytes"]
    lines += source.description.map { "         " + $0 }
    lines += source.notes.map { "         note: " + $0 }
    lines += PassNote.summary(of: passNotes).map { "pass     " + $0 }
    lines.append("weights  \(scheme.name); they are stored so, and run in float")
    lines += quantization.notes.map { "         note: " + $0 }
    let share = fixed(100 * Double(bytes.count) / Double(source.byteCount), 1)
    lines.append(
      "wrote    \(output): \(grouped(source.byteCount)) -> \(grouped(bytes.count)) bytes "
        + "(\(share) %, \(fixed(Double(source.byteCount) / Double(bytes.count), 2))x smaller)")
    return lines.flatMap { hanging($0, indent: 9) } + sizeTable(sizeLines, indent: 9)
  }

  fileprivate func json(output: String, scheme: QuantizationOptions, evaluation: EvaluationReport?)
    -> JSONValue
  {
    [
      "input": [
        "path": .string(source.path), "container": .string(source.container),
        "bytes": .integer(source.byteCount),
      ],
      "recipe": source.recipeName.map { .string($0) } ?? .null,
      "pixels": .string(graph.contract.summary),
      "scheme": .string(scheme.name),
      "output": ["path": .string(output), "bytes": .integer(bytes.count)],
      "sizes": .array(
        sizeLines.map { ["name": .string($0.name), "bytes": .integer($0.byteCount)] }),
      "passes": .array(PassNote.summary(of: passNotes).map { .string($0) }),
      "notes": .array((source.notes + quantization.notes).map { .string($0) }),
      "evaluation": evaluation.map(\.json) ?? .null,
    ]
  }
}
