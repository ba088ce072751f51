public import Diagnostics

extension StyleSet {
  /// Reads `styles(input: "index", count: 3, names: ["wave", "scream", "night"])`; names may be left out.
  /// - Throws: `.badInput` with the line of an unknown word or a wrong value.
  public init(_ call: GraphSyntax.Call) throws(StyleModelError) {
    func problem(_ text: String) -> StyleModelError {
      StyleModelError(.badInput, place: "line \(call.line)", "styles(…): \(text)")
    }
    var inputName: String?
    var count: Int?
    var names: [String] = []
    for argument in call.arguments {
      switch (argument.label, argument.expression) {
      case ("input", .string(let name)): inputName = name
      case ("count", .integer(let value)): count = value
      case ("names", .list(let items)):
        for item in items {
          guard case .string(let name) = item else {
            throw problem("'names:' wants a list of names in quotes")
          }
          names.append(name)
        }
      case ("input", _), ("count", _), ("names", _):
        throw problem("'\(argument.label):' has a value of another kind")
      default: throw problem("does not know '\(argument.label):'")
      }
    }
    guard let inputName, let count else { throw problem("wants 'input:' and 'count:'") }
    self.init(inputName: inputName, count: count, names: names)
    do throws(StyleModelError) { try verify() } catch { throw problem(error.problem) }
  }
}
