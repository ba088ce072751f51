/// Why a command or a library call could not do what was asked.
///
/// Every error names the file, what is wrong there and what to do about it, so that one printer can word
/// all of them alike: `FILE: PLACE: PROBLEM. REMEDY.`
public struct StyleModelError: Error, Hashable, Sendable {
  /// What kind of trouble it is; decides the exit status of the command.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A quality or size gate failed, or a network's output is not finite. Exit status 1.
    case gateFailed
    /// The command line is wrong. Exit status 64.
    case usage
    /// An input is bad or not understood. Exit status 65.
    case badInput
    /// An input cannot be opened. Exit status 66.
    case cannotOpen
    /// A fault of this program. Exit status 70.
    case internalFault
    /// An output cannot be created. Exit status 73.
    case cannotCreate
    /// Writing an output failed on the way. Exit status 74.
    case cannotWrite

    /// The exit status of a process that ends with this kind of error, after `sysexits.h`.
    public var exitStatus: Int32 {
      switch self {
      case .gateFailed: 1
      case .usage: 64
      case .badInput: 65
      case .cannotOpen: 66
      case .internalFault: 70
      case .cannotCreate: 73
      case .cannotWrite: 74
      }
    }
  }

  /// What kind of trouble it is.
  public var kind: Kind
  /// The file concerned, as the user named it.
  public var file: String?
  /// Where in that file: a tensor's name, a byte offset, a line.
  public var place: String?
  /// What is wrong, in lower case and without a full stop.
  public var problem: String
  /// What the user can do, in lower case and without a full stop.
  public var remedy: String?

  /// Creates an error; `file` may be filled in later by a caller who knows it.
  public init(
    _ kind: Kind, file: String? = nil, place: String? = nil, _ problem: String, remedy: String? = nil
  ) {
    self.kind = kind
    self.file = file
    self.place = place
    self.problem = problem
    self.remedy = remedy
  }

  /// The same error with the file named, unless it names one already.
  public func inFile(_ name: String) -> StyleModelError {
    var copy = self
    if copy.file == nil { copy.file = name }
    return copy
  }

  /// The same error without the file, for where it was named already.
  public var withoutFile: StyleModelError {
    var copy = self
    copy.file = nil
    return copy
  }

  /// The whole message on one line, without a leading "Error:".
  public var message: String {
    let parts = [file, place, problem].compactMap { $0 }.map { printable($0) }
    let head = parts.joined(separator: ": ")
    guard let remedy else { return head }
    return head + "; " + printable(remedy)
  }
}

/// A text that came out of a file, made safe to print: control characters are escaped and the length bounded.
public func printable(_ text: String, limit: Int = 600) -> String {
  var result = ""
  for (index, scalar) in text.unicodeScalars.enumerated() {
    if index >= limit { return result + "…" }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse:
      result += "\\u{" + String(scalar.value, radix: 16) + "}"
    default:
      result.unicodeScalars.append(scalar)
    }
  }
  return result
}
