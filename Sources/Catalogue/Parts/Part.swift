public import Diagnostics
public import Evaluation
import Files

/// The version of the part files that this library writes and reads; docs/catalogue.md describes it.
public let partSchema = "stylemodel-part-1"

/// What one shard has measured so far: its file.
public struct Part: Sendable {
  /// What a shard knows of one model in one scheme.
  public struct Head: Sendable {
    /// The place of the model in the plan.
    public var model: Int
    /// The place of the scheme.
    public var scheme: Int
    /// What reports say of it.
    public var head: ReportHead

    /// Creates a head.
    public init(model: Int, scheme: Int, head: ReportHead) {
      self.model = model
      self.scheme = scheme
      self.head = head
    }
  }

  /// A unit that is done.
  public struct Unit: Sendable {
    /// The digest of its inputs, in hexadecimal.
    public var identifier: String
    /// Its place in the plan.
    public var unit: PlannedUnit
    /// What came of it.
    public var outcome: UnitOutcome

    /// Creates a unit.
    public init(identifier: String, unit: PlannedUnit, outcome: UnitOutcome) {
      self.identifier = identifier
      self.unit = unit
      self.outcome = outcome
    }
  }

  /// The file, as the user named it.
  public var path: String
  /// The program that measured, with its version.
  public var tool: String
  /// What was planned.
  public var plan: CataloguePlan
  /// Which shard it is of.
  public var shard: Shard
  /// What it knows of models.
  public var heads: [Head]
  /// The units that are done, in the plan's order.
  public var units: [Unit]

  /// Reads a part file.
  /// - Throws: `.cannotOpen`; `.badInput` when it is none, is cut off, or does not go with its own plan, saying where.
  public init(path: String) throws(StyleModelError) {
    let bytes = try readFile(path)
    do throws(StyleModelError) {
      // A part may hold all units of a large plan.
      let limits = JSONValue.Limits(byteCount: 4_000_000_000, valueCount: 1 << 27)
      let document = try JSONValue(parsing: bytes[...], limits: limits)
      try self.init(JSONPlace(document, remedy: "do this shard again, or leave the file out"), path: path)
    } catch {
      var explained = error.inFile(path)
      if explained.remedy == nil { explained.remedy = "do this shard again, or leave the file out" }
      throw explained
    }
  }

  private init(_ part: JSONPlace, path: String) throws(StyleModelError) {
    let schema = try part.member("schema")
    guard try schema.text() == partSchema else {
      throw schema.problem("is '\(printable(try schema.text(), limit: 80))', not '\(partSchema)'")
    }
    self.path = path
    tool = try part.member("tool").text()
    let plan = try CataloguePlan(try part.member("plan"))
    let shard = try part.member("shard")
    guard let known = Shard(try shard.text()) else { throw shard.wanted("a shard such as 1/6") }
    self.plan = plan
    self.shard = known
    func place(_ key: String, _ count: Int, in entry: JSONPlace) throws(StyleModelError) -> Int {
      let place = try entry.member(key)
      guard case let value = try place.count(), value < count else {
        throw place.wanted("the place of one of \(count) in the plan")
      }
      return value
    }
    heads = try part.member("heads").items().map { entry throws(StyleModelError) in
      Head(
        model: try place("model", plan.models.count, in: entry),
        scheme: try place("scheme", plan.schemes.count, in: entry),
        head: try ReportHead(try entry.member("head")))
    }
    let identifiers = UnitIdentifiers(plan)
    units = try part.member("units").items().map { entry throws(StyleModelError) in
      let unit = PlannedUnit(
        model: try place("model", plan.models.count, in: entry),
        scheme: try place("scheme", plan.schemes.count, in: entry),
        picture: try place("picture", plan.pictures.count, in: entry))
      let identifier = try entry.member("id")
      let text = try identifier.text()
      guard text == identifiers.identifier(unit) else {
        throw identifier.problem("is not that of \(plan.name(of: unit))")
      }
      var outcome = try UnitOutcome(try entry.member("outcome"))
      let name = plan.pictures[unit.picture].name
      guard outcome.picture.name == name else { throw entry.problem("is not about picture '\(name)'") }
      outcome.picture.name = name  // one text for all units of a picture
      return Unit(identifier: text, unit: unit, outcome: outcome)
    }
  }
}
