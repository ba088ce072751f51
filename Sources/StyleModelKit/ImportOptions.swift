import Files

/// How an input is to be read where its bytes leave something open.
public struct ImportOptions: Sendable {
  /// A recipe file of the user's own; its recipes are tried in place of the built-in ones.
  public var recipePath: String?
  /// Which entry of a checkpoint holds the weights: `generator.state_dict`.
  public var stateKey: String?
  /// Whether running statistics beside instance norms are meant.
  public var keepsRunningStatistics: Bool
  /// What the user says of the pixels.
  public var contract: ContractOverride
  /// Which style or blend is wanted of a network of several; nil leaves them all.
  public var style: StyleBlend?

  /// Creates options; the default asks for nothing.
  public init(
    recipePath: String? = nil, stateKey: String? = nil, keepsRunningStatistics: Bool = false,
    contract: ContractOverride = ContractOverride(), style: StyleBlend? = nil
  ) {
    self.recipePath = recipePath
    self.stateKey = stateKey
    self.keepsRunningStatistics = keepsRunningStatistics
    self.contract = contract
    self.style = style
  }

  /// The options as command-line arguments, for a file's provenance; a recipe goes by its file's name alone.
  public var arguments: [String] {
    (recipePath.map { ["--arch", fileName(of: $0)] } ?? []) + (stateKey.map { ["--state-key", $0] } ?? [])
      + (keepsRunningStatistics ? ["--keep-running-stats"] : []) + contract.arguments
      + (style?.arguments ?? [])
  }

  /// Reads the options back from a file's provenance; anything else in it is passed over.
  /// - Parameter findRecipe: where a recipe of this name is, if anywhere.
  init(provenance arguments: [String], findRecipe: (String) -> String?) throws(StyleModelError) {
    self.init()
    var rest = arguments[...]
    func floats(_ text: String?) -> [Float]? {
      let values = (text ?? "").split(separator: ",").compactMap { Float($0) }
      return values.count == 3 ? values : nil
    }
    while let argument = rest.popFirst() {
      switch argument {
      case "--arch":
        let name = rest.popFirst() ?? ""
        guard let path = findRecipe(name) else {
          throw StyleModelError(
            .cannotOpen,
            "was made with a recipe '\(name)', which is neither beside it nor in the current folder",
            remedy: "pass it with --arch PATH")
        }
        recipePath = path
      case "--state-key": stateKey = rest.popFirst()
      case "--keep-running-stats": keepsRunningStatistics = true
      case "--io": contract.preset = rest.popFirst().flatMap(PixelPreset.init(rawValue:))
      case "--input-scale": contract.inputScale = floats(rest.popFirst())
      case "--input-bias": contract.inputBias = floats(rest.popFirst())
      case "--output-scale": contract.outputScale = floats(rest.popFirst())
      case "--output-bias": contract.outputBias = floats(rest.popFirst())
      case "--style": style = rest.popFirst().map { StyleBlend(style: $0) }
      case "--blend": style = rest.popFirst().flatMap { StyleBlend($0) }
      default: break
      }
    }
  }

  /// The recipes to try.
  func recipes() throws(StyleModelError) -> [Recipe] {
    guard let recipePath else { return Recipe.builtIn }
    let text = String(decoding: try readFile(recipePath), as: UTF8.self)
    do {
      return try Recipe.parse(text)
    } catch { throw error.inFile(recipePath) }
  }
}

extension StyleBlend {
  /// The choice that a file's provenance records, if any.
  init?(provenance arguments: [String]) {
    guard let style = (try? ImportOptions(provenance: arguments) { $0 })?.style else { return nil }
    self = style
  }
}

/// The last part of a path.
func fileName(of path: String) -> String {
  path.split(separator: "/").last.map(String.init) ?? path
}
