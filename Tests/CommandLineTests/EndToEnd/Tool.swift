import Glibc
import TestSupport
import Testing

/// The built `stylemodel`, run as a process of its own.
struct Tool {
  /// The folder that it runs in.
  var folder: String
  /// Its whole environment.
  var environment: [String: String] = [:]

  /// The program, which the build puts beside the tests'.
  static let path: String = {
    let own = realpath("/proc/self/exe", nil)
    defer { free(own) }
    let parts = String(cString: own ?? strdup("")).split(separator: "/", omittingEmptySubsequences: false)
    return parts.dropLast().joined(separator: "/") + "/stylemodel"
  }()

  /// Where the standard output of a run goes.
  enum Output {
    case captured
    case closed
    case descriptor(Int32)
  }

  /// Runs it to its end.
  /// - Parameter diagnostics: where its standard error goes; nil is where it can be captured.
  /// - Returns: its exit status and what it wrote; the status is 128 and the signal's number where it was killed.
  func run(_ arguments: String..., output: Output = .captured, diagnostics: Int32? = nil) throws -> Captured {
    try run(arguments, output: output, diagnostics: diagnostics)
  }

  /// The same with the words in a list.
  func run(_ arguments: [String], output: Output = .captured, diagnostics: Int32? = nil) throws -> Captured {
    let out = try Scratch()
    let err = try Scratch()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    switch output {
    case .captured: posix_spawn_file_actions_adddup2(&actions, out.descriptor, STDOUT_FILENO)
    case .closed: posix_spawn_file_actions_addclose(&actions, STDOUT_FILENO)
    case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, STDOUT_FILENO)
    }
    posix_spawn_file_actions_adddup2(&actions, diagnostics ?? err.descriptor, STDERR_FILENO)
    // The shell changes the folder, which no call that Swift sees can do, and then becomes the tool.
    let shell = ["sh", "-c", "cd \"$0\" && exec \"$@\"", folder, Self.path]
    var words = (shell + arguments).map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var process: pid_t = 0
    let failure = posix_spawn(&process, "/bin/sh", &actions, nil, &words, &variables)
    try #require(failure == 0 && access(Self.path, X_OK) == 0, "cannot run \(Self.path)")
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return Captured(
      status: signal == 0 ? status >> 8 & 0xFF : 128 + signal, output: out.text(), diagnostics: err.text())
  }
}

extension TemporaryFolder {
  /// The tool, run in this folder.
  var tool: Tool { Tool(folder: path) }

  /// The mosaic network in this folder, in 8 bits, with its source.
  func convertedMosaic() throws {
    try copy(fixture: "mosaic_small_3000.pth")
    let made = try tool.run("convert", "mosaic_small_3000.pth", "-o", "m.stylemodel")
    try #require(made.status == 0, "\(made.diagnostics)")
  }
}
