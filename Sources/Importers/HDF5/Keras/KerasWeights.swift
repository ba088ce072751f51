import Diagnostics
import Recipes
import Tensors

/// The weights of a Keras file by layer, in whichever of Keras's three layouts they lie.
struct KerasWeights {
  /// One variable of a layer.
  struct Variable {
    /// The name in a state dict: `conv2d_1/kernel:0`, or `conv2d_1/vars/0` where Keras 3 keeps no names.
    var name: String
    /// What it is for: `kernel`, `gamma`; empty where the file keeps only the order.
    var role: String
    /// The numbers, with axes as Keras has them.
    var tensor: StoredTensor
  }

  /// A layer that has variables.
  struct Layer {
    var name: String
    /// The groups around it, outermost first: models that stand as layers.
    var owners: [String]
    /// The class, where the layout tells it: `depthwise_conv2d`.
    var kind: String
    var variables: [Variable]
  }

  /// The layers, in the file's order.
  var layers: [Layer] = []
  /// What computed the network: `tensorflow`, `theano`, …; nil where the file does not say.
  var backend: String?
  /// The release of Keras that wrote the file, where it says.
  var version: String?

  /// Reads the weights, or gives nil where the file is none of Keras's.
  /// - Throws: `.badInput` naming what is missing.
  init?(_ file: HDF5File) throws(StyleModelError) {
    let root = file["/model_weights"] ?? file["/"]
    guard let root else { return nil }
    backend = root.strings("backend")?.first ?? file["/"]?.strings("backend")?.first
    version = root.strings("keras_version")?.first ?? file["/"]?.strings("keras_version")?.first
    if let names = try Self.splitStrings("layer_names", of: root) {
      for name in names { layers.append(try Self.layer(name, in: root.path, file)) }
    } else {
      layers = Self.variableGroups(file)
      guard !layers.isEmpty else { return nil }
    }
  }

  /// Attributes are limited to 64 KB, so Keras splits longer lists: `layer_names0`, `layer_names1`, …
  private static func splitStrings(
    _ name: String, of object: HDF5File.Object
  ) throws(StyleModelError) -> [String]? {
    if let whole = object.strings(name) { return whole }
    var result: [String] = []
    var index = 0
    while let part = object.strings(name + String(index)) {
      result += part
      index += 1
    }
    return index == 0 ? nil : result
  }

  /// Keras 1 and 2: a group a layer, whose `weight_names` lead to its datasets.
  private static func layer(
    _ name: String, in root: String, _ file: HDF5File
  ) throws(StyleModelError) -> Layer {
    let path = (root == "/" ? "" : root) + "/" + name
    guard let group = file[path], let names = try splitStrings("weight_names", of: group) else {
      throw StyleModelError(
        .badInput, place: path, "is a layer of which the file has no list of weights",
        remedy: "save the weights again with Keras")
    }
    var variables: [Variable] = []
    for variable in names {
      guard let tensor = file.dataset(path + "/" + variable) else {
        throw StyleModelError(
          .badInput, place: path + "/" + variable, "is listed as a weight and is not there")
      }
      variables.append(Variable(name: variable, role: role(variable, of: name), tensor: tensor))
    }
    return Layer(name: name, owners: [], kind: "", variables: variables)
  }

  /// `kernel` of `conv2d_1/kernel:0`; `W` of Keras 1's `conv1_W`.
  private static func role(_ variable: String, of layer: String) -> String {
    var last = variable.split(separator: "/").last.map(String.init) ?? variable
    if let colon = last.lastIndex(of: ":") { last = String(last[..<colon]) }
    return last.hasPrefix(layer + "_") ? String(last.dropFirst(layer.count + 1)) : last
  }

  /// Keras 3: variables by number in groups named `vars`, which carry their layer's name.
  private static func variableGroups(_ file: HDF5File) -> [Layer] {
    file.objects.compactMap { object in
      guard case .group = object.content, object.path.hasSuffix("/vars") else { return nil }
      let parts = object.path.split(separator: "/").dropLast().map(String.init)
      guard let kind = parts.last, parts.first != "optimizer" else { return nil }
      let name = object.strings("name")?.first ?? kind
      var variables: [Variable] = []
      while let tensor = file.dataset("\(object.path)/\(variables.count)") {
        variables.append(Variable(name: "\(name)/vars/\(variables.count)", role: "", tensor: tensor))
      }
      guard !variables.isEmpty else { return nil }
      let owners = parts.dropLast().filter { !["layers", "_layer_checkpoint_dependencies"].contains($0) }
      return Layer(name: name, owners: owners, kind: kind, variables: variables)
    }
  }
}

extension KerasWeights {
  /// The variables of a layer, or none. Those of a model that stands as a layer lie under the model's name, with their
  /// own layer's in theirs.
  func variables(of layer: String) -> [Variable] {
    if let own = layers.first(where: { $0.name == layer }), !own.variables.isEmpty { return own.variables }
    return layers.flatMap(\.variables).filter {
      $0.name.split(separator: "/").dropLast().last.map(String.init) == layer
    }
  }

  /// Whether kernels are those of a convolution proper, which runs through them backwards.
  var kernelsAreFlipped: Bool { backend == "theano" }

  /// All weights as a state dict for the recipes: kernels with axes as PyTorch has them, names as they are.
  ///
  /// One reordering serves two layers: `[kH, kW, in, out]` becomes `[out, in, kH, kW]`, and the `[kH, kW, out, in]` of
  /// a transposed convolution `[in, out, kH, kW]`.
  func stateDict(container: String, notes: [String]) throws(StyleModelError) -> StateDict {
    var entries: [StateDict.Entry] = []
    var names: Set<String> = []
    for layer in layers {
      for variable in layer.variables {
        // Names are unique within a layer only.
        let name = names.contains(variable.name) ? "\(layer.name)/\(variable.name)" : variable.name
        guard names.insert(name).inserted else {
          throw StyleModelError(.badInput, place: "weight '\(name)'", "stands in the file twice")
        }
        let isDepthwise =
          variable.role.hasPrefix("depthwise") || layer.kind.hasPrefix("depthwise")
          || layer.name.hasPrefix("depthwise_conv2d")
        entries.append(
          .init(
            name: name,
            tensor: try variable.tensor.fromKeras(
              isDepthwise: isDepthwise, isFlipped: kernelsAreFlipped,
              // Keras 1 with Theano kept kernels as PyTorch does, and names without a slash.
              isOutputFirst: variable.role == "W")))
      }
    }
    guard !entries.isEmpty else {
      throw StyleModelError(
        .badInput, "holds no weights", remedy: "save the trained weights, not the bare network")
    }
    var dict = StateDict(entries: entries, notes: notes, container: container)
    dict.storageByteCount = entries.reduce(0) { $0 + $1.tensor.bytes.count }
    return dict
  }
}

extension StoredTensor {
  /// A kernel with the axes that the graph wants; anything that is no kernel stays as it is.
  /// - Parameters:
  ///   - isDepthwise: whether the axes are `[kH, kW, channels, multiplier]`.
  ///   - isFlipped: whether rows and columns stand backwards.
  ///   - isOutputFirst: whether they are `[out, in, kH, kW]` already.
  func fromKeras(isDepthwise: Bool, isFlipped: Bool, isOutputFirst: Bool = false) throws(StyleModelError)
    -> StoredTensor
  {
    guard shape.rank == 4 else { return self }
    if isOutputFirst { return isFlipped ? try permuted([0, 1, 2, 3], flipping: [2, 3]) : self }
    let flipped: Set<Int> = isFlipped ? [0, 1] : []
    guard isDepthwise else { return try permuted([3, 2, 0, 1], flipping: flipped) }
    return try permuted([2, 3, 0, 1], flipping: flipped).reshaped([
      shape[2] * shape[3], 1, shape[0], shape[1],
    ])
  }
}
