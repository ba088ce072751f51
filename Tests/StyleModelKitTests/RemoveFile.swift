import Glibc

/// Removes a file that a test made.
func removeFile(_ path: String) { unlink(path) }
