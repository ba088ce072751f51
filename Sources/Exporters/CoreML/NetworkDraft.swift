import ProtobufSupport

/// The versions of Core ML's specification that matter here, by the system that reads them first.
enum SpecificationVersion: Int, Comparable {
  /// Layers of floats, one size.
  case iOS11 = 1
  /// Weights in half precision.
  case iOS11_2 = 2
  /// Quantized weights, and several sizes.
  case iOS12 = 3
  /// Among others, a layer that clips.
  case iOS13 = 4
  /// Bilinear enlargement about pixel centres.
  case iOS14 = 5

  static func < (first: Self, second: Self) -> Bool { first.rawValue < second.rawValue }
}

/// The layers of a network, each as the bytes of its message, and what reading them takes.
struct NetworkDraft {
  /// The messages `NeuralNetworkLayer`, in their order.
  private(set) var layers: [[UInt8]] = []
  /// The lowest version that knows everything so far.
  private(set) var version = SpecificationVersion.iOS11
  private var names: Set<String>
  private var blobs: Set<String>

  /// - Parameter blobs: the names of inputs and outputs, which no blob between them may have.
  init(reserving blobs: [String]) {
    names = []
    self.blobs = Set(blobs)
  }

  /// Notes that the network holds something that lower versions do not know.
  mutating func require(_ version: SpecificationVersion) { self.version = max(self.version, version) }

  /// Adds a layer.
  /// - Parameters:
  ///   - name: what it is called, made unique where it is taken.
  ///   - field: the number of the layer's kind.
  ///   - inputs: the names of the blobs it reads.
  ///   - output: the blob it writes; nil makes one named after the layer.
  ///   - parameters: writes the fields of the layer's own message.
  /// - Returns: the name of the blob that it writes.
  @discardableResult
  mutating func add(
    _ name: String, _ field: Int, _ inputs: [String], output: String? = nil,
    parameters: (inout ProtobufWriter) -> Void = { _ in }
  ) -> String {
    let layerName = Self.free(name, in: &names)
    let result = output ?? Self.free(layerName, in: &blobs)
    var writer = ProtobufWriter()
    writer.text(1, layerName)
    for input in inputs { writer.text(2, input) }
    writer.text(3, result)
    writer.message(field, parameters)
    layers.append(writer.bytes)
    return result
  }

  /// `name`, or that with the first number that makes it unique.
  private static func free(_ name: String, in taken: inout Set<String>) -> String {
    var result = name
    var number = 2
    while !taken.insert(result).inserted {
      result = "\(name)_\(number)"
      number += 1
    }
    return result
  }
}
