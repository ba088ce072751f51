public import Diagnostics
public import ModelGraph

/// A family of style networks: the graph that its state dicts belong to, in the graph's text form plus what a
/// family needs (`docs/recipes.md` is the language's own page).
public struct Recipe: Sendable {
  /// The family's short name: `pytorch-examples`.
  public let name: String
  /// What it is, for reports.
  public let title: String
  /// The pixels that the family wants.
  public let contract: PixelContract
  let statements: [GraphSyntax.Statement]
  let line: Int

  /// All recipes of a text.
  /// - Throws: `.badInput` with the line of what cannot be read.
  public static func parse(_ text: String) throws(StyleModelError) -> [Recipe] {
    var parser = try GraphParser(text)
    var recipes: [Recipe] = []
    for block in try parser.blocks() {
      guard block.kind == "recipe", !block.name.isEmpty else {
        throw StyleModelError(
          .badInput, place: "line \(block.line)", "a recipe starts with: recipe \"name\" {")
      }
      let statements = try RecipeBlocks.expanded(block.statements)
      try checkLoops(statements)
      var title = block.name
      var contract: PixelContract?
      for statement in statements {
        switch statement {
        case .pixels(let call): contract = try PixelContract(call)
        case .setting("title", let text, _): title = text
        case .setting(let word, _, let line):
          throw StyleModelError(
            .badInput, place: "line \(line)", "'\(word)' is not a statement of a recipe",
            remedy: "there are title, pixels, styles, input, output, repeat, block, use and assignments")
        default: break
        }
      }
      guard let contract else {
        throw StyleModelError(
          .badInput, place: "line \(block.line)", "the recipe does not say what pixels it wants",
          remedy: "add pixels(imagenet), pixels(raw255), …")
      }
      recipes.append(
        Recipe(
          name: block.name, title: title, contract: contract, statements: statements, line: block.line))
    }
    guard !recipes.isEmpty else { throw StyleModelError(.badInput, "holds no recipe") }
    return recipes
  }

  /// A loop whose key does not count with its counter would never end.
  private static func checkLoops(_ statements: [GraphSyntax.Statement]) throws(StyleModelError) {
    for statement in statements {
      guard case .loop(let variable, _, let key, let body, let line) = statement else { continue }
      guard key.contains("{\(variable)}") || key.contains("{\(variable)+") else {
        throw StyleModelError(
          .badInput, place: "line \(line)", "the key '\(key)' does not count with '{\(variable)}'")
      }
      try checkLoops(body)
    }
  }
}
