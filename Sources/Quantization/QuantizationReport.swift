import Diagnostics
public import Tensors

/// What the quantizer did to each tensor.
public struct QuantizationReport: Hashable, Sendable {
  /// One tensor before and after.
  public struct TensorReport: Hashable, Sendable {
    /// The tensor's name.
    public var name: String
    /// Its extents.
    public var shape: Shape
    /// How it was stored: `float32`.
    public var before: String
    /// How it is stored now: `int8 per channel (axis 0)`.
    public var after: String
    /// What its numbers, scales and offsets took, in bytes, uncompressed.
    public var bytesBefore: Int
    /// What they take now.
    public var bytesAfter: Int
    /// What is worth knowing: why it was left alone, or that it had been quantized before.
    public var note: String?

    /// Creates a report of one tensor.
    public init(
      name: String, shape: Shape, before: String, after: String, bytesBefore: Int, bytesAfter: Int,
      note: String? = nil
    ) {
      self.name = name
      self.shape = shape
      self.before = before
      self.after = after
      self.bytesBefore = bytesBefore
      self.bytesAfter = bytesAfter
      self.note = note
    }
  }

  /// The tensors, in the order in which the operations use them.
  public var tensors: [TensorReport]

  /// Creates a report.
  public init(tensors: [TensorReport]) { self.tensors = tensors }

  /// What all tensors took, in bytes, uncompressed.
  public var bytesBefore: Int { tensors.reduce(0) { $0 + $1.bytesBefore } }

  /// What all tensors take now.
  public var bytesAfter: Int { tensors.reduce(0) { $0 + $1.bytesAfter } }

  /// The notes in brief: one line for all tensors of which the same is to be said, with a tensor's name where it is
  /// the only one.
  public var summary: [String] {
    var order: [String] = []
    var names: [String: [String]] = [:]
    for tensor in tensors {
      guard let note = tensor.note else { continue }
      if names[note] == nil { order.append(note) }
      names[note, default: []].append(tensor.name)
    }
    return order.map { note in
      guard let tensors = names[note], tensors.count > 1 else {
        return "\(names[note]?.first ?? ""): \(note)"
      }
      return "\(counted(tensors.count, "tensor")): \(note)"
    }
  }

  /// The notes, each with the name of its tensor before it.
  public var notes: [String] { tensors.compactMap { tensor in tensor.note.map { "\(tensor.name): \($0)" } } }
}
