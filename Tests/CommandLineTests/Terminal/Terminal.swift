import Glibc
import Testing

@testable import CommandLine

/// A pseudo-terminal: what is written to `descriptor` can be seen on its other end.
final class Terminal {
  let descriptor: Int32
  private let other: Int32

  init() throws {
    // posix_openpt and its company are hidden from Swift, so this asks Linux itself.
    other = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK)
    try #require(other >= 0)
    var lock: Int32 = 0
    var number: Int32 = 0
    try #require(ioctl(other, unlockPseudoTerminal, &lock) == 0)
    try #require(ioctl(other, numberOfPseudoTerminal, &number) == 0)
    descriptor = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    try #require(descriptor >= 0)
  }

  deinit {
    close(descriptor)
    close(other)
  }

  /// What has been written since the last call.
  func seen() -> String { drain(other) }
}

// TIOCSPTLCK and TIOCGPTN of <asm-generic/ioctls.h>, which are macros with arguments.
private let unlockPseudoTerminal: UInt = 0x4004_5431
private let numberOfPseudoTerminal: UInt = 0x8004_5430
