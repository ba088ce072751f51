import Diagnostics
import ModelGraph
import Tensors

/// Turns the operations of a program, one after the other, into operations of our graph.
struct ProgramConversion {
  var probes: ProbedGraph
  var known: KnownValues
  private(set) var values: [String: ProgramTerm] = [:]
  /// What the user should know.
  private(set) var notes: [String] = []
  /// The operation at work.
  private(set) var operation = Program.Operation(
    type: "", inputs: [:], attributes: [:], outputs: [], blockCount: 0)

  init(probes: ProbedGraph, known: KnownValues) {
    self.probes = probes
    self.known = known
  }

  /// Says what a name stands for.
  mutating func define(_ name: String, _ term: ProgramTerm) { values[name] = term }

  /// Adds what an operation makes.
  /// - Throws: `.badInput` with the operation as its place.
  mutating func add(_ operation: Program.Operation) throws(StyleModelError) {
    self.operation = operation
    do throws(StyleModelError) {
      guard operation.blockCount == 0 else {
        throw StyleModelError(
          .badInput, "chooses or repeats operations while it runs, which no style network needs",
          remedy: "trace the network for one way through it, and convert it anew")
      }
      let result = try convert()
      guard let name = operation.outputs.first else { throw StyleModelError(.badInput, "has no result") }
      values[name] = result
    } catch {
      throw StyleModelError(
        error.kind, file: error.file,
        place: [printable(operation.label, limit: 160), error.place].compactMap { $0 }.joined(
          separator: ", "),
        error.problem, remedy: error.remedy)
    }
  }

  /// Remembers something that the user should know, once.
  mutating func note(_ text: String) { if !notes.contains(text) { notes.append(text) } }

  private mutating func convert() throws(StyleModelError) -> ProgramTerm {
    let type = operation.type
    if type == "const" {
      guard let value = operation.attributes["val"] else { throw StyleModelError(.badInput, "has no value") }
      return .constant(value)
    }
    if type.hasPrefix("constexpr_") { return .known(try decompressed()) }
    if let folded = try foldedExtents() { return .extents(folded) }
    if let known = try reshapedConstant() { return .known(known) }
    switch type {
    case "conv": return try convertConvolution()
    case "conv_transpose": return try convertTransposedConvolution()
    case "pad": return try convertPadding()
    case "instance_norm", "batch_norm": return try convertNorm()
    case "reduce_mean": return try convertMean()
    case "add", "sub", "mul", "real_div", "pow", "square", "sqrt", "rsqrt", "inverse", "maximum", "minimum":
      return try convertArithmetic()
    case "relu", "relu6", "leaky_relu", "prelu", "clamped_relu", "clip", "sigmoid", "sigmoid_hard", "tanh",
      "scaled_tanh", "linear_activation", "silu", "threshold":
      return try convertActivation()
    case "upsample_nearest_neighbor", "upsample_bilinear", "resize_nearest_neighbor", "resize_bilinear",
      "resize":
      return try convertEnlargement()
    case "identity", "cast", "transpose", "reshape", "expand_dims", "squeeze", "crop", "slice_by_index",
      "slice_by_size", "pixel_shuffle", "depth_to_space", "concat":
      return try convertLayout()
    case "floor", "ceil", "round":
      throw StyleModelError(
        .badInput, "rounds what flows, which is understood at the end of a network only")
    default:
      throw StyleModelError(
        .badInput, "is an operation that is not understood",
        remedy: "convert the network's checkpoint (.pth) in place of this file")
    }
  }
}
