public import Diagnostics
import Files

/// Everything that is to be measured: models, by the schemes that they are stored in, by pictures. Every machine that
/// makes a plan of the same inputs and options makes the same one, and divides it alike.
///
/// A unit is one picture shown to one model in one scheme. Units stand in order: by model, of a model by picture, of a
/// picture by scheme, so that neighbours share what is read and what the float network makes of a picture.
public struct CataloguePlan: Hashable, Sendable {
  /// What the units are for.
  public enum Command: String, Hashable, Sendable {
    /// Networks, each stored in several schemes and compared with itself in floats.
    case sweep
    /// Models as they are, each compared with a reference; there is one scheme, without a name.
    case eval
  }

  /// A model.
  public struct Model: Hashable, Sendable {
    /// Where it is, as the user named it; no part of the plan's identity.
    public var path: String
    /// The file's name, as reports have it.
    public var name: String
    /// The file's size in bytes; 0 where it cannot be read.
    public var byteCount: Int
    /// The SHA-256 of the file in hexadecimal; empty where it cannot be read.
    public var sha256: String
    /// The multiplications that the network takes for a pixel of the picture; 0 where it cannot be read.
    public var costPerPixel: Int
    /// The pixels of each picture as the network is shown it, where it does not take any size; nil is the pictures'
    /// own.
    public var pixels: [Int]?

    /// Creates a model of a plan.
    public init(
      path: String, name: String, byteCount: Int, sha256: String, costPerPixel: Int, pixels: [Int]? = nil
    ) {
      self.path = path
      self.name = name
      self.byteCount = byteCount
      self.sha256 = sha256
      self.costPerPixel = costPerPixel
      self.pixels = pixels
    }
  }

  /// A picture.
  public struct Picture: Hashable, Sendable {
    /// Its name, as reports have it.
    public var name: String
    /// The SHA-256 of the file, or of the samples of a picture that is built in, in hexadecimal; empty where it cannot
    /// be read.
    public var sha256: String
    /// The width in pixels; 0 where it cannot be read.
    public var width: Int
    /// The height in pixels.
    public var height: Int

    /// Creates a picture of a plan.
    public init(name: String, sha256: String, width: Int, height: Int) {
      self.name = name
      self.sha256 = sha256
      self.width = width
      self.height = height
    }

    var pixels: Int { width * height }
  }

  /// What the units are for.
  public let command: Command
  /// The line that asks for the same on one machine, the program's name first, without what says where results go.
  public let words: [String]
  /// How it is measured: options that change a unit's figures, each with a digest of the file that it names.
  public let measuring: [String]
  /// What is demanded of the figures: options that change reports alone.
  public let judging: [String]
  /// Whether parts carry pictures and the noise of layers, for a page.
  public let keepsPictures: Bool
  /// The models.
  public let models: [Model]
  /// The names of the schemes.
  public let schemes: [String]
  /// The pictures.
  public let pictures: [Picture]
  /// The SHA-256 of all that makes the plan what it is, in hexadecimal.
  public let hash: String
  /// The estimated cost of all units, in multiplications.
  public let totalCost: Int

  /// Creates a plan.
  /// - Throws: `.usage` when it has no unit, or more work than can be counted.
  public init(
    command: Command, words: [String], measuring: [String], judging: [String], keepsPictures: Bool = false,
    models: [Model], schemes: [String], pictures: [Picture]
  ) throws(StyleModelError) {
    self.command = command
    self.words = words
    self.measuring = measuring
    self.judging = judging
    self.keepsPictures = keepsPictures
    self.models = models
    self.schemes = schemes
    self.pictures = pictures
    guard !models.isEmpty, !schemes.isEmpty, !pictures.isEmpty else {
      throw StyleModelError(
        .usage, "there is nothing to plan", remedy: "name models, schemes and pictures, at least one of each")
    }
    totalCost = try Self.totalCost(models, schemeCount: schemes.count, pictures)
    hash = hexadecimal(sha256(Array(identity().text(indented: false).utf8)))

    // Paths and words may differ between machines that share the work; names and contents may not.
    func identity() -> JSONValue {
      [
        "plan": 1, "command": .string(command.rawValue), "measuring": .texts(measuring),
        "judging": .texts(judging), "pictures_kept": .bool(keepsPictures),
        "models": .array(models.map(\.identity)), "schemes": .texts(schemes),
        "pictures": .array(pictures.map(\.identity)),
      ]
    }
  }

  private static func totalCost(
    _ models: [Model], schemeCount: Int, _ pictures: [Picture]
  ) throws(StyleModelError) -> Int {
    // Room for the split, which multiplies the double by the number of shards in 128 bits.
    let most = 1 << 60
    var total = 0.0
    for model in models {
      for index in pictures.indices {
        total += max(1, Double(model.costPerPixel) * Double(model.pixels?[index] ?? pictures[index].pixels))
      }
    }
    guard total * Double(schemeCount + 1) < Double(most) else {
      throw StyleModelError(.usage, "the plan is too large: more than 10^18 multiplications")
    }
    var exact = 0
    for model in models {
      for index in pictures.indices {
        exact += cost(model, pictures[index], index) * (schemeCount + 1)
      }
    }
    return exact
  }

  /// What one network takes for one picture; at least 1, so that what cannot be read is divided too.
  static func cost(_ model: Model, _ picture: Picture, _ index: Int) -> Int {
    max(1, model.costPerPixel * (model.pixels?[index] ?? picture.pixels))
  }
}

extension CataloguePlan.Model {
  fileprivate var identity: JSONValue {
    [
      "name": .string(name), "bytes": .integer(byteCount), "sha256": .string(sha256),
      "macs_per_pixel": .integer(costPerPixel),
      "pixels": pixels.map { .array($0.map { .integer($0) }) } ?? .null,
    ]
  }

  /// As plans are written.
  var json: JSONValue { .object([.init("path", .string(path))] + (identity.members ?? [])) }
}

extension CataloguePlan.Picture {
  fileprivate var identity: JSONValue { json }

  /// As plans are written.
  var json: JSONValue {
    [
      "name": .string(name), "sha256": .string(sha256), "width": .integer(width), "height": .integer(height),
    ]
  }
}

extension JSONValue {
  static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
}
