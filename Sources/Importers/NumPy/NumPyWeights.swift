import Archives
public import Diagnostics
public import Recipes
import Tensors

/// Reads the arrays of a `.npz` archive; each is named as its member, without `.npy`.
/// - Parameter bytes: the whole file.
/// - Throws: `.badInput` where the zip is damaged, or a member is no array of numbers.
public func readNumPyArchive(_ bytes: [UInt8]) throws(StyleModelError) -> StateDict {
  let archive = try ZipArchive(bytes)
  var dict = StateDict(entries: [], container: "NumPy .npz archive")
  var names: Set<String> = []
  // The CRC-32 of a member is checked as it is read, before anything is made of it.
  for entry in archive.entries { try dict.add(entry.name, try archive.read(entry), &names) }
  if archive.entries.allSatisfy({ $0.method == .stored }) {
    dict.storageByteCount = dict.entries.reduce(0) { $0 + $1.tensor.bytes.count }
  }
  dict.noteDoubles()
  return dict
}

/// Puts together the arrays of a folder of `.npy` files; each is named as its file, without `.npy`.
/// - Parameter files: the files' names and their bytes, in the order that the tensors are to have.
/// - Throws: `.badInput` where a file is no array of numbers.
public func readNumPyFiles(_ files: [(name: String, bytes: [UInt8])]) throws(StyleModelError) -> StateDict {
  var dict = StateDict(entries: [], container: "folder of NumPy .npy arrays")
  var names: Set<String> = []
  for file in files { try dict.add(file.name, file.bytes[...], &names) }
  dict.storageByteCount = dict.entries.reduce(0) { $0 + $1.tensor.bytes.count }
  dict.noteDoubles()
  return dict
}

extension StateDict {
  fileprivate mutating func add(
    _ fileName: String, _ bytes: ArraySlice<UInt8>, _ names: inout Set<String>
  ) throws(StyleModelError) {
    let name = fileName.hasSuffix(".npy") ? String(fileName.dropLast(4)) : fileName
    let place = printable(fileName, limit: 120)
    guard names.insert(name).inserted else {
      throw StyleModelError(
        .badInput, place: place, "is there twice, with .npy and without", remedy: "leave one out")
    }
    do throws(StyleModelError) { entries.append(Entry(name: name, tensor: try decodeArray(bytes))) } catch {
      throw StyleModelError(
        .badInput, place: error.place.map { "\(place), \($0)" } ?? place, error.problem, remedy: error.remedy)
    }
  }

  fileprivate mutating func noteDoubles() {
    let doubles = entries.count { $0.tensor.encoding == .plain(.float64) }
    if doubles > 0 { notes.append("\(counted(doubles, "tensor")) of doubles will be rounded to floats") }
  }
}
