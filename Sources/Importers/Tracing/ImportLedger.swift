package import Diagnostics

/// What an importer keeps count of while it reads a network.
package struct ImportLedger {
  /// What the user should know, one sentence each.
  package private(set) var notes: [String] = []
  /// How many numbers may still be computed while the file is read: a short file can ask for endless work.
  private var budget = 1 << 26

  package init() {}

  /// Remembers something that the user should know, once.
  package mutating func note(_ text: String) { if !notes.contains(text) { notes.append(text) } }

  /// Counts numbers that are computed while the file is read.
  /// - Throws: `.badInput` when they are more than any sound file asks for.
  package mutating func spend(_ count: Int) throws(StyleModelError) {
    guard count <= budget else {
      throw StyleModelError(.badInput, "has more computed while it is read than any sound file does")
    }
    budget -= count
  }
}
