import Diagnostics
import Tensors

/// The objects of an HDF5 file, as the reader executable gave them: bounded, but not to be trusted.
struct HDF5File: Sendable {
  /// The value of an attribute.
  enum Attribute: Sendable {
    case strings([String])
    case integers([Int])
    case numbers([Double])
    /// Something else, and what.
    case unknown(String)
  }

  /// What an object is.
  enum Content: Sendable {
    case group
    case dataset(StoredTensor)
    /// It was not read, and why.
    case passedOver(String)
  }

  /// A group or a dataset.
  struct Object: Sendable {
    /// Where it is: `/model_weights/conv2d_1`; the root is `/`.
    var path: String
    /// What it is.
    var content: Content
    /// Its attributes, in the file's order.
    var attributes: [(name: String, value: Attribute)] = []

    /// The strings of an attribute; nil where there is no such attribute. Without elements HDF5 keeps no type, so no
    /// numbers are no strings too.
    func strings(_ name: String) -> [String]? {
      switch attributes.first(where: { $0.name == name })?.value {
      case .strings(let strings)?: strings
      case .integers(let values)? where values.isEmpty: []
      case .numbers(let values)? where values.isEmpty: []
      default: nil
      }
    }
  }

  /// The objects, each once, a group before what is in it.
  let objects: [Object]
  private let indices: [String: Int]

  /// - Throws: `.badInput` where two objects have one path.
  init(_ objects: [Object]) throws(StyleModelError) {
    self.objects = objects
    var indices: [String: Int] = [:]
    for (index, object) in objects.enumerated() {
      guard indices.updateValue(index, forKey: object.path) == nil else {
        throw StyleModelError(.badInput, place: object.path, "stands in the file twice")
      }
    }
    self.indices = indices
  }

  /// The object at a path, or nil.
  subscript(path: String) -> Object? { indices[path].map { objects[$0] } }

  /// The dataset at a path, or nil.
  func dataset(_ path: String) -> StoredTensor? {
    guard case .dataset(let tensor)? = self[path]?.content else { return nil }
    return tensor
  }

  /// The datasets, in the file's order.
  var datasets: [(path: String, tensor: StoredTensor)] {
    objects.compactMap { object in
      guard case .dataset(let tensor) = object.content else { return nil }
      return (object.path, tensor)
    }
  }

  /// What the user should know of objects that were not read, one sentence each.
  var notes: [String] {
    let passedOver = objects.compactMap { object in
      if case .passedOver(let reason) = object.content { (object.path, reason) } else { nil }
    }
    guard let (path, reason) = passedOver.first else { return [] }
    return [
      "\(counted(passedOver.count, "object")) passed over: '\(path)' (\(reason))\(passedOver.count > 1 ? ", …" : "")"
    ]
  }
}
