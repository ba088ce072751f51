import Diagnostics
import Glibc
import Imaging
import Runtime
import StyleModelKit

/// The body of `stylemodel stylize`.
@Sendable func runStylize(_ arguments: ParsedArguments, _ console: Console) throws(StyleModelError) -> Int32 {
  let images = arguments.all(StylizeOptions.images)
  let outputs = try outputPaths(for: images, output: arguments[StylizeOptions.output] ?? "")
  let model = try loadModel(
    arguments.one(StylizeOptions.model), options: ImportArguments.options(arguments))
  for note in model.notes { console.note("\(model.path): \(note)") }
  let engine = try Engine(
    model: model, threads: arguments[GeneralOptions.threads], precision: PrecisionOptions.precision(arguments)
  )
  let contract = model.graph.contract
  let progress = ProgressBar("Stylizing", on: console)
  defer { progress.finish() }
  var status: Int32 = 0
  for (index, (image, output)) in zip(images, outputs).enumerated() {
    progress.update(Double(index) / Double(images.count))
    do throws(StyleModelError) {
      let decoded = try readPicture(image, background: arguments[StylizeOptions.background] ?? .white)
      for note in decoded.notes { console.note("\(image): \(note)") }
      let fit = arguments[EvaluationArguments.fit] ?? .resize
      let observer = RunObserver(
        progress: { progress.update((Double(index) + $0) / Double(images.count)) },
        overflow: { console.warn("\(image): \($0.text)") })
      let result = try engine.run(decoded.picture, fitting: contract.sizes, by: fit, observer: observer)
      let count = result.nonFiniteCount
      guard count == 0 else {
        throw StyleModelError(
          .gateFailed, file: image,
          "becomes \(counted(count, "sample")) in \(counted(result.nonFinitePixelCount, "pixel")) that are not finite "
            + "numbers",
          remedy: engine.precision == .float32
            ? "'stylemodel inspect' says whether the weights are finite"
            : "the network needs --compute fp32 on this picture")
      }
      try writePicture(result, to: output, rounding: contract.rounding.forPictures)
    } catch {
      console.fail(error.inFile(image))
      status = max(status, error.kind.exitStatus)
    }
  }
  if status != 0, images.count > 1 { console.note("The other pictures are done.") }
  return status
}

/// Where each picture's result goes: the output itself for one picture; in that folder for several, or where the
/// output is a folder already.
private func outputPaths(for images: [String], output: String) throws(StyleModelError) -> [String] {
  var status = stat()
  let isFolder = output.hasSuffix("/") || (stat(output, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR)
  if images.count == 1, !isFolder {
    _ = try PictureFormat(path: output)
    return [output]
  }
  if stat(output, &status) != 0, mkdir(output, 0o777) != 0 {
    throw StyleModelError(
      .cannotCreate, file: output, "cannot be created as a folder (\(String(cString: strerror(errno))))",
      remedy: "name a folder in one that exists")
  }
  guard stat(output, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
    throw StyleModelError(
      .usage, file: output, "is a file, but \(images.count) pictures want a folder",
      remedy: "name a folder with -o")
  }
  let folder = output.hasSuffix("/") ? output : output + "/"
  var taken: [String: String] = [:]
  return try images.map { image throws(StyleModelError) in
    let name = image.split(separator: "/").last.map(String.init) ?? image
    let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    if let other = taken.updateValue(image, forKey: stem) {
      throw StyleModelError(
        .usage, "'\(other)' and '\(image)' would both become '\(folder)\(stem).png'",
        remedy: "do them one by one")
    }
    return folder + stem + ".png"
  }
}
