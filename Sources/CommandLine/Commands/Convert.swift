import Diagnostics
import Files
import Passes
import Quantization
import StyleModelFile
import StyleModelKit

/// The body of `stylemodel convert`.
@Sendable func runConvert(_ arguments: ParsedArguments, _ console: Console) throws(StyleModelError) -> Int32 {
  let input = arguments.one(ConvertOptions.input)
  let goal = try ConvertOptions.goal(arguments)
  let scheme = try SchemeOptions.options(arguments)
  let output =
    arguments[ConvertOptions.output] ?? defaultOutputPath(for: input, scheme: goal?.name ?? scheme.name)
  let format = try OutputFormat.named(by: output)
  try ConvertOptions.check(arguments, format: format)
  try requireNotInput(output, [input])
  var importOptions = ImportArguments.options(arguments)
  importOptions.style = StyleArguments.choice(arguments)
  let source = try loadModel(input, options: importOptions)
  if arguments.has(ConvertOptions.evaluate) { try source.requireOneStyle() }
  var frozen: FrozenNorms?
  if let folder = arguments[ConvertOptions.freezeNorm] {
    let progress = ProgressBar("Measuring", on: console)
    defer { progress.finish() }
    frozen = try FrozenNorms(
      source, picturesIn: folder, fit: arguments[EvaluationArguments.fit] ?? .resize,
      threads: arguments[GeneralOptions.threads], progress: progress.update)
  }
  let sizes = arguments[ConvertOptions.size] ?? arguments[ConvertOptions.sizeRange]
  let threads = arguments[GeneralOptions.threads]
  let calibrating = ProgressBar(goal == nil ? "Calibrating" : "Searching", on: console)
  defer { calibrating.finish() }
  let conversion: Conversion
  var search: SearchResult?
  if let goal {
    let found = try convert(
      source,
      searching: SearchOptions(
        goal: goal, photosOnly: arguments.has(ConvertOptions.photosOnly),
        isEntropyCoded: !arguments.has("fast-load"),
        keep: scheme.keep, calibration: ConvertOptions.calibrate.set(in: arguments) ?? .builtIn,
        importOptions: importOptions, sizes: sizes, frozen: frozen, threads: threads),
      progress: calibrating.update)
    (conversion, search) = (found.conversion, found.search)
  } else {
    conversion = try convert(
      source, quantization: scheme, importOptions: importOptions, format: format, sizes: sizes,
      frozen: frozen,
      calibration: ConvertOptions.calibrate.set(in: arguments), threads: threads, progress: calibrating.update
    )
  }
  calibrating.finish()
  try conversion.write(to: output)

  // What was done is said before the evaluation, which may fail.
  let wantsJSON = arguments.has(GeneralOptions.json)
  if !wantsJSON { for line in conversion.lines(output: output, search) { console.print(line) } }
  var report: EvaluationReport?
  if arguments.has(ConvertOptions.evaluate) {
    let progress = ProgressBar("Evaluating", on: console)
    defer { progress.finish() }
    let evaluation = try evaluate(
      try loadModel(output),
      options: StyleModelKit.EvaluationOptions(
        imagesFolder: arguments[EvaluationArguments.images], sourcePath: input,
        sourceImportOptions: importOptions,
        fit: arguments[EvaluationArguments.fit] ?? .resize, threads: arguments[GeneralOptions.threads]),
      progress: progress.update)
    progress.finish()
    if !wantsJSON { console.print("\n" + evaluation.text, terminator: "") }
    report = evaluation
  }
  if wantsJSON {
    console.print(conversion.json(output: output, search, evaluation: report).text(indented: true))
  }
  return report?.exitStatus ?? 0
}

extension ConvertOptions {
  /// What a search looks for, where one is asked for.
  fileprivate static func goal(_ arguments: ParsedArguments) throws(StyleModelError) -> SearchGoal? {
    arguments[minPSNR].map { .minPSNR($0) } ?? arguments[maxBytes].map { .maxBytes($0) }
  }

  /// Checks that options go together which the tables know nothing of.
  /// - Throws: `.usage` when they do not.
  fileprivate static func check(
    _ arguments: ParsedArguments, format: OutputFormat
  ) throws(StyleModelError) {
    let isSearch = arguments.has(minPSNR.spec) || arguments.has(maxBytes.spec)
    let isOurs = format.suffix == OutputFormat.styleModel.suffix
    if isSearch, !isOurs {
      throw StyleModelError(
        .usage, "a search finds steps for each channel that only a .stylemodel can hold",
        remedy: "write one, or choose --int8 or --bits for \(format.suffix)")
    }
    for scheme in QuantizationScheme.all where scheme.isModifier && arguments.has(scheme.name) {
      if isSearch, scheme.effect != .fastLoad {
        throw StyleModelError(
          .usage, "--\(scheme.name) says how integers are scaled, which a search finds by itself",
          remedy: "leave it out")
      }
      if scheme.effect == .fastLoad, !isOurs {
        throw StyleModelError(
          .usage, "--fast-load is about the coding of a .stylemodel; a \(format.suffix) has none",
          remedy: "leave it out")
      }
    }
    if arguments.has(photosOnly), !isSearch {
      throw StyleModelError(
        .usage, "--photos-only is for searches", remedy: "give --min-psnr or --max-bytes with it")
    }
  }
}

extension Conversion {
  /// What was read, what was done, and what came out.
  fileprivate func lines(output: String, _ search: SearchResult?) -> [String] {
    var lines = [
      "read     \(printable(source.path)): \(source.container), \(grouped(source.byteCount)) bytes"
    ]
    lines += source.description.map { "         " + $0 }
    lines += source.notes.map { "         note: " + $0 }
    if let frozen { lines.append("frozen   \(frozen.summary)") }
    lines += PassNote.summary(of: passNotes).map { "pass     " + $0 }
    lines.append("weights  \(search?.summary ?? scheme); they are stored so, and run in float")
    lines += (quantization.summary + warnings).map { "         note: " + $0 }
    lines += search?.lines ?? []
    let share = fixed(100 * Double(bytes.count) / Double(source.byteCount), 1)
    lines.append(
      "wrote    \(printable(output)): \(grouped(source.byteCount)) -> \(grouped(bytes.count)) bytes "
        + "(\(share) %\(ratioText(source.byteCount, bytes.count)))")
    return lines.flatMap { hanging($0, indent: 9) } + sizeTable(sizeLines, indent: 9)
      + (search?.layerTable ?? [])
  }

  fileprivate func json(output: String, _ search: SearchResult?, evaluation: EvaluationReport?) -> JSONValue {
    [
      "input": [
        "path": .string(source.path), "container": .string(source.container),
        "bytes": .integer(source.byteCount),
      ],
      "recipe": source.recipeName.map { .string($0) } ?? .null,
      "pixels": .string(graph.contract.summary),
      "scheme": .string(scheme),
      "output": ["path": .string(output), "bytes": .integer(bytes.count)],
      "sizes": .array(
        sizeLines.map { ["name": .string($0.name), "bytes": .integer($0.byteCount)] }),
      "search": search.map(\.json) ?? .null,
      "frozen": frozen.map(\.json) ?? .null,
      "passes": .array(PassNote.summary(of: passNotes).map { .string($0) }),
      "notes": .array((source.notes + quantization.notes + warnings).map { .string($0) }),
      "evaluation": evaluation.map(\.json) ?? .null,
    ]
  }
}

extension FrozenNorms {
  fileprivate var json: JSONValue {
    [
      "folder": .string(folder), "norms": .integer(notes.count { $0.kind == .done }),
      "pictures": .array(
        pictures.map { picture in
          [
            "name": .string(picture.name),
            "psnr": picture.quality.identical ? .null : .number(picture.quality.psnr),
            "ssim": .number(picture.quality.ssim),
          ]
        }),
    ]
  }
}

/// How many times smaller a file has become; nothing where it has not.
private func ratioText(_ before: Int, _ after: Int) -> String {
  after < before ? ", \(fixed(Double(before) / Double(after), 2))x smaller" : ""
}
