import Diagnostics
import ModelGraph
import Tensors

extension ProgramConversion {
  /// The kernels of a convolution and how they are laid out.
  private struct Window {
    let weight: ValueID
    let bias: ValueID?
    let taps: Pair
    let stride: Pair
    let dilation: Pair
    let groups: Int

    /// How far the taps reach.
    var reach: Pair {
      Pair(dilation.vertical * (taps.vertical - 1) + 1, dilation.horizontal * (taps.horizontal - 1) + 1)
    }
  }

  private mutating func window() throws(StyleModelError) -> Window {
    guard let (weight, shape) = try weight("weight") else {
      throw StyleModelError(.badInput, "has no weights")
    }
    guard shape.rank == 4, max(shape[2], shape[3]) <= 4096 else {
      throw StyleModelError(.badInput, "has weights of shape \(shape); those of a picture have 4 extents")
    }
    return Window(
      weight: weight, bias: try self.weight("bias")?.value, taps: Pair(shape[2], shape[3]),
      stride: try pair("strides"), dilation: try pair("dilations"), groups: try integer("groups", default: 1))
  }

  private mutating func pair(_ role: String) throws(StyleModelError) -> Pair {
    guard let list = try integers(role) else { return .one }
    guard list.count == 2, list.allSatisfy({ (1...4096).contains($0) }) else {
      throw StyleModelError(.badInput, "wants two whole numbers from 1 to 4096 as '\(role)', not \(list)")
    }
    return Pair(list[0], list[1])
  }

  /// The amounts of `pad`: above, below, left, right.
  private mutating func insets() throws(StyleModelError) -> Insets {
    guard let list = try integers("pad") else { return .zero }
    guard list.count == 4, list.allSatisfy({ (0...4096).contains($0) }) else {
      throw StyleModelError(.badInput, "wants four amounts as 'pad', not \(list)")
    }
    return Insets(top: list[0], left: list[2], bottom: list[1], right: list[3])
  }

  /// `conv`.
  mutating func convertConvolution() throws(StyleModelError) -> ProgramTerm {
    let input = try plain()
    let window = try window()
    var padding = Insets.zero
    var same: Convolution.Same?
    switch try word("pad_type", default: "valid") {
    case "valid": break
    case "custom": padding = try insets()
    case "same": same = .upper
    case "same_lower": same = .lower
    case let other:
      throw StyleModelError(.badInput, "pads by an unknown rule '\(printable(other, limit: 40))'")
    }
    return try emitted(
      .convolution(
        Convolution(
          input: input, weight: window.weight, bias: window.bias, stride: window.stride, padding: padding,
          same: same, dilation: window.dilation, groups: window.groups)))
  }

  /// `conv_transpose`.
  mutating func convertTransposedConvolution() throws(StyleModelError) -> ProgramTerm {
    let input = try plain()
    let window = try window()
    let rule = try word("pad_type", default: "valid")
    guard ["valid", "custom", "same"].contains(rule) else {
      throw StyleModelError(.badInput, "pads by an unknown rule '\(printable(rule, limit: 40))'")
    }
    let fixed = rule == "custom" ? try insets() : .zero
    let wanted = try integers("output_shape")
    if let wanted, wanted.count != 4 {
      throw StyleModelError(.badInput, "wants an output of shape \(wanted)")
    }
    // What is cropped, or where kernels do not reach so far, added.
    func ends(
      _ axis: Int, _ extent: Int, _ stride: Int, _ reach: Int, _ before: Int, _ after: Int
    ) throws(StyleModelError) -> (before: Int, after: Int, extra: Int) {
      let natural = (extent - 1) * stride + reach
      guard let target = wanted?[axis] ?? (rule == "same" ? extent * stride : nil) else {
        return (before, after, 0)
      }
      let cut = natural - target
      guard target > 0, cut > -4096 else {
        throw StyleModelError(.badInput, "wants an output of \(target) where its kernels reach \(natural)")
      }
      // The beginning is cropped as 'pad' says; the end gives way.
      let first = rule == "same" ? max(0, cut / 2) : before
      return (first, max(0, cut - first), max(0, first - cut))
    }
    var paddings: [Insets] = []
    var extras: [Pair] = []
    for size in probes.alive {
      let shape = try probes.shape(input, at: size)
      let rows = try ends(
        2, shape[2], window.stride.vertical, window.reach.vertical, fixed.top, fixed.bottom)
      let columns = try ends(
        3, shape[3], window.stride.horizontal, window.reach.horizontal, fixed.left, fixed.right)
      paddings.append(
        Insets(top: rows.before, left: columns.before, bottom: rows.after, right: columns.after))
      extras.append(Pair(rows.extra, columns.extra))
    }
    return try emitted(
      .transposedConvolution(
        TransposedConvolution(
          input: input, weight: window.weight, bias: window.bias, stride: window.stride,
          padding: try agreed("its output's size", paddings),
          outputPadding: try agreed("its output's size", extras), dilation: window.dilation,
          groups: window.groups)))
  }

  /// `pad`, of the last axes.
  mutating func convertPadding() throws(StyleModelError) -> ProgramTerm {
    let input = try picture()
    let source = try computed(input.term)
    guard let pads = try integers("pad"), pads.count % 2 == 0, pads.count <= 2 * input.axes.count,
      pads.allSatisfy({ (0...4096).contains($0) })
    else { throw StyleModelError(.badInput, "has amounts that are not understood") }
    var amounts = Insets.zero
    for (index, axis) in input.axes.suffix(pads.count / 2).enumerated() {
      let (before, after) = (pads[2 * index], pads[2 * index + 1])
      switch axis {
      case .row: (amounts.top, amounts.bottom) = (before, after)
      case .column: (amounts.left, amounts.right) = (before, after)
      case .one, .channel:
        guard before == 0, after == 0 else {
          throw StyleModelError(.badInput, "pads other axes than height and width")
        }
      }
    }
    var mode = PaddingMode.zero
    var filling: Float = 0
    switch try word("mode", default: "constant") {
    case "constant": filling = try number("constant_val", default: 0)
    case "reflect": mode = .reflect
    case "replicate": mode = .replicate
    case let other:
      throw StyleModelError(
        .badInput, "pads by '\(printable(other, limit: 40))'",
        remedy: "constant, reflect and replicate are understood")
    }
    guard filling != 0 else {
      return try emitted(.pad(Pad(input: source, amounts: amounts, mode: mode)), like: input)
    }
    // Zeros around what is less by the filling are the filling once it is added again.
    func shifted(_ value: ValueID, by bias: Float) -> ModelGraph.Operation {
      .activation(Activation(input: value, function: .linear(scale: 1, bias: bias)))
    }
    let lowered = try probes.emit(shifted(source, by: -filling))
    let padded = try probes.emit(.pad(Pad(input: lowered, amounts: amounts, mode: mode)))
    return try emitted(shifted(padded, by: filling), like: input)
  }
}
