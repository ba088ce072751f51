import Diagnostics

/// One layer of a Keras network: its class and settings. What is asked for and not there, or of another kind, is an
/// error that names layer, class and argument.
struct KerasLayer {
  /// The layer's name, which its weights go by.
  let name: String
  /// The class: `Conv2D`.
  let className: String
  /// The module of the class, where the file says it (Keras 3): `keras.layers`, `keras.src.ops.numpy`.
  let module: String
  /// The settings.
  let config: JSONValue
  /// The uses of the layer, in order.
  var calls: [KerasConfig.Call]

  init(_ layer: JSONValue) throws(StyleModelError) {
    guard let className = layer["class_name"]?.string, let config = layer["config"], config.members != nil
    else {
      throw StyleModelError(.badInput, place: "model_config", "has a layer without a class or settings")
    }
    self.className = className
    self.config = config
    module = layer["module"]?.string ?? ""
    name = layer["name"]?.string ?? config["name"]?.string ?? className
    calls = []
    for node in layer["inbound_nodes"]?.items ?? [] {
      guard let call = KerasConfig.Call(node) else {
        throw problem("is called with something that is not understood")
      }
      calls.append(call)
    }
  }

  /// `layer 'conv2d_1' (Conv2D)`.
  var place: String { "layer '\(printable(name, limit: 80))' (\(printable(className, limit: 80)))" }

  /// An error about this layer.
  func problem(_ text: String, remedy: String? = nil) -> StyleModelError {
    StyleModelError(.badInput, place: place, text, remedy: remedy)
  }

  /// An error about one setting.
  func refusal(_ argument: String, _ wanted: String) -> StyleModelError {
    let value = config[argument].map { printable($0.text(indented: false), limit: 60) } ?? "nothing"
    return problem("has \(argument) = \(value); \(wanted)")
  }

  func flag(_ argument: String, default standard: Bool) throws(StyleModelError) -> Bool {
    switch config[argument] {
    case nil, .null?: return standard
    case .bool(let value)?: return value
    default: throw refusal(argument, "true or false is read")
    }
  }

  func word(_ argument: String, default standard: String) throws(StyleModelError) -> String {
    switch config[argument] {
    case nil, .null?: return standard
    case .string(let word)?: return word
    default: throw refusal(argument, "a word is read")
    }
  }

  /// A number; nil where it is absent or `null`.
  func number(_ argument: String) throws(StyleModelError) -> Double? {
    // Some releases wrote NumPy's numbers as objects.
    let value = config[argument]
    if value == nil || value == .null { return nil }
    guard let number = value?.number ?? value?["value"]?.number, number.isFinite, abs(number) < 1e30 else {
      throw refusal(argument, "a number is read")
    }
    return number
  }

  /// Two whole numbers, or one that stands for both, for the vertical and the horizontal.
  func pair(_ argument: String, default standard: (Int, Int)) throws(StyleModelError) -> (Int, Int) {
    switch config[argument] {
    case nil, .null?: return standard
    case .integer(let value)? where Self.extents.contains(value): return (value, value)
    case .array(let items)?:
      let values = items.compactMap(\.integer)
      if values.count == 2, items.count == 2, values.allSatisfy(Self.extents.contains) {
        return (values[0], values[1])
      }
    default: break
    }
    throw refusal(argument, "two whole numbers up to \(Self.extents.upperBound) are read")
  }

  /// Amounts on four sides: one number, one a direction, or two a direction.
  func sides(_ argument: String) throws(StyleModelError) -> (top: Int, bottom: Int, left: Int, right: Int) {
    if let number = config[argument]?.integer, Self.extents.contains(number) {
      return (number, number, number, number)
    }
    let items = config[argument]?.items ?? []
    let pairs = items.map { item in item.integer.map { [$0, $0] } ?? item.items?.compactMap(\.integer) ?? [] }
    let flat = pairs.flatMap { $0 }
    guard pairs.count == 2, pairs.allSatisfy({ $0.count == 2 }), flat.allSatisfy(Self.extents.contains) else {
      throw refusal(
        argument, "one, two or two pairs of whole numbers up to \(Self.extents.upperBound) are read")
    }
    return (flat[0], flat[1], flat[2], flat[3])
  }

  /// Checks that a setting that changes what the layer computes is not used.
  func require(_ argument: String, isOneOf values: [JSONValue]) throws(StyleModelError) {
    guard let value = config[argument], value != .null, !values.contains(value) else { return }
    let known = values.first.map { $0.text(indented: false) + " is read" } ?? "nothing else than null is read"
    throw refusal(argument, known)
  }

  /// What a stride, a kernel or a padding may be.
  private static let extents = 0...4096
}
