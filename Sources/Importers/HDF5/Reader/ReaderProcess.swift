import CReaderProcess
import Diagnostics
import Glibc

/// A child process whose output is read within bounds, and which does not outlive them.
struct ReaderProcess {
  /// How it ended.
  enum Ending: Equatable {
    case exited(Int32)
    case signalled(Int32)
    /// It was stopped when its time was up.
    case tooSlow
    /// It was stopped when it had written too much.
    case tooMuch
  }

  private let identifier: pid_t
  private let output: Int32

  /// Starts a program that finds `input` at its standard input; nothing else of this process reaches it.
  /// - Throws: `.cannotOpen` when it cannot be started.
  init(_ path: String, arguments: [String], input: Int32) throws(StyleModelError) {
    var list: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
    list.append(nil)
    defer { list.forEach { free($0) } }
    var identifier: pid_t = 0
    var output: Int32 = -1
    let failure = reader_start(path, list, input, &identifier, &output)
    guard failure == 0 else {
      throw StyleModelError(
        .cannotOpen, file: path, "cannot be run (\(String(cString: strerror(failure))))",
        remedy: HDF5Reader.remedyForMissingReaders)
    }
    self.identifier = identifier
    self.output = output
  }

  /// Reads everything that the program writes and waits for its end. Call it once.
  func run(_ limits: HDF5Reader.Limits) -> (output: [UInt8], ending: Ending) {
    defer { close(output) }
    let deadline = Self.now + limits.wallSeconds
    // Names, shapes and lengths come on top of the content.
    let mostBytes = limits.contentBytes + 64 << 20
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let left = deadline - Self.now
      var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      let ready = left <= 0 ? 0 : poll(&waiting, 1, Int32(min(left * 1000, 1e6).rounded(.up)))
      if ready < 0, errno == EINTR { continue }
      if ready == 0 { return (bytes, stopped(.tooSlow)) }
      let count = read(output, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return (bytes, ended(by: deadline)) }
      bytes += buffer[..<count]
      if bytes.count > mostBytes { return (bytes, stopped(.tooMuch)) }
    }
  }

  /// A program may close its output and go on.
  private func ended(by deadline: Double) -> Ending {
    while true {
      if let ending = wait(WNOHANG) { return ending }
      if Self.now > deadline { return stopped(.tooSlow) }
      usleep(1000)
    }
  }

  private func stopped(_ ending: Ending) -> Ending {
    kill(identifier, SIGKILL)
    _ = wait(0)
    return ending
  }

  private func wait(_ options: Int32) -> Ending? {
    var status: Int32 = 0
    while true {
      let found = waitpid(identifier, &status, options)
      if found < 0, errno == EINTR { continue }
      if found == 0 { return nil }
      // Somebody else may have waited for every child; what was written tells enough.
      if found < 0 { return .exited(0) }
      return status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signalled(status & 0x7F)
    }
  }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
