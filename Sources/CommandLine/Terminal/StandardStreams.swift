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
