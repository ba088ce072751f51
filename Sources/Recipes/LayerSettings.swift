import Diagnostics
import ModelGraph

extension StateDict {
  /// Makes the graph agree with what a whole pickled module says of its layers: the file knows better than the
  /// family's recipe.
  /// - Returns: a note for each kind of setting that differed.
  /// - Throws: `.badInput` naming the layer when a setting cannot be followed.
  func applyLayerSettings(to graph: inout Graph) throws(StyleModelError) -> [String] {
    guard !layers.isEmpty else { return [] }
    var changed: [String] = []
    for index in graph.nodes.indices {
      let old = graph.nodes[index].operation
      var new = old
      var path = ""
      switch old {
      case .convolution(var convolution):
        guard let found = settings(of: convolution.weight, in: graph) else { continue }
        path = found.path
        try found.settings.apply(to: &convolution, path: path)
        new = .convolution(convolution)
      case .transposedConvolution(var convolution):
        guard let found = settings(of: convolution.weight, in: graph) else { continue }
        path = found.path
        try found.settings.apply(to: &convolution, path: path)
        new = .transposedConvolution(convolution)
      case .instanceNorm(var norm):
        guard let gamma = norm.gamma, let found = settings(of: gamma, in: graph) else { continue }
        path = found.path
        norm.epsilon = found.settings.epsilon.map(Float.init) ?? norm.epsilon
        new = .instanceNorm(norm)
      case .batchNorm(var norm):
        guard let gamma = norm.gamma, let found = settings(of: gamma, in: graph) else { continue }
        path = found.path
        norm.epsilon = found.settings.epsilon.map(Float.init) ?? norm.epsilon
        new = .batchNorm(norm)
      default: continue
      }
      guard new != old else { continue }
      graph.nodes[index].operation = new
      changed.append(path)
    }
    guard !changed.isEmpty else { return [] }
    try graph.verify()
    return [
      "\(counted(changed.count, "layer")) set up as the file says, not as the family usually is: "
        + changed.prefix(3).joined(separator: ", ") + (changed.count > 3 ? ", …" : "")
    ]
  }

  private func settings(of value: ValueID, in graph: Graph) -> (path: String, settings: LayerSettings)? {
    guard let name = graph.constants[value]?.name, let dot = name.lastIndex(of: ".") else { return nil }
    let path = String(name[..<dot])
    return layers[path].map { (path, $0) }
  }
}

extension StateDict.LayerSettings {
  /// What a framework may say of one axis, within what an operation can be.
  private func pair(
    _ list: [Int]?, from lowest: Int, _ what: String, _ path: String
  ) throws(StyleModelError) -> Pair? {
    guard let list else { return nil }
    guard list.count == 2, list.allSatisfy({ (lowest...4096).contains($0) }) else {
      throw StyleModelError(
        .badInput, place: "layer '\(path)'", "has a \(what) of \(list), which is not possible")
    }
    return Pair(list[0], list[1])
  }

  private func insets(_ path: String) throws(StyleModelError) -> Insets? {
    try pair(padding, from: 0, "padding", path).map {
      Insets(top: $0.vertical, left: $0.horizontal, bottom: $0.vertical, right: $0.horizontal)
    }
  }

  fileprivate func apply(to convolution: inout Convolution, path: String) throws(StyleModelError) {
    convolution.stride = try pair(stride, from: 1, "stride", path) ?? convolution.stride
    convolution.dilation = try pair(dilation, from: 1, "dilation", path) ?? convolution.dilation
    convolution.padding = try insets(path) ?? convolution.padding
    convolution.groups = groups ?? convolution.groups
    switch paddingMode {
    case nil: break
    case "zeros": convolution.paddingMode = .zero
    case "reflect": convolution.paddingMode = .reflect
    case "replicate": convolution.paddingMode = .replicate
    case let mode?:
      guard convolution.padding != .zero else { break }
      throw StyleModelError(
        .badInput, place: "layer '\(path)'", "pads in the mode '\(mode)', which is not supported")
    }
    if convolution.padding == .zero { convolution.paddingMode = .zero }
  }

  fileprivate func apply(to convolution: inout TransposedConvolution, path: String) throws(StyleModelError) {
    convolution.stride = try pair(stride, from: 1, "stride", path) ?? convolution.stride
    convolution.dilation = try pair(dilation, from: 1, "dilation", path) ?? convolution.dilation
    convolution.padding = try insets(path) ?? convolution.padding
    convolution.outputPadding =
      try pair(outputPadding, from: 0, "output padding", path) ?? convolution.outputPadding
    convolution.groups = groups ?? convolution.groups
  }
}
