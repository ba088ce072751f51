import CSchemas
import Diagnostics
import ModelGraph
import PictureTracing
import ProtobufSupport
import Tensors

/// The edges of a picture by a list of height's and width's starts and ends; none at all is zero.
func insets(_ message: Coreml__BorderAmounts?) throws(StyleModelError) -> Insets {
  let edges = message.map { list($0.border_amounts, $0.n_border_amounts).map(\.pointee) } ?? []
  guard edges.isEmpty || edges.count == 2,
    edges.allSatisfy({ max($0.start_edge_size, $0.end_edge_size) <= 4096 })
  else {
    throw StyleModelError(
      .badInput, "has \(counted(edges.count, "border amount")), or one beyond 4096; two are wanted")
  }
  guard edges.count == 2 else { return .zero }
  return Insets(
    top: Int(edges[0].start_edge_size), left: Int(edges[1].start_edge_size),
    bottom: Int(edges[0].end_edge_size), right: Int(edges[1].end_edge_size))
}

/// Which side gets the odd row and column.
func same(_ message: Coreml__SamePadding) throws(StyleModelError) -> Convolution.Same {
  switch message.asymmetry_mode {
  case 0: .upper
  case 1: .lower
  default: throw StyleModelError(.badInput, "pads by an unknown mode \(message.asymmetry_mode)")
  }
}

extension LayerConversion {
  /// A convolution, transposed or not.
  mutating func convertConvolution() throws(StyleModelError) -> PictureValue {
    let params = layer.convolution.pointee
    guard inputNames.count == 1 else {
      throw StyleModelError(.badInput, "takes its weights from another layer, which is not understood")
    }
    let (input, rank) = try plainPicture()
    guard let weight = try weight("weights") else { throw StyleModelError(.badInput, "has no weights") }
    guard params.has_bias == 0 || params.bias.map({ !$0.pointee.isEmpty }) ?? false else {
      throw StyleModelError(.badInput, "has a bias without numbers")
    }
    let bias = try self.weight("bias")
    let stride = try Pair(pair(params.stride, params.n_stride, default: 1, "stride"))
    if params.is_deconvolution != 0 {
      return try transposed(params, input, rank: rank, weight: weight, bias: bias, stride: stride)
    }
    var operation = Convolution(
      input: input, weight: weight, bias: bias, stride: stride,
      dilation: try Pair(pair(params.dilation_factor, params.n_dilation_factor, default: 1, "dilation")),
      groups: try params.groups())
    if params.convolution_padding_type_case == COREML__CONVOLUTION__CONVOLUTION_PADDING_TYPE_SAME {
      operation.same = try same(params.same.pointee)
    } else if params.convolution_padding_type_case == COREML__CONVOLUTION__CONVOLUTION_PADDING_TYPE_VALID {
      operation.padding = try insets(params.valid.pointee.padding_amounts?.pointee)
    }
    return try emitPicture(.convolution(operation), rank: rank)
  }

  private mutating func transposed(
    _ params: Coreml__Convolution, _ input: ValueID, rank: Int, weight: ValueID, bias: ValueID?, stride: Pair
  ) throws(StyleModelError) -> PictureValue {
    let taps = try pair(params.kernel_size, params.n_kernel_size, default: 3, "kernel size")
    var operation = TransposedConvolution(
      input: input, weight: weight, bias: bias, stride: stride, groups: try params.groups())
    /// Cuts what the kernels reach down to what is wanted, or adds what they do not reach.
    func fitted(_ cuts: [(vertical: Int, horizontal: Int)], startShare: (Int) -> Int) throws(StyleModelError)
    {
      let cut = try agreed("its output's size", cuts.map { [$0.vertical, $0.horizontal] })
      guard cut.allSatisfy({ abs($0) <= 4096 }) else {
        throw StyleModelError(.badInput, "wants an output far from what its kernels reach")
      }
      let whole = cut.map { max(0, $0) }
      let start = whole.map(startShare)
      operation.padding = Insets(
        top: start[0], left: start[1], bottom: whole[0] - start[0], right: whole[1] - start[1])
      operation.outputPadding = Pair(max(0, -cut[0]), max(0, -cut[1]))
    }
    var natural: [(input: Arrangement.Picture, height: Int, width: Int)] = []
    for probe in probes.alive {
      let extents = try probes.extents(input, probe)
      natural.append(
        (
          extents, (extents.height - 1) * stride.vertical + taps.0,
          (extents.width - 1) * stride.horizontal + taps.1
        ))
    }
    let wanted = numbers(params.output_shape, params.n_output_shape)
    if !wanted.isEmpty {
      guard wanted.count == 2, wanted.allSatisfy({ (1...1 << 20).contains($0) }) else {
        throw StyleModelError(
          .badInput, "has an output shape \(wanted.prefix(8)); a height and a width are wanted")
      }
      // Rows and columns are cut, or added, at the end.
      try fitted(natural.map { ($0.height - Int(wanted[0]), $0.width - Int(wanted[1])) }) { _ in 0 }
    } else if params.convolution_padding_type_case == COREML__CONVOLUTION__CONVOLUTION_PADDING_TYPE_SAME {
      let isLower = try same(params.same.pointee) == .lower
      try fitted(
        natural.map {
          (
            $0.height - $0.input.height * stride.vertical, $0.width - $0.input.width * stride.horizontal
          )
        }
      ) { isLower ? ($0 + 1) / 2 : $0 / 2 }
    } else if params.convolution_padding_type_case == COREML__CONVOLUTION__CONVOLUTION_PADDING_TYPE_VALID {
      operation.padding = try insets(params.valid.pointee.padding_amounts?.pointee)
    }
    return try emitPicture(.transposedConvolution(operation), rank: rank)
  }

  /// Averages over neighbours, as the depthwise convolutions that they are; over all pixels, as a statistic.
  mutating func convertPooling() throws(StyleModelError) -> LayerValue {
    let params = layer.pooling.pointee
    guard params.type == 1 else {
      throw StyleModelError(
        .badInput, "takes the \(params.type == 0 ? "greatest" : "L2 norm") of neighbouring pixels",
        remedy: "style networks shrink their pictures by strides; averages are understood")
    }
    if params.global_pooling != 0 {
      let input = try picture()
      let rank = input.arrangements[0].axes.count
      return .statistic(try mean(input, axes: [rank - 2, rank - 1], keepsAxes: true))
    }
    let (input, rank) = try plainPicture()
    let taps = try pair(params.kernel_size, params.n_kernel_size, default: 3, "kernel size")
    let stride = try Pair(pair(params.stride, params.n_stride, default: 1, "stride"))
    let channels = try probes.channels(input)
    var operation = Convolution(input: input, weight: input, stride: stride, groups: channels)
    switch params.pooling_padding_type_case {
    case COREML__POOLING__POOLING_PADDING_TYPE_SAME: operation.same = try same(params.same.pointee)
    case COREML__POOLING__POOLING_PADDING_TYPE_VALID:
      operation.padding = try insets(params.valid.pointee.padding_amounts?.pointee)
    case COREML__POOLING__POOLING_PADDING_TYPE_INCLUDE_LAST_PIXEL:
      throw StyleModelError(.badInput, "pools by the rule includeLastPixel, which is not understood")
    default: break
    }
    let isPadded = operation.same != nil || operation.padding != .zero
    guard params.avg_pool_exclude_padding == 0 || !isPadded else {
      throw StyleModelError(
        .badInput, "averages over what lies inside the picture only, which is not understood")
    }
    let count = try Numbers.count([channels, taps.0, taps.1])
    try spend(count)
    operation.weight = probes.constant(
      "\(label).weights",
      StoredTensor(
        shape: Shape([channels, 1, taps.0, taps.1]),
        floats: [Float](repeating: 1 / Float(taps.0 * taps.1), count: count)))
    return .picture(try emitPicture(.convolution(operation), rank: rank))
  }
}

extension Pair {
  init(_ pair: (Int, Int)) { self.init(pair.0, pair.1) }
}
