public import Diagnostics
import Files

/// The version of the plans that this library writes and reads; docs/catalogue.md describes it.
public let planSchema = "stylemodel-plan-1"

extension CataloguePlan {
  /// The plan for programs. Units are not listed: they are all models by all pictures by all schemes, in this order.
  public func json(tool: String) -> JSONValue {
    [
      "schema": .string(planSchema), "tool": .string(tool), "hash": .string(hash),
      "command": .string(command.rawValue), "words": .texts(words), "measuring": .texts(measuring),
      "judging": .texts(judging), "pictures_kept": .bool(keepsPictures),
      "unit_count": .integer(unitCount), "cost": .integer(totalCost),
      "models": .array(models.map(\.json)), "schemes": .texts(schemes),
      "pictures": .array(pictures.map(\.json)),
    ]
  }

  /// Reads a plan that `sweep` or `eval` saved.
  /// - Throws: `.cannotOpen`; `.badInput` when it is no plan, saying where.
  public init(path: String) throws(StyleModelError) {
    let bytes = try readFile(path)
    do throws(StyleModelError) {
      let document = try JSONValue(parsing: bytes[...])
      try self.init(JSONPlace(document, remedy: "make the plan anew with --save-plan"))
    } catch { throw error.inFile(path) }
  }

  /// Reads what `json(tool:)` gives.
  /// - Throws: `.badInput` naming what in it is not as it should be.
  init(_ plan: JSONPlace) throws(StyleModelError) {
    func texts(_ key: String) throws(StyleModelError) -> [String] {
      try plan.member(key).items().map { text throws(StyleModelError) in try text.text() }
    }
    let schema = try plan.member("schema")
    guard try schema.text() == planSchema else {
      throw schema.problem(
        "is '\(printable(try schema.text(), limit: 80))', not '\(planSchema)'")
    }
    let command = try plan.member("command")
    guard let known = Command(rawValue: try command.text()) else { throw command.wanted("sweep or eval") }
    let pictures = try plan.member("pictures").items().map { picture throws(StyleModelError) in
      try Picture(picture)
    }
    let models = try plan.member("models").items().map { model throws(StyleModelError) in
      try Model(model, pictureCount: pictures.count)
    }
    do throws(StyleModelError) {
      try self.init(
        command: known, words: try texts("words"), measuring: try texts("measuring"),
        judging: try texts("judging"), keepsPictures: try plan.member("pictures_kept").truth(),
        models: models, schemes: try texts("schemes"), pictures: pictures)
    } catch {
      // A document that is wrong is no wrong command line.
      throw error.kind == .usage ? plan.problem(error.problem) : error
    }
    let stated = try plan.member("hash")
    guard try stated.text() == hash else {
      throw stated.problem("is not that of the plan: it has been edited, or damaged")
    }
  }
}

extension CataloguePlan.Model {
  fileprivate init(_ model: JSONPlace, pictureCount: Int) throws(StyleModelError) {
    let pixels = try model.member("pixels")
    self.init(
      path: try model.member("path").text(), name: try model.member("name").text(),
      byteCount: try model.member("bytes").count(), sha256: try model.member("sha256").text(),
      costPerPixel: try model.member("macs_per_pixel").count(),
      pixels: pixels.isNull
        ? nil
        : try pixels.items().map { count throws(StyleModelError) in try count.count() })
    guard self.pixels.map({ $0.count == pictureCount }) ?? true else {
      throw pixels.wanted("an array of one number a picture")
    }
  }
}

extension CataloguePlan.Picture {
  fileprivate init(_ picture: JSONPlace) throws(StyleModelError) {
    self.init(
      name: try picture.member("name").text(), sha256: try picture.member("sha256").text(),
      width: try picture.member("width").count(), height: try picture.member("height").count())
    guard width < 1 << 31, height < 1 << 31 else { throw picture.problem("is too large a picture") }
  }
}
