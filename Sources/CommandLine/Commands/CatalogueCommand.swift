import Catalogue
import Diagnostics
import Evaluation
import Files
import StyleModelKit

/// A command whose work can be planned and divided, and how its arguments become a plan.
struct CatalogueCommand: Sendable {
  /// The command's table.
  let spec: CommandSpec
  /// What is measured, and how.
  let work: @Sendable (ParsedArguments) throws(StyleModelError) -> CatalogueRequest.Work
  /// The models' files.
  private let models: @Sendable (ParsedArguments) throws(StyleModelError) -> [String]

  /// The command that a plan is for.
  static func of(_ command: CataloguePlan.Command) -> CatalogueCommand {
    switch command {
    case .sweep:
      CatalogueCommand(
        spec: sweepCommand,
        work: { arguments throws(StyleModelError) in .sweep(try sweepOptions(arguments)) },
        models: { arguments throws(StyleModelError) in try sweptModels(arguments) })
    case .eval:
      CatalogueCommand(
        spec: evalCommand,
        work: { arguments throws(StyleModelError) in
          var options = try evaluationOptions(arguments)
          options.keepsPictures = arguments.has(CatalogueArguments.withPictures)
          options.measuresLayers = options.keepsPictures
          return .eval(options, ImportArguments.options(arguments))
        },
        models: { arguments throws(StyleModelError) in try evaluatedModels(arguments) })
    }
  }

  /// What a command line asks to be planned.
  func request(_ arguments: ParsedArguments) throws(StyleModelError) -> CatalogueRequest {
    CatalogueRequest(
      work: try work(arguments), models: try models(arguments), words: arguments.workWords,
      measuring: try measuring(arguments), judging: try judging(arguments))
  }

  /// The arguments that a plan was made with.
  func arguments(of plan: CataloguePlan) throws(StyleModelError) -> ParsedArguments {
    do throws(StyleModelError) {
      // The program's and the command's names come first.
      var arguments = try ArgumentParser.parse(Array(plan.words.dropFirst(2)), for: spec)
      arguments.path = Array(plan.words.prefix(2))
      return arguments
    } catch {
      throw StyleModelError(
        .badInput, "the plan's command line is not understood: \(error.problem)",
        remedy: "use the version of stylemodel that made the plan")
    }
  }

  /// The options that change reports alone: the gates.
  func judging(_ arguments: ParsedArguments) throws(StyleModelError) -> [String] {
    try described(arguments) { gateNames.contains($0.name) }
  }

  /// The options that change a unit's figures: all that are left. An option that is new to the command is one.
  private func measuring(_ arguments: ParsedArguments) throws(StyleModelError) -> [String] {
    let others = CatalogueArguments.placement.union(CatalogueArguments.axes).union(gateNames)
    return try described(arguments) { !others.contains($0.name) }
  }

  private var gateNames: Set<String> {
    Set(spec.sections.filter { $0.title == EvalOptions.gatesTitle }.flatMap(\.options).map(\.name))
  }

  /// Options as they are given, in the table's order, each with a digest of the file or folder that it names: it is the
  /// contents that count.
  private func described(
    _ arguments: ParsedArguments, _ isWanted: (OptionSpec) -> Bool
  ) throws(StyleModelError) -> [String] {
    var result: [String] = []
    for option in spec.options where isWanted(option) {
      for text in arguments.values[option.name] ?? [] {
        guard let value = option.value else {
          result.append(option.typed)
          continue
        }
        let namesFile =
          [.files, .folders].contains(value.completion) || option.name == EvalOptions.against.spec.name
        result.append("\(option.typed)=\(namesFile ? try contentDigest(text) ?? text : text)")
      }
    }
    return result
  }
}

/// The SHA-256 of a file, or of the names and digests of the files in a folder; nil where there is neither.
private func contentDigest(_ path: String) throws(StyleModelError) -> String? {
  guard isFolder(path) else { return (try? readFile(path)).map { hexadecimal(sha256($0)) } }
  var parts: [[UInt8]] = []
  for name in try listFolder(path) where !isFolder(path + "/" + name) {
    parts += [Array(name.utf8), sha256(try readFile(path + "/" + name))]
  }
  return hexadecimal(ContentKey("folder", parts).digest)
}
