public import Diagnostics
public import ModelGraph
import Tensors

/// What became of a state dict.
public struct RecognisedModel: Sendable {
  /// The network.
  public var graph: Graph
  /// The family that it belongs to.
  public var recipe: Recipe
  /// What the user should know, one sentence each.
  public var notes: [String]
}

/// How a state dict is to be read as a network.
public struct RecipeOptions: Sendable {
  /// The recipes to choose from, tried in order.
  public var recipes: [Recipe]
  /// Whether running statistics beside live norms are meant: the norms then use them.
  public var keepsRunningStatistics: Bool

  /// Creates options.
  public init(recipes: [Recipe] = Recipe.builtIn, keepsRunningStatistics: Bool = false) {
    self.recipes = recipes
    self.keepsRunningStatistics = keepsRunningStatistics
  }
}

extension StateDict {
  /// Finds the family that the tensors belong to and builds its network.
  ///
  /// A recipe fits when all its keys are there, no tensor is left over but obsolete running statistics, and all
  /// shapes agree.
  /// - Throws: `.badInput` naming the nearest family and the first tensor that does not fit it.
  public func recognised(_ options: RecipeOptions = RecipeOptions()) throws(StyleModelError)
    -> RecognisedModel
  {
    // A prefix that all names share may be a wrapper's or the family's own: the names as they are come first.
    var spelling: StateDict? = self
    var best: (spelling: StateDict, recipe: Recipe, fit: RecipeKeyFit)?
    for _ in 0...Self.mostPrefixes {
      guard let dict = spelling else { break }
      let obsolete = dict.obsoleteStatistics
      let names = Set(dict.entries.map(\.name))
      for recipe in options.recipes {
        let fit = try RecipeKeyFit(recipe, names: names)
        if fit.firstMissing == nil, dict.firstLeftOver(fit, obsolete) == nil {
          return try dict.model(recipe, obsolete, options)
        }
        // Of two that match alike, the nearer is the one that lacks nothing.
        let rank = (fit.matched.count, fit.firstMissing == nil ? 1 : 0)
        let bestRank = best.map { ($0.fit.matched.count, $0.fit.firstMissing == nil ? 1 : 0) } ?? (0, 1)
        if rank > bestRank { best = (dict, recipe, fit) }
      }
      spelling = dict.sharedPrefix.flatMap(dict.strippingSharedPrefix)
    }
    guard let best else { throw unknownFamily }
    throw best.spelling.mismatch(best.recipe, best.fit)
  }

  /// How many wrappers around a network are looked through: `module.generator.` is two.
  private static let mostPrefixes = 3

  private func firstLeftOver(_ fit: RecipeKeyFit, _ obsolete: Set<String>) -> Entry? {
    entries.first { !fit.matched.contains($0.name) && !obsolete.contains($0.name) }
  }

  /// Statistics that PyTorch before 0.4 wrote beside instance norms, and the counters beside those: tensors that
  /// end so and have a norm's weight as their sibling.
  /// Keras 1 wrote such beside norms of its mode 2, which take each picture's own.
  private var obsoleteStatistics: Set<String> {
    let names = Set(entries.map(\.name))
    return names.filter { name in
      for ending in ["_running_mean", "_running_std"] where name.hasSuffix(ending) {
        return names.contains(name.dropLast(ending.count) + "_gamma")
      }
      guard let dot = name.lastIndex(of: ".") else { return false }
      let path = name[..<dot]
      return ["running_mean", "running_var", "num_batches_tracked"].contains(name[name.index(after: dot)...])
        && ["weight", "scale"].contains { names.contains("\(path).\($0)") }
    }
  }

  private func model(
    _ recipe: Recipe, _ obsolete: Set<String>, _ options: RecipeOptions
  ) throws(StyleModelError) -> RecognisedModel {
    let tensors = Dictionary(entries.map { ($0.name, $0.tensor) }, uniquingKeysWith: { first, _ in first })
    let (expanded, used) = try RecipeExpansion.graph(recipe, tensors: tensors) { path in
      options.keepsRunningStatistics || layers[path]?.tracksRunningStatistics == true
    }
    var graph = expanded
    var notes = notes
    notes += try applyLayerSettings(to: &graph)
    let ignored = obsolete.subtracting(used).filter { !$0.hasSuffix(".num_batches_tracked") }.count
    if ignored > 0 {
      notes.append(
        "\(counted(ignored, "obsolete running-statistics tensor")) ignored (instance norm)"
          + (obsolete.contains { $0.hasSuffix(".running_mean") }
            ? "; --keep-running-stats would use them" : ""))
    }
    let kept = used.filter { $0.hasSuffix(".running_mean") }.count
    if kept > 0 { notes.append("\(counted(kept, "norm")) use their running statistics, as batch norms do") }
    return RecognisedModel(graph: graph, recipe: recipe, notes: notes)
  }

  private var unknownFamily: StyleModelError {
    guard let first = entries.first else {
      return StyleModelError(
        .badInput, "holds no tensors", remedy: "pass the checkpoint that holds the weights")
    }
    return StyleModelError(
      .badInput, place: "tensor '\(first.name)' \(first.tensor.shape)",
      "belongs to no known family of style networks", remedy: Self.remedyForUnknownNetworks)
  }

  private func mismatch(_ recipe: Recipe, _ fit: RecipeKeyFit) -> StyleModelError {
    let family = "the nearest known family is \(recipe.name)"
    if let missing = fit.firstMissing {
      return StyleModelError(
        .badInput, place: "tensor '\(missing)'", "is missing; \(family)",
        remedy: Self.remedyForUnknownNetworks)
    }
    let leftOver = firstLeftOver(fit, obsoleteStatistics)
    return StyleModelError(
      .badInput, place: leftOver.map { "tensor '\($0.name)' \($0.tensor.shape)" } ?? "its tensors",
      "has no place in it; \(family)", remedy: Self.remedyForUnknownNetworks)
  }

  private static let remedyForUnknownNetworks =
    "'stylemodel inspect' lists every tensor; --arch FILE takes a recipe of your own (docs/recipes.md)"
}
