import Glibc

/// Makes sure that descriptors 0, 1 and 2 are taken: if the caller closed one, the next file to be opened would get
/// its number, and results would be written into a model. The stand-in fails every use, as a closed one would.
func reserveStandardStreams() {
  for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
  where fcntl(descriptor, F_GETFD) == -1 {
    // Lower numbers are taken by now, so that open gives exactly this one.
    _ = open("/dev/null", mode)
  }
}

/// Writes all of `bytes`, whatever the pieces that the system takes them in.
/// - Returns: 0, or the system's error number.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
  bytes.withUnsafeBytes { buffer in
    var done = 0
    while done < buffer.count {
      let wrote = write(descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done)
      if wrote < 0, errno == EINTR { continue }
      if wrote < 0 { return errno }
      done += wrote
    }
    return 0
  }
}
