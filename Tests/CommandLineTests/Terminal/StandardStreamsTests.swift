import Glibc
import Testing

@testable import CommandLine

@Suite struct StandardStreamsTests {
  /// Otherwise the next file to be opened becomes standard output, and results end up in it.
  @Test func aClosedStreamIsNotTakenByTheNextFile() async {
    await #expect(processExitsWith: .exitCode(7)) {
      close(STDIN_FILENO)
      close(STDOUT_FILENO)
      reserveStandardStreams()
      let file = open("/dev/null", O_WRONLY)
      let refused = write(STDOUT_FILENO, "x", 1) == -1 && errno == EBADF
      exit(file > STDERR_FILENO && refused ? 7 : 1)
    }
  }
}
