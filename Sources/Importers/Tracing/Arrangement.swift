/// How a tensor of the file shows the numbers of a picture `[C, H, W]`: each axis walks over it with one or several
/// strides, the outermost first. Reshaping, transposing and repeating change this and move nothing.
///
/// It tells what a chain of reshapes does, however it is spelt: repeated rows and columns are a nearest-neighbour
/// enlargement, interleaved channels are a pixel shuffle.
package struct Arrangement: Hashable {
  /// `extent` steps of `stride` elements; a stride of 0 repeats.
  package struct Run: Hashable {
    package let extent: Int
    package let stride: Int

    package init(extent: Int, stride: Int) {
      self.extent = extent
      self.stride = stride
    }
  }

  /// The runs of each axis, without runs of one step and with neighbours merged that walk on.
  package let axes: [[Run]]

  package init(axes: [[Run]]) { self.axes = axes.map(Arrangement.merged) }

  /// `[1, C, H, W]`, as pictures flow in the graph; with more ones in front, or none.
  package init(picture: Picture, rank: Int = 4) {
    self.init(
      axes: [[Run]](repeating: [], count: max(0, rank - 3)) + [
        [picture.channel], [picture.row], [picture.column],
      ])
  }

  /// The picture that is shown.
  package struct Picture: Hashable {
    package let channels: Int
    package let height: Int
    package let width: Int

    package init(channels: Int, height: Int, width: Int) {
      self.channels = channels
      self.height = height
      self.width = width
    }

    package var channel: Run { Run(extent: channels, stride: height * width) }
    package var row: Run { Run(extent: height, stride: width) }
    package var column: Run { Run(extent: width, stride: 1) }
  }

  /// The extents.
  package var shape: [Int] { axes.map { $0.reduce(1) { $0 * $1.extent } } }

  /// How many elements are shown, or nil if no `Int` holds it.
  package var count: Int? {
    axes.joined().reduce(1) { count, run in
      count.flatMap {
        let (product, overflow) = $0.multipliedReportingOverflow(by: run.extent)
        return overflow ? nil : product
      }
    }
  }

  private static func merged(_ runs: [Run]) -> [Run] {
    var result: [Run] = []
    for run in runs where run.extent != 1 {
      if let last = result.last, last.stride == run.extent * run.stride, run.stride != 0 || last.stride == 0 {
        result[result.count - 1] = Run(extent: last.extent * run.extent, stride: run.stride)
      } else {
        result.append(run)
      }
    }
    return result
  }

  /// In another shape of as many elements, or nil if an axis would begin within a run that does not divide.
  package func reshaped(_ shape: [Int]) -> Arrangement? {
    var left = Arrangement.merged(axes.flatMap { $0 })
    var result: [[Run]] = []
    for extent in shape.reversed() {
      var runs: [Run] = []
      var open = extent
      while open > 1 {
        guard let run = left.popLast() else { return nil }
        if open % run.extent == 0 {
          runs.append(run)
          open /= run.extent
        } else if run.extent % open == 0 {
          runs.append(Run(extent: open, stride: run.stride))
          left.append(Run(extent: run.extent / open, stride: run.stride * open))
          open = 1
        } else {
          return nil
        }
      }
      result.append(runs.reversed())
    }
    return left.isEmpty && !shape.contains(0) ? Arrangement(axes: result.reversed()) : nil
  }

  /// With its axes in another order.
  package func transposed(_ order: [Int]) -> Arrangement? {
    order.sorted() == Array(axes.indices) ? Arrangement(axes: order.map { axes[$0] }) : nil
  }

  /// With an axis repeated as a whole.
  package func repeated(_ times: Int, axis: Int) -> Arrangement {
    var copy = axes
    copy[axis].insert(Run(extent: times, stride: 0), at: 0)
    return Arrangement(axes: copy)
  }

  /// Broadcast to a shape, as NumPy does it.
  package func expanded(to wanted: [Int]) -> Arrangement? {
    guard let shape = broadcastShape(self.shape, wanted) else { return nil }
    var result = [[Run]](repeating: [], count: shape.count - axes.count) + axes
    for (axis, extent) in shape.enumerated() where result[axis].isEmpty && extent != 1 {
      result[axis] = [Run(extent: extent, stride: 0)]
    }
    return Arrangement(axes: result)
  }
}

extension Arrangement {
  /// Whether this is `[1, C, H, W]`; of another rank, with as many ones in front.
  package func isPicture(_ picture: Picture, ranks: ClosedRange<Int> = 4...4) -> Bool {
    ranks.contains(axes.count) && self == Arrangement(picture: picture, rank: axes.count)
  }

  /// The axis that walks over all channels and over nothing else; nil if there is none. A single channel is walked over
  /// by every axis of one, and the usual axis is taken.
  package func channelAxis(_ picture: Picture) -> Int? {
    let channels = Arrangement.merged([picture.channel])
    return axes.count > 1 && axes[1] == channels ? 1 : axes.firstIndex(of: channels)
  }

  /// Whether some axes together walk over each channel's pixels once, and the others over the channels only.
  package func areSpace(_ chosen: [Int], _ picture: Picture) -> Bool {
    let others = axes.indices.filter { !chosen.contains($0) }.flatMap { axes[$0] }
    guard Arrangement.merged(others) == Arrangement.merged([picture.channel]) else { return false }
    let pixels = chosen.reduce(1) { $0 * axes[$1].reduce(1) { $0 * $1.extent } }
    let strides = chosen.flatMap { axes[$0] }.map(\.stride)
    return pixels == picture.height * picture.width && !strides.contains(0)
  }

  /// The factors of a nearest-neighbour enlargement, if `[1, C, fH, gW]` shows one.
  package func enlargement(_ picture: Picture) -> (vertical: Int, horizontal: Int)? {
    guard axes.count == 4, axes[0].isEmpty, axes[1] == Arrangement.merged([picture.channel]),
      shape[2] % picture.height == 0, shape[3] % picture.width == 0
    else { return nil }
    let factors = (shape[2] / picture.height, shape[3] / picture.width)
    let rows = Arrangement.merged([picture.row, Run(extent: factors.0, stride: 0)])
    let columns = Arrangement.merged([picture.column, Run(extent: factors.1, stride: 0)])
    return axes[2] == rows && axes[3] == columns ? factors : nil
  }

  /// The block size of a depth-to-space, if `[1, C / b², bH, bW]` shows one, and whether the block's rows and columns are
  /// the inner part of the channels (as PyTorch's pixel shuffle has it) or the outer.
  package func depthToSpace(_ picture: Picture) -> (block: Int, blockIsInner: Bool)? {
    guard axes.count == 4, axes[0].isEmpty, shape[2] % picture.height == 0 else { return nil }
    let block = shape[2] / picture.height
    guard block > 1, picture.channels % (block * block) == 0 else { return nil }
    let plane = picture.channel.stride
    let left = picture.channels / (block * block)
    for inner in [true, false] {
      let unit = inner ? plane : plane * left
      let expected: [[Run]] = [
        [], [Run(extent: left, stride: inner ? plane * block * block : plane)],
        [picture.row, Run(extent: block, stride: unit * block)],
        [picture.column, Run(extent: block, stride: unit)],
      ]
      if self == Arrangement(axes: expected) { return (block, inner) }
    }
    return nil
  }
}
