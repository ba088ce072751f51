import Glibc
import Testing

@testable import CommandLine

/// What a command line gave: its exit status and both streams.
struct Captured: Equatable {
  var status: Int32
  var output: String
  var diagnostics: String
}

/// Runs `stylemodel` with some words in this process, with its streams in files.
func capture(_ arguments: [String], of root: CommandSpec = rootCommand) throws -> Captured {
  let output = try Scratch()
  let diagnostics = try Scratch()
  let console = Console(output: output.descriptor, diagnostics: diagnostics.descriptor)
  let status = run(arguments, of: root, on: console)
  return Captured(status: status, output: output.text(), diagnostics: diagnostics.text())
}

/// A file without a name that goes away with its owner.
final class Scratch {
  let descriptor: Int32

  init() throws {
    var template = Array("/tmp/stylemodel-cli-XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    try #require(descriptor >= 0)
    unlink(template)
  }

  deinit { close(descriptor) }

  /// What has been written so far.
  func text() -> String {
    lseek(descriptor, 0, SEEK_SET)
    return drain(descriptor)
  }
}

/// All that can be read from a descriptor now.
func drain(_ descriptor: Int32) -> String {
  var bytes: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 4096)
  while case let count = read(descriptor, &piece, piece.count), count > 0 { bytes += piece.prefix(count) }
  return String(decoding: bytes, as: UTF8.self)
}
