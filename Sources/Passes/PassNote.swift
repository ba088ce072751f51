import Diagnostics

/// What a pass did to one layer, or why it left it alone.
public struct PassNote: Hashable, Sendable {
  /// Whether the layer was changed.
  public enum Kind: Hashable, Sendable {
    case done, leftAlone
  }

  /// The name of the pass.
  public var pass: String
  /// Whether the layer was changed.
  public var kind: Kind
  /// The layer, by the name of its weight; by the operation and its value where it has none.
  public var subject: String
  /// What was done or why not, in lower case and without a full stop; the same words for the same case, so that
  /// notes can be grouped by them.
  public var text: String

  /// Creates a note.
  public init(pass: String, _ kind: Kind, subject: String, _ text: String) {
    self.pass = pass
    self.kind = kind
    self.subject = subject
    self.text = text
  }
}

extension PassNote {
  /// Whether it says that a norm went into the weights before it, which gives each channel a size of its own.
  public var isFoldedNorm: Bool { pass == FoldBatchNorm.name && kind == .done }
}

extension PassNote: CustomStringConvertible {
  /// The note on one line: `in1.weight: live statistics: …`.
  public var description: String { "\(printable(subject)): \(text)" }
}

extension PassNote {
  /// The notes in brief, one line for all that say the same: `15 layers: bias removed: …`; a note that stands alone
  /// keeps its layer's name.
  public static func summary(of notes: [PassNote]) -> [String] {
    struct Key: Hashable {
      var pass: String
      var kind: PassNote.Kind
      var text: String
    }
    var order: [Key] = []
    var groups: [Key: [PassNote]] = [:]
    for note in notes {
      let key = Key(pass: note.pass, kind: note.kind, text: note.text)
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(note)
    }
    return order.compactMap { key in
      guard let group = groups[key], let first = group.first else { return nil }
      return group.count == 1 ? first.description : "\(counted(group.count, "layer")): \(key.text)"
    }
  }
}
