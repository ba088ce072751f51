import Diagnostics
import ModelGraph
import Tensors

/// Builds the graph of a Keras network, call by call. What a layer becomes stands in the extensions of this type, one
/// file a group of classes.
struct KerasTranslator {
  /// The graph so far.
  var graph = Graph(inputName: "image", contract: PixelPreset.raw255.contract)
  /// What the user should know, one sentence each.
  var notes: [String] = []
  /// Whether a layer says what the pixels of the input, or of the output, mean.
  var says = (input: false, output: false)
  /// Whether channels stand before rows; the weights' axes do not depend on it.
  var channelsFirst = false

  let weights: KerasWeights
  private var shapes: [ValueID: Shape] = [:]
  private var depth = 0
  /// The names that Keras 3 gave the layers in the file of weights, by their own.
  private var kinds: [String: String] = [:]

  /// Makes the network of a configuration and its weights.
  /// - Throws: `.badInput` naming layer, class and argument of what is not understood.
  static func network(_ config: KerasConfig, _ weights: KerasWeights) throws(StyleModelError) -> KerasNetwork
  {
    guard ["tensorflow", "theano", "jax", "torch", nil].contains(weights.backend) else {
      throw StyleModelError(
        .badInput,
        "was made with the backend '\(weights.backend ?? "")', whose convolutions are not known here",
        remedy: "save it again with Keras and TensorFlow")
    }
    var translator = KerasTranslator(weights: weights)
    translator.shapes[translator.graph.input.value] = [1, 3, 256, 256]
    let output = try translator.run(config, input: translator.graph.input.value)
    translator.graph.output = output
    translator.graph.removeUnused()
    translator.noteEnds()
    try translator.graph.verify()
    return KerasNetwork(
      graph: translator.graph, saysInput: translator.says.input, saysOutput: translator.says.output,
      notes: translator.notes)
  }

  private init(weights: KerasWeights) { self.weights = weights }

  /// Translates a network with `input` for its picture.
  /// - Returns: what it gives.
  mutating func run(_ config: KerasConfig, input: ValueID) throws(StyleModelError) -> ValueID {
    depth += 1
    defer { depth -= 1 }
    guard depth <= 8 else { throw StyleModelError(.badInput, place: "model_config", "nests models too deep") }
    guard config.inputs.count <= 1, config.outputs.count == 1, let output = config.outputs.first else {
      throw StyleModelError(
        .badInput, place: "model '\(printable(config.name, limit: 80))'",
        "has \(config.inputs.count) inputs and \(config.outputs.count) outputs; one of each is read")
    }
    name(config.layers)
    // A model that stands as a layer may count its own making as its first call.
    let used = Set(config.layers.flatMap { $0.calls.flatMap(\.values) } + config.outputs)
    func firstCall(_ layer: KerasLayer) -> Int {
      used.contains(KerasConfig.Reference(layer: layer.name, call: layer.calls.count)) ? 1 : 0
    }
    var values: [KerasConfig.Reference: ValueID] = [:]
    var waiting: [(layer: KerasLayer, call: Int)] = config.layers.flatMap { layer in
      layer.calls.isEmpty ? [(layer, -1)] : layer.calls.indices.map { (layer, $0) }
    }
    // Layers may stand in any order, but mostly stand in the right one.
    while values[output] == nil {
      var rest: [(layer: KerasLayer, call: Int)] = []
      for (layer, index) in waiting {
        let call = index < 0 ? KerasConfig.Call(arguments: []) : layer.calls[index]
        guard call.values.allSatisfy({ values[$0] != nil }) else {
          rest.append((layer, index))
          continue
        }
        let operands = call.values.compactMap { values[$0] }
        let place = index < 0 ? 0 : index + firstCall(layer)
        values[KerasConfig.Reference(layer: layer.name, call: place)] = try translate(
          layer, call, operands.isEmpty ? [input] : operands)
      }
      guard rest.count < waiting.count || values[output] != nil else {
        throw StyleModelError(
          .badInput, place: "layer '\(printable(output.layer, limit: 80))'",
          "the output cannot be computed: what it is made from is missing, or goes round in a circle")
      }
      waiting = rest
    }
    return values[output] ?? input
  }

  private mutating func name(_ layers: [KerasLayer]) {
    var counts: [String: Int] = [:]
    for layer in layers {
      let kind = snakeCase(layer.className)
      let count = counts[kind, default: 0]
      kinds[layer.name] = count == 0 ? kind : "\(kind)_\(count)"
      counts[kind] = count + 1
    }
  }

  private mutating func translate(
    _ layer: KerasLayer, _ call: KerasConfig.Call, _ operands: [ValueID]
  ) throws(StyleModelError) -> ValueID {
    if layer.config["data_format"]?.string == "channels_first" { channelsFirst = true }
    do throws(StyleModelError) {
      if isFunction(layer, call) {
        return try function(layer, call, operands)
      }
      guard let result = try translated(layer, operands) else { throw Self.unknown(layer) }
      return result
    } catch {
      var copy = error
      if copy.place == nil { copy.place = layer.place }
      throw copy
    }
  }

  /// Whether a function of the framework stands as a layer. Keras 3 names the module of such, but not in HDF5 files;
  /// there the numbers among its arguments tell.
  private func isFunction(_ layer: KerasLayer, _ call: KerasConfig.Call) -> Bool {
    if ["TFOpLambda", "TensorFlowOpLayer"].contains(layer.className) || layer.module.contains("ops") {
      return true
    }
    return call.arguments.contains { argument in
      if case .constant(let value) = argument { value.number != nil } else { false }
    }
  }

  private mutating func translated(_ layer: KerasLayer, _ operands: [ValueID]) throws(StyleModelError)
    -> ValueID?
  {
    guard let input = operands.first else { return nil }
    if ["Add", "Subtract", "Multiply"].contains(layer.className) { return try merged(layer, operands) }
    guard operands.count == 1 else { throw layer.problem("takes \(operands.count) values; one is read") }
    if ["Model", "Functional", "Sequential"].contains(layer.className) {
      let inner = try KerasConfig(["class_name": .string(layer.className), "config": layer.config])
      return try run(inner, input: input)
    }
    if let result = try convolution(layer, input) { return result }
    if let result = try normalization(layer, input) { return result }
    if let result = try geometry(layer, input) { return result }
    return try pointwise(layer, input)
  }

  private static func unknown(_ layer: KerasLayer) -> StyleModelError {
    layer.className == "Lambda"
      ? layer.problem(
        "is Python code, which is never run",
        remedy: "put a layer of Keras in its place (Rescaling, Activation, Add) and save the network again")
      : layer.problem(
        "is of a class that is not known here",
        remedy:
          "'stylemodel inspect' lists the weights; --arch FILE takes a recipe that says what to do with them")
  }

  // MARK: For the layers

  /// Adds an operation.
  /// - Throws: `.badInput` where it does not fit the shapes before it.
  mutating func append(_ operation: Operation) throws(StyleModelError) -> ValueID {
    let shape = try operation.resultShape { shapes[$0] ?? graph.tensor($0)?.shape ?? [] }
    let result = graph.append(operation)
    shapes[result] = shape
    return result
  }

  /// The number of channels of a value.
  func channels(_ value: ValueID) -> Int { shapes[value].map { $0.rank == 4 ? $0[1] : 0 } ?? 0 }

  /// Adds a weight, or finds it where the layer is used a second time.
  mutating func constant(_ name: String, _ tensor: StoredTensor) -> ValueID {
    graph.constant(named: name) ?? graph.addConstant(name, tensor)
  }

  /// The variables of a layer in the order of `roles`, those of roles that the layer's settings leave out left out
  /// already. By their names where the file has such, by their order otherwise.
  /// - Throws: `.badInput` where there are more or fewer, or one has another rank than it should.
  func variables(
    of layer: KerasLayer, _ roles: [(role: String, rank: Int)]
  ) throws(StyleModelError) -> [String: KerasWeights.Variable] {
    var found = weights.variables(of: layer.name)
    if found.isEmpty { found = weights.layers.first { $0.kind == kinds[layer.name] }?.variables ?? [] }
    guard found.count == roles.count else {
      throw layer.problem(
        "has \(found.isEmpty ? "no weights" : "the weights " + found.map(\.name).joined(separator: ", ")) in the file"
          + " where \(roles.map(\.role).joined(separator: ", ")) should be")
    }
    var result: [String: KerasWeights.Variable] = [:]
    for (index, (role, rank)) in roles.enumerated() {
      let variable = found.first { $0.role == role } ?? found[index]
      guard variable.tensor.shape.rank == rank else {
        throw layer.problem("has a \(role) '\(variable.name)' of shape \(variable.tensor.shape)")
      }
      result[role] = variable
    }
    return result
  }
}

/// The name of a class as Keras 3 writes it for its layers' weights: `conv2d_transpose`, `leaky_re_lu`.
func snakeCase(_ name: String) -> String {
  var result = ""
  let characters = Array(name)
  for (index, character) in characters.enumerated() {
    let before = index > 0 ? characters[index - 1] : "A"
    let startsWord =
      index > 0 && character.isUppercase
      && (before.isLowercase || index + 1 < characters.count && characters[index + 1].isLowercase)
    result += (startsWord ? "_" : "") + character.lowercased()
  }
  return result
}
