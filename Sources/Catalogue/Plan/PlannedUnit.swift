import Files

/// One picture to be shown to one model in one scheme, by their places in the plan.
public struct PlannedUnit: Hashable, Sendable {
  /// The place of the model.
  public var model: Int
  /// The place of the scheme.
  public var scheme: Int
  /// The place of the picture.
  public var picture: Int

  /// Creates a unit.
  public init(model: Int, scheme: Int, picture: Int) {
    self.model = model
    self.scheme = scheme
    self.picture = picture
  }
}

extension CataloguePlan {
  /// How many units there are.
  public var unitCount: Int { models.count * schemes.count * pictures.count }

  /// The unit at a place in the order.
  public func unit(at index: Int) -> PlannedUnit {
    let (group, scheme) = index.quotientAndRemainder(dividingBy: schemes.count)
    let (model, picture) = group.quotientAndRemainder(dividingBy: pictures.count)
    return PlannedUnit(model: model, scheme: scheme, picture: picture)
  }

  /// The place of a unit in the order.
  public func index(of unit: PlannedUnit) -> Int {
    (unit.model * pictures.count + unit.picture) * schemes.count + unit.scheme
  }

  /// The estimated cost of a unit, in multiplications: one run of the network, and for the first scheme of a picture
  /// another one, of the float network that all are compared with.
  public func cost(of unit: PlannedUnit) -> Int {
    Self.cost(models[unit.model], pictures[unit.picture], unit.picture) * (unit.scheme == 0 ? 2 : 1)
  }

  /// A unit in words: `mosaic.pth, int8, gradient`.
  public func name(of unit: PlannedUnit) -> String {
    [models[unit.model].name, schemes[unit.scheme], pictures[unit.picture].name].filter { !$0.isEmpty }
      .joined(separator: ", ")
  }
}

/// Gives units their identifiers: digests of all that their figures depend on, tools apart. A unit of another plan has
/// the same one when the same model is shown the same picture in the same way.
public struct UnitIdentifiers: Sendable {
  private let models: [[UInt8]]
  private let schemes: [[UInt8]]
  private let pictures: [[UInt8]]
  private let measuring: [UInt8]

  /// Gets what the units of a plan share ready.
  public init(_ plan: CataloguePlan) {
    measuring =
      ContentKey(
        "stylemodel unit 1",
        [plan.command.rawValue, plan.keepsPictures ? "pictures kept" : ""] + plan.measuring
      ).digest
    models = plan.models.map { ContentKey("model", [$0.name, $0.sha256]).digest }
    schemes = plan.schemes.map { ContentKey("scheme", [$0]).digest }
    pictures = plan.pictures.map { ContentKey("picture", [$0.name, $0.sha256]).digest }
  }

  /// The SHA-256 of a unit's inputs.
  public func digest(_ unit: PlannedUnit) -> [UInt8] {
    sha256(measuring + models[unit.model] + schemes[unit.scheme] + pictures[unit.picture])
  }

  /// The identifier: the same in hexadecimal.
  public func identifier(_ unit: PlannedUnit) -> String { hexadecimal(digest(unit)) }
}
