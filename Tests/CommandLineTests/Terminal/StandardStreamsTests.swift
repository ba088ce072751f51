import Glibc
import Testing

@testable import CommandLine

@Suite struct StandardStreamsTests {
  /// Otherwise the next file to be opened becomes standard output, and results end up in it.
  @Test func aClosedStreamIsNotTakenByTheNextFile() async {
    await #expect(processExitsWith: .exitCode(7)) {
      // A thread of the testing library may open a file of its own in between, and have what was closed.
      for _ in 0..<20 {
        close(STDIN_FILENO)
        close(STDOUT_FILENO)
        reserveStandardStreams()
        let file = open("/dev/null", O_WRONLY)
        let refused = write(STDOUT_FILENO, "x", 1) == -1 && errno == EBADF
        if file > STDERR_FILENO, refused { exit(7) }
        close(file)
        usleep(50_000)
      }
      exit(1)
    }
  }
}
