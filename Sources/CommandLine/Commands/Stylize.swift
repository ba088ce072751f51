import Diagnostics
import Files
import Glibc
import Imaging
import Runtime
import StyleModelKit

/// The body of `stylemodel stylize`.
@Sendable func runStylize(_ arguments: ParsedArguments, _ console: Console) throws(StyleModelError) -> Int32 {
  let images = arguments.all(StylizeOptions.images)
  let outputs = try outputPaths(for: images, output: arguments[StylizeOptions.output] ?? "")
  for output in outputs.paths { try requireNotInput(output, images + [arguments.one(StylizeOptions.model)]) }
  var importOptions = ImportArguments.options(arguments)
  importOptions.style = StyleArguments.choice(arguments)
  let model = try loadModel(arguments.one(StylizeOptions.model), options: importOptions)
  let allStyles = arguments.has(StyleArguments.all) ? model.graph.styles : nil
  if let allStyles {
    for style in 0..<allStyles.count {
      for output in outputs.paths {
        try requireNotInput(named(output, by: allStyles.label(of: style)), images)
      }
    }
  } else {
    try model.requireOneStyle()
  }
  for note in model.notes { console.note(printable("\(model.path): \(note)")) }
  let progress = ProgressBar("Stylizing", on: console)
  defer { progress.finish() }
  if let folder = outputs.folder { try makeFolder(folder) }
  var status: Int32 = 0
  var failed: Set<String> = []
  var done = 0
  let variants = allStyles == nil ? [model] : try model.ofEachStyle()
  let steps = Double(images.count * variants.count)
  for (style, variant) in variants.enumerated() {
    let besides = ProcessMemory.current
    let engine = try Engine(
      model: variant, threads: arguments[GeneralOptions.threads],
      precision: PrecisionOptions.precision(arguments),
      memoryLimit: arguments[StylizeOptions.memoryLimit].map { .bytes($0, besides: besides) }
        ?? .automatic(besides: besides))
    for (image, output) in zip(images, outputs.paths) {
      progress.update(Double(done) / steps)
      do throws(StyleModelError) {
        let observer = RunObserver(
          progress: { progress.update((Double(done) + $0) / steps) },
          overflow: { console.warn(printable("\(image): \($0.text)")) })
        let notes = try engine.stylize(
          image, to: allStyles.map { named(output, by: $0.label(of: style)) } ?? output,
          fit: arguments[EvaluationArguments.fit] ?? .resize,
          background: arguments[StylizeOptions.background] ?? .white, observer: observer)
        if style == 0 { for note in notes { console.note(printable("\(image): \(note)")) } }
      } catch {
        console.fail(error.inFile(image))
        status = max(status, error.kind.exitStatus)
        failed.insert(image)
      }
      done += 1
    }
  }
  progress.finish()
  if !failed.isEmpty, images.count > 1 {
    let others = failed.count == images.count ? "" : "; the others are done"
    console.note("\(grouped(failed.count)) of \(counted(images.count, "picture")) failed\(others).")
  }
  return status
}

/// Where each picture's result goes, and the folder that it goes to where it is one.
private typealias Outputs = (folder: String?, paths: [String])

/// The output itself for one picture; files in that folder for several, or where the output is a folder already.
private func outputPaths(for images: [String], output: String) throws(StyleModelError) -> Outputs {
  var status = stat()
  let exists = stat(output, &status) == 0
  let isFolder = exists && status.st_mode & S_IFMT == S_IFDIR
  if images.count == 1, !isFolder, !output.hasSuffix("/") {
    _ = try PictureFormat(path: output)
    return (nil, [output])
  }
  guard isFolder || !exists else {
    throw StyleModelError(
      .usage, file: output, "is a file, but \(counted(images.count, "picture")) want a folder",
      remedy: "name a folder with -o")
  }
  let folder = output.hasSuffix("/") ? output : output + "/"
  var taken: [String: String] = [:]
  let paths = try images.map { image throws(StyleModelError) in
    let name = image.split(separator: "/").last.map(String.init) ?? image
    let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    if let other = taken.updateValue(image, forKey: stem) {
      throw StyleModelError(
        .usage, "'\(other)' and '\(image)' would both become '\(folder)\(stem).png'",
        remedy: "do them one by one")
    }
    return folder + stem + ".png"
  }
  return (output, paths)
}

/// An output's name with a style's before its extension: `out.style0.png`.
private func named(_ output: String, by label: String) -> String {
  guard let dot = output.lastIndex(of: ".") else { return "\(output).\(label)" }
  return "\(output[..<dot]).\(label)\(output[dot...])"
}

/// Makes the folder that results go to, where it is not there yet.
private func makeFolder(_ path: String) throws(StyleModelError) {
  guard mkdir(path, 0o777) != 0, errno != EEXIST else { return }
  throw StyleModelError(
    .cannotCreate, file: path, "cannot be created as a folder (\(systemErrorText(errno)))",
    remedy: "name a folder in one that exists and can be written to")
}
