import Diagnostics

extension Recipe {
  /// The families that are known without being told, in the order in which they are tried.
  public static let builtIn: [Recipe] = {
    let texts = [
      eriklindernorenText, pytorchExamplesText, ternerssText, rrminaText, mmalotinText, titu1994Text,
    ]
    do throws(StyleModelError) {
      return try parse(texts.joined(separator: "\n"))
    } catch {
      preconditionFailure("a built-in recipe cannot be read: \(error.message)")
    }
  }()
}
