import ModelGraph
import Tensors

/// What an axis of a tensor walks over.
enum PictureAxis: Hashable {
  case one, channel, row, column
}

/// Numbers that flow, and the order of the axes in which the program has them.
struct FlowingPicture {
  var term: DecomposedNorm.Picture
  var axes: [PictureAxis]

  /// As pictures flow in our graphs.
  static let usualAxes: [PictureAxis] = [.one, .channel, .row, .column]
}

/// One number a channel, computed from a picture.
struct FlowingStatistic {
  var term: DecomposedNorm.Statistic
  /// Each is `.one` or `.channel`.
  var axes: [PictureAxis]
  var channels: Int
}

/// What a name of the program stands for while the graph is built.
enum ProgramTerm {
  case picture(FlowingPicture)
  case statistic(FlowingStatistic)
  /// Known, and read.
  case known(KnownValue)
  /// Known, and read when it is used.
  case constant(Program.Value)
  /// Numbers computed from the picture's extents: a list for each probed size.
  case extents([[Double]])
}
