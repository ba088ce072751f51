extension Model {
  /// The network of one style, or of one blend of styles, of the several that it has: gamma and beta of its norms hold
  /// the choice, and nothing else changes.
  /// - Throws: `.usage` when it has no such style, or only one.
  public func choosing(_ blend: StyleBlend) throws(StyleModelError) -> Model {
    do throws(StyleModelError) {
      var model = self
      let choice = try graph.choosing(blend)
      if let styles = graph.styles {
        let chosen = try blend.resolved(in: styles)
        model.chosenStyle = chosen
        let name = chosen.onlyStyle.flatMap { Int($0) }.map(styles.label) ?? chosen.description
        model.notes.append(
          "\(name) of \(styles.count) chosen: folded into gamma and beta of \(counted(choice.notes.count, "norm"))"
        )
        if chosen.sum != 1 {
          model.notes.append("the weights of the blend add up to \(chosen.sum), and are taken as they are")
        }
      }
      model.graph = choice.graph
      return model
    } catch { throw error.inFile(path) }
  }

  /// The model once for each of its styles, in their order; itself where it has one.
  /// - Throws: what `choosing(_:)` throws.
  public func ofEachStyle() throws(StyleModelError) -> [Model] {
    guard let styles = graph.styles else { return [self] }
    var models: [Model] = []
    for style in 0..<styles.count { models.append(try choosing(StyleBlend(style: style))) }
    return models
  }

  /// Makes sure that the network is of one style.
  /// - Throws: `.usage` with the count and how to choose.
  public func requireOneStyle() throws(StyleModelError) {
    do { try graph.requireOneStyle() } catch { throw error.inFile(path) }
  }

  /// The file's name, with the style where one was chosen: what reports call the model.
  var reportName: String {
    fileName(of: path) + (chosenStyle.map { ", \($0)" } ?? "")
  }
}
