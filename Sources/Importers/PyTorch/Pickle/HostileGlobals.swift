/// The globals that no checkpoint has a use for, and that malicious pickles are made of.
///
/// Nothing in a pickle is ever imported or called here, so this does not keep anyone safe who converts the file.
/// It is for the people they would pass it on to: a file that names one of these should not live on.
enum HostileGlobals {
  /// Modules of which any name is refused, together with what is below them.
  private static let modules: Set<String> = [
    "os", "posix", "nt", "posixpath", "ntpath", "subprocess", "sys", "runpy", "socket", "shutil", "pty",
    "ctypes",
    "importlib", "pdb", "bdb", "timeit", "cProfile", "pip", "webbrowser", "marshal", "pickle", "_pickle",
    "cPickle",
    "asyncio", "urllib", "urllib2", "requests",
  ]

  /// The built-in functions that run or open things. `getattr` is not among them: pickled bound methods, as some
  /// learning-rate schedulers hold, are written with it.
  private static let builtins: Set<String> = [
    "eval", "exec", "execfile", "compile", "__import__", "open", "file", "input", "raw_input", "breakpoint",
    "setattr", "delattr", "globals", "locals", "vars", "apply", "memoryview", "exit", "quit",
  ]

  /// Whether a file that names this global is to be refused.
  static func contains(_ global: PickleGlobal) -> Bool {
    let top = global.module.prefix { $0 != "." }
    if top == "builtins" || top == "__builtin__" || top == "__builtins__" {
      return builtins.contains(String(global.name.prefix { $0 != "." }))
    }
    return modules.contains(String(top))
  }
}
