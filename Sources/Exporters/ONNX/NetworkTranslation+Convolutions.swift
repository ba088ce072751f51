import Diagnostics
import ModelGraph
import ONNXImporter
import Tensors

extension NetworkTranslation {
  /// `Conv`, with a `Pad` before it where the edges are not zeros.
  mutating func addConvolution(_ it: Convolution, _ output: String) throws(StyleModelError) {
    let kernel = try shape(it.weight)
    var input = try name(it.input)
    var padding = it.padding
    var attributes: [(name: String, value: ONNXDraft.Attribute)] = []
    if it.paddingMode != .zero, it.same == nil, padding != .zero {
      let padded = draft.freeName(output + ONNXFormat.Part.padding)
      addPadding(input, padding, it.paddingMode, padded)
      input = padded
      padding = .zero
    }
    if let same = it.same {
      // Engines differ in what they make of the rule where taps are spread or skipped.
      if it.paddingMode == .zero, it.dilation == .one, it.stride.fits(kernel) {
        attributes.append(("auto_pad", .text(same == .upper ? "SAME_UPPER" : "SAME_LOWER")))
      } else if it.paddingMode == .zero, let fixed = fixedPadding(it, kernel) {
        padding = fixed
      } else {
        throw StyleModelError(
          .badInput,
          "pads by the picture's size with "
            + (it.paddingMode == .zero ? "a dilation or a stride beyond its taps" : "another edge than zeros")
            + ", which ONNX cannot say")
      }
    }
    attributes.append(("dilations", .integers(it.dilation.list)))
    attributes.append(("group", .integer(it.groups)))
    attributes.append(("kernel_shape", .integers([kernel[2], kernel[3]])))
    if !attributes.contains(where: { $0.name == "auto_pad" }) {
      attributes.append(("pads", .integers(padding.list)))
    }
    attributes.append(("strides", .integers(it.stride.list)))
    let inputs = [input, try name(it.weight)] + (try optionalName(it.bias))
    draft.add("Conv", inputs, output: output, attributes)
  }

  /// The padding that "same" comes to for every size, if there is one: at stride 1, and for a single tap.
  private func fixedPadding(_ it: Convolution, _ kernel: Shape) -> Insets? {
    let stride = it.stride
    guard (stride.vertical == 1 || kernel[2] == 1) && (stride.horizontal == 1 || kernel[3] == 1) else {
      return nil
    }
    return it.insets(picture: [1, kernel[1] * it.groups, 4096, 4096], kernel: kernel)
  }

  /// `ConvTranspose`.
  mutating func addTransposedConvolution(
    _ it: TransposedConvolution, _ output: String
  ) throws(StyleModelError) {
    let kernel = try shape(it.weight)
    let inputs = [try name(it.input), try name(it.weight)] + (try optionalName(it.bias))
    draft.add(
      "ConvTranspose", inputs, output: output,
      [
        ("dilations", .integers(it.dilation.list)), ("group", .integer(it.groups)),
        ("kernel_shape", .integers([kernel[2], kernel[3]])),
        ("output_padding", .integers(it.outputPadding.list)), ("pads", .integers(it.padding.list)),
        ("strides", .integers(it.stride.list)),
      ])
  }
}

extension Pair {
  /// Whether no step goes beyond the taps.
  fileprivate func fits(_ kernel: Shape) -> Bool { vertical <= kernel[2] && horizontal <= kernel[3] }

  /// As the standard's attributes have it.
  fileprivate var list: [Int] { [vertical, horizontal] }
}

extension Insets {
  /// As the standard's attributes have it: where the axes begin, then where they end.
  var list: [Int] { [top, left, bottom, right] }
}
