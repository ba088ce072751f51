import Diagnostics
import ModelGraph
import Tensors

extension NetworkTranslation {
  /// `Pad`.
  mutating func addPadding(_ input: String, _ amounts: Insets, _ mode: PaddingMode, _ output: String) {
    let modes: [PaddingMode: String] = [.zero: "constant", .reflect: "reflect", .replicate: "edge"]
    let pads = draft.integers(
      output + ".pads", [0, 0, amounts.top, amounts.left, 0, 0, amounts.bottom, amounts.right])
    draft.add("Pad", [input, pads], output: output, [("mode", .text(modes[mode] ?? "constant"))])
  }

  /// `Slice`.
  mutating func addCrop(_ input: String, _ amounts: Insets, _ output: String) {
    // An end beyond the last pixel is the last pixel.
    func end(_ amount: Int) -> Int { amount == 0 ? Int.max : -amount }
    let starts = draft.integers(output + ".starts", [amounts.top, amounts.left])
    let ends = draft.integers(output + ".ends", [end(amounts.bottom), end(amounts.right)])
    let axes = draft.integers(output + ".axes", [2, 3])
    draft.add("Slice", [input, starts, ends, axes], output: output)
  }

  /// `Resize`.
  mutating func addEnlargement(_ it: Upsample, _ output: String) throws(StyleModelError) {
    let scales = draft.floats(
      output + ".scales", [4], [1, 1, Float(it.factor.vertical), Float(it.factor.horizontal)])
    let attributes: [(name: String, value: ONNXDraft.Attribute)] =
      switch it.mode {
      case .nearest:
        [
          ("coordinate_transformation_mode", .text("asymmetric")), ("mode", .text("nearest")),
          ("nearest_mode", .text("floor")),
        ]
      case .bilinear:
        [("coordinate_transformation_mode", .text("half_pixel")), ("mode", .text("linear"))]
      }
    draft.add("Resize", [try name(it.input), "", scales], output: output, attributes)
  }

  /// `Resize` to one size.
  mutating func addResampling(_ it: Resize, _ output: String) throws(StyleModelError) {
    let channels = try graph.shapes(for: graph.sampleSize)[it.input]?[1] ?? 0
    let sizes = draft.integers(output + ".sizes", [1, channels, it.size.vertical, it.size.horizontal])
    let rules: [Resize.Placement: String] = [
      .start: "asymmetric", .corners: "align_corners", .centers: "half_pixel",
    ]
    draft.add(
      "Resize", [try name(it.input), "", "", sizes], output: output,
      [
        ("coordinate_transformation_mode", .text(rules[it.placement] ?? "half_pixel")),
        ("mode", .text("linear")),
      ])
  }

  /// What cuts off the rows and columns that odd sizes gain on their way through the strides; nothing where no size
  /// gains any.
  /// - Returns: the name of what is left.
  mutating func addTrimming(to output: String) -> String {
    guard gainsPixels() else { return output }
    let extents = draft.add(
      "Shape", [inputName], output: draft.freeName("picture_size"),
      [("end", .integer(4)), ("start", .integer(2))])
    let starts = draft.integers("trimmed.starts", [0, 0])
    let axes = draft.integers("trimmed.axes", [2, 3])
    return draft.add("Slice", [output, starts, extents, axes], output: draft.freeName("trimmed"))
  }

  /// Whether the output of some size is larger than the picture that is shown.
  private func gainsPixels() -> Bool {
    // All remainders of the strides that networks have, of sizes that they take.
    for extent in 256..<320 {
      let size = PictureSize(width: extent, height: extent)
      guard let output = try? graph.shapes(for: size)[graph.output], output.rank == 4 else { continue }
      let computed = PictureSize(width: output[3], height: output[2])
      if graph.trimmedSize(computed, for: size) != computed { return true }
    }
    return false
  }
}
