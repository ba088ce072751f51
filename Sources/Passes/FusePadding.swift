import Diagnostics
import ModelGraph

/// Lets convolutions read over the edges by themselves where a padding stands before them.
///
/// Given:
///
///     %a = pad(%x, amounts: [1, 2, 3, 4], mode: reflect)
///     %b = conv(%a, weight: @"w")
///     %c = conv(%a, weight: @"v", stride: [2, 2])
///
/// Result:
///
///     %b = conv(%x, weight: @"w", padding: [1, 2, 3, 4], padding_mode: reflect)
///     %c = conv(%x, weight: @"v", stride: [2, 2], padding: [1, 2, 3, 4], padding_mode: reflect)
///
/// A convolution with padding of its own takes more of it where both are zeros or both repeat the edge: the
/// amounts add. A reflection of a reflection is another picture than one larger reflection, so those stay, as do
/// mixtures, and so do paddings before a convolution whose own follows the picture's size.
struct FusePadding: GraphPass {
  static let name = "fuse-padding"

  func apply(_ graph: inout Graph) throws(StyleModelError) -> [PassNote] {
    let users = graph.users()
    var notes: [PassNote] = []
    var replacements = Replacements()
    for node in graph.nodes {
      guard case .pad(let pad) = node.operation else { continue }
      let places = users[node.result] ?? []
      var fused: [(place: Int, convolution: Convolution)] = []
      var obstacle: PassNote.Obstacle? = node.result == graph.output ? .output : nil
      for place in places where obstacle == nil {
        switch fusion(of: pad, node.result, into: graph.nodes[place].operation) {
        case .success(let convolution): fused.append((place, convolution))
        case .failure(let found): obstacle = found
        }
      }
      if let obstacle {
        notes.append(.leftAlone(graph.label(of: node), obstacle))
        continue
      }
      for (place, convolution) in fused {
        graph.nodes[place].operation = .convolution(convolution)
        notes.append(.fused(graph.label(of: graph.nodes[place]), pad.mode))
      }
      replacements.replace(node.result, with: pad.input)
    }
    replacements.apply(to: &graph)
    return notes
  }

  private func fusion(
    of pad: Pad, _ padded: ValueID, into operation: Operation
  ) -> Result<Convolution, PassNote.Obstacle> {
    guard case .convolution(var convolution) = operation,
      operation.operands.filter({ $0 == padded }) == [convolution.input]
    else { return .failure(.user(operation.mnemonic)) }
    guard convolution.same == nil else { return .failure(.bySize) }
    if convolution.padding == .zero {
      convolution.padding = pad.amounts
      convolution.paddingMode = pad.mode
    } else if convolution.paddingMode == pad.mode, pad.mode != .reflect {
      convolution.padding.top += pad.amounts.top
      convolution.padding.left += pad.amounts.left
      convolution.padding.bottom += pad.amounts.bottom
      convolution.padding.right += pad.amounts.right
    } else {
      return .failure(.mixture(pad.mode, convolution.paddingMode))
    }
    // Files bound the amounts; a sum that could be written but not read again is not made.
    var reader = OperationCallReader(convolution.call)
    guard (try? Operation(&reader)) != nil else { return .failure(.tooMuch) }
    return .success(convolution)
  }
}

extension PassNote {
  /// Why a padding stays.
  fileprivate enum Obstacle: Error {
    case output
    case user(String)
    case mixture(PaddingMode, PaddingMode)
    case tooMuch
    case bySize
  }

  fileprivate static func fused(_ subject: String, _ mode: PaddingMode) -> PassNote {
    PassNote(
      pass: FusePadding.name, .done, subject: subject,
      "\(mode.rawValue) padding fused: the convolution reads over the edges by itself")
  }

  fileprivate static func leftAlone(_ subject: String, _ obstacle: Obstacle) -> PassNote {
    let reason =
      switch obstacle {
      case .output: "it is the network's output"
      case .user(let mnemonic): "\(mnemonic) uses it, which cannot pad"
      case .mixture(let outer, let own):
        "the convolution's own \(own.rawValue) padding and this \(outer.rawValue) one do not make one"
      case .bySize: "the convolution's own padding follows the picture's size"
      case .tooMuch: "together with the convolution's own it is more than a convolution may have"
      }
    return PassNote(pass: FusePadding.name, .leftAlone, subject: subject, "padding stays: \(reason)")
  }
}
