public import Diagnostics
import Glibc

/// Reads a whole regular file into memory.
///
/// The bytes are copied rather than mapped: a file that another process truncates later must not end this one.
/// - Parameter path: the file, as the user named it; used in errors as it is.
/// - Throws: `.cannotOpen` when it is missing, a folder, a device or unreadable.
public func readFile(_ path: String) throws(StyleModelError) -> [UInt8] {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard descriptor >= 0 else { throw cannotOpen(path, errno) }
  defer { close(descriptor) }
  var status = stat()
  guard fstat(descriptor, &status) == 0 else { throw cannotOpen(path, errno) }
  switch status.st_mode & S_IFMT {
  case S_IFREG: break
  case S_IFDIR:
    throw StyleModelError(.cannotOpen, file: path, "is a folder, not a file", remedy: "name a file in it")
  default:
    throw StyleModelError(.cannotOpen, file: path, "is not a regular file", remedy: "save it to a file first")
  }
  let size = Int(status.st_size)
  var failure: Int32 = 0
  let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
    while count < size {
      let got = read(descriptor, buffer.baseAddress?.advanced(by: count), size - count)
      if got < 0, errno == EINTR { continue }
      if got < 0 { failure = errno }
      if got <= 0 { break }
      count += got
    }
  }
  guard failure == 0 else { throw cannotOpen(path, failure) }
  return bytes
}

/// The text of a system error number: `No such file or directory`.
public func systemErrorText(_ number: Int32) -> String {
  String(cString: strerror(number))
}

private func cannotOpen(_ path: String, _ number: Int32) -> StyleModelError {
  StyleModelError(
    .cannotOpen, file: path, "cannot be opened (\(systemErrorText(number)))",
    remedy: [EACCES, EPERM].contains(number) ? "check its permissions" : "check the name")
}
