import Catalogue

/// How the work of a command is planned and divided among machines; shared by the commands whose work can be.
enum CatalogueArguments {
  /// The word of `--shard`.
  enum Choice: Sendable {
    case auto
    case shard(Shard)
  }

  static let models = ValueOption(
    "models", .file("LIST"), repeatable: true,
    """
    A file that lists models, one a line, patterns such as 'styles/*.pth' among them. Empty lines and lines that start \
    with '#' are passed over.
    """)
  static let shard = ValueOption(
    "shard", ValueReader<Choice>.shard, inUsage: true,
    """
    Do one share of the units, the K-th of N, and write what it gives into a part file for 'report merge'. auto takes \
    both numbers from the engine that runs the job: \
    \(ArrayEngine.all.map { "\($0.name) (\($0.index))" }.joined(separator: ", ")).
    """)
  static let shards = ValueOption(
    "shards", .integer("N", in: 1...Shard.greatestCount),
    "How many shards there are, where the engine does not say (Kubernetes), or runs some of them again.")
  static let parts = ValueOption(
    "parts", .folder("DIR"),
    "The folder of part files (default: parts). A shard goes on where its part file ends.")
  static let planOnly = OptionSpec(
    "plan-only",
    "Print the units and their estimated cost, pixels times multiplications a pixel, and do none of them.")
  static let savePlan = ValueOption(
    "save-plan", .file("FILE"),
    "Write the plan to a file, so that shards need not look at every model to know their share.")
  static let plan = ValueOption(
    "plan", .file("FILE"),
    "Take a plan from a file, in place of models and of options that say what is measured.")
  static let cache = ValueOption(
    "cache", .folder("DIR"),
    """
    A folder where results are kept that other units, shards and runs need too, such as what the float network makes of \
    a picture. Many processes may use one at a time.
    """)
  static let withPictures = OptionSpec(
    "with-pictures",
    "Have part files carry the pictures and the noise of each layer, for a merged .html as eval makes it.")

  /// The section for the tables of commands.
  /// - Parameter options: what this command adds.
  static func section(_ options: OptionSpec...) -> OptionSection {
    OptionSection(
      "CATALOGUE OPTIONS",
      [
        models.spec, planOnly, savePlan.spec, plan.spec, shard.spec, shards.spec, parts.spec,
      ] + options + [cache.spec])
  }

  /// The options that say where and how work is done and where results go, but not what is measured.
  static let placement: Set<String> = [
    shard.spec.name, shards.spec.name, parts.spec.name, planOnly.name, savePlan.spec.name, plan.spec.name,
    cache.spec.name, withPictures.name, EvalOptions.report.spec.name, GeneralOptions.threads.spec.name,
    GeneralOptions.json.name,
  ]

  /// The options that say which models, schemes and pictures there are: a plan lists those.
  static let axes: Set<String> = [
    models.spec.name, SweepOptionTable.schemes.spec.name, EvaluationArguments.images.spec.name,
  ]

  /// Whether the command line wants a plan or a shard, and not the work as a whole.
  static func areGiven(_ arguments: ParsedArguments) -> Bool {
    [shard.spec, planOnly, savePlan.spec, plan.spec].contains(where: arguments.has)
  }
}

extension ValueReader<CatalogueArguments.Choice> {
  /// `K/N` or `auto`.
  fileprivate static let shard = ValueReader(
    "K/N|auto", wish: "a share such as 3/6 (the third of six), or auto", completion: .words(["auto"])
  ) { text in
    text == "auto" ? .auto : Shard(text).map { .shard($0) }
  }
}
