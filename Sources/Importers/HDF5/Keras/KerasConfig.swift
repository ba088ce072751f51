import Diagnostics

/// A network as Keras writes it down in JSON: layers, and which gives to which. Versions 2 and 3 differ in how a call
/// names its arguments, and in little else.
struct KerasConfig {
  /// A value: what a layer gave when it was called for the `call`-th time.
  struct Reference: Hashable {
    var layer: String
    var call: Int
  }

  /// What a layer is called with.
  enum Argument {
    case value(Reference)
    case list([Argument])
    /// A number, a word or nothing: settings of functions that stand as layers.
    case constant(JSONValue)
  }

  /// One use of a layer.
  struct Call {
    var arguments: [Argument]
    var named: [(name: String, value: Argument)] = []

    /// The values that are used, in order.
    var values: [Reference] {
      func values(_ argument: Argument) -> [Reference] {
        switch argument {
        case .value(let reference): [reference]
        case .list(let items): items.flatMap(values)
        case .constant: []
        }
      }
      return (arguments + named.map(\.value)).flatMap(values)
    }
  }

  /// The layers, in the file's order.
  var layers: [KerasLayer]
  /// Where the picture goes in: names of input layers. Empty for a Sequential without one.
  var inputs: [Reference]
  /// What comes out.
  var outputs: [Reference]
  /// The name of the model.
  var name: String

  /// - Parameter model: an object with `class_name` and `config`.
  /// - Throws: `.badInput` naming what is missing or of a kind that is not known.
  init(_ model: JSONValue) throws(StyleModelError) {
    let className = model["class_name"]?.string ?? "nothing"
    guard ["Model", "Functional", "Sequential"].contains(className) else {
      throw Self.problem(
        "is a model of the class \(className), whose layers are in Python code and not in the file",
        remedy: "build it with keras.Sequential or keras.Model(inputs, outputs) and save it again")
    }
    // Sequential wrote a bare list of layers before Keras 2.2.3.
    let config = model["config"] ?? .null
    guard let list = config.items ?? config["layers"]?.items else {
      throw Self.problem("has no list of layers")
    }
    name = config["name"]?.string ?? className
    var layers: [KerasLayer] = []
    for layer in list { layers.append(try KerasLayer(layer)) }
    if className == "Sequential" {
      self.layers = Self.chained(layers)
      inputs = []
      outputs = self.layers.last.map { [Reference(layer: $0.name, call: 0)] } ?? []
    } else {
      self.layers = layers
      inputs = try Self.references(config["input_layers"], "input_layers")
      outputs = try Self.references(config["output_layers"], "output_layers")
    }
  }

  /// A Sequential's layers say nothing of their inputs: each takes what the one before gave.
  private static func chained(_ layers: [KerasLayer]) -> [KerasLayer] {
    var previous: String?
    return layers.map { layer in
      defer { previous = layer.name }
      var copy = layer
      copy.calls = [Call(arguments: previous.map { [.value(Reference(layer: $0, call: 0))] } ?? [])]
      return copy
    }
  }

  /// `["name", 0, 0]`, or a list of such.
  private static func references(
    _ value: JSONValue?, _ key: String
  ) throws(StyleModelError) -> [Reference] {
    guard let items = value?.items else { throw problem("has no \(key)") }
    if let one = Reference(items[...]) { return [one] }
    var result: [Reference] = []
    for item in items {
      guard let reference = item.items.flatMap({ Reference($0[...]) }) else {
        throw problem("has \(key) that are not understood")
      }
      result.append(reference)
    }
    return result
  }

  private static func problem(_ text: String, remedy: String? = nil) -> StyleModelError {
    StyleModelError(.badInput, place: "model_config", text, remedy: remedy)
  }
}

extension KerasConfig.Reference {
  /// Reads `"name", call, tensor`; nil for anything else, and where a layer's second tensor is meant.
  init?(_ items: ArraySlice<JSONValue>) {
    guard items.count >= 3, let layer = items[items.startIndex].string,
      let call = items[items.startIndex + 1].integer, items[items.startIndex + 2].integer == 0, call >= 0
    else { return nil }
    self.init(layer: layer, call: call)
  }
}

extension KerasConfig.Call {
  /// Reads one item of a layer's `inbound_nodes`; nil where it is not understood.
  init?(_ node: JSONValue) {
    if let arguments = node["args"]?.items {  // Keras 3
      self.init(arguments: arguments.map(Self.argument3), named: [])
      for member in node["kwargs"]?.members ?? [] { named.append((member.key, Self.argument3(member.value))) }
      return
    }
    guard let items = node.items else { return nil }
    // A function that stands as a layer has one reference here instead of a list of them.
    let list = items.first?.string == nil ? items : [node]
    self.init(arguments: [], named: [])
    for item in list {
      guard let parts = item.items, let reference = KerasConfig.Reference(parts[...]) else { return nil }
      arguments.append(.value(reference))
      for member in parts.dropFirst(3).first?.members ?? [] {
        named.append((member.key, Self.argument2(member.value)))
      }
    }
  }

  private static func argument3(_ value: JSONValue) -> KerasConfig.Argument {
    if value["class_name"]?.string == "__keras_tensor__",
      let reference = value["config"]?["keras_history"]?.items.flatMap({ KerasConfig.Reference($0[...]) })
    {
      return .value(reference)
    }
    return value.items.map { .list($0.map(argument3)) } ?? .constant(value)
  }

  private static func argument2(_ value: JSONValue) -> KerasConfig.Argument {
    guard let items = value.items else { return .constant(value) }
    if items.count >= 3, let reference = KerasConfig.Reference(items[...]) { return .value(reference) }
    return items.contains { $0.items != nil && $0.items?.first?.string != nil }
      ? .list(items.map(argument2)) : .constant(value)
  }
}
