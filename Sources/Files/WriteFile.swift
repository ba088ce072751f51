public import Diagnostics
import Glibc

/// Replaces a file as a whole: the bytes go to a new file beside it, are synced to disk, and are renamed over
/// the target only then, so that whatever stood there before survives every failure.
///
/// An existing target's permissions are kept; a new file gets what the umask allows. A symbolic link is
/// followed, so that it goes on pointing at what it pointed at.
/// - Throws: `.cannotCreate` when the file cannot be created beside the target, `.cannotWrite` when writing or
///   renaming fails (a full disk, for example).
public func replaceFile(_ path: String, with bytes: some Sequence<UInt8>) throws(StyleModelError) {
  var status = stat()
  let exists = stat(path, &status) == 0
  if exists, status.st_mode & S_IFMT == S_IFDIR {
    throw StyleModelError(.cannotCreate, file: path, "is a folder", remedy: "name a file inside it")
  }
  if exists, status.st_mode & S_IFMT != S_IFREG {
    throw StyleModelError(
      .cannotCreate, file: path, "exists and is not a regular file", remedy: "name another output")
  }
  let target = exists ? resolved(path) : path
  var template = Array((folder(of: target) + "/.stylemodel-XXXXXX").utf8CString)
  let descriptor = mkstemp(&template)
  guard descriptor >= 0 else {
    throw StyleModelError(
      .cannotCreate, file: path, "cannot be created (\(systemErrorText(errno)))",
      remedy: "check that the folder exists and can be written to")
  }
  _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  let temporary = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  let mask = umask(0)
  umask(mask)
  let failure = withUnfinishedFile(temporary) { () -> StyleModelError? in
    let problem = write(Array(bytes), to: descriptor, mode: exists ? status.st_mode & 0o7777 : 0o666 & ~mask)
    close(descriptor)
    if let problem {
      unlink(temporary)
      return StyleModelError(
        .cannotWrite, file: path, "cannot be written (\(problem))",
        remedy: "nothing was changed; check the disk")
    }
    guard rename(temporary, target) == 0 else {
      let text = systemErrorText(errno)
      unlink(temporary)
      return StyleModelError(
        .cannotWrite, file: path, "cannot be replaced (\(text))", remedy: "nothing was changed")
    }
    return nil
  }
  if let failure { throw failure }
}

private func write(_ bytes: [UInt8], to descriptor: Int32, mode: mode_t) -> String? {
  let failure = writeAll(bytes, to: descriptor)
  if failure != 0 { return systemErrorText(failure) }
  guard fchmod(descriptor, mode) == 0, fsync(descriptor) == 0 else { return systemErrorText(errno) }
  return nil
}

/// A path with its symbolic links followed.
func resolved(_ path: String) -> String {
  guard let real = realpath(path, nil) else { return path }
  defer { free(real) }
  return String(cString: real)
}

/// The folder that a path lies in.
func folder(of path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}
