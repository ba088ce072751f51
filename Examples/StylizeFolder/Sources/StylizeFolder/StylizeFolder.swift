import Foundation
import StyleModelKit

/// Makes a small model of a checkpoint and runs it on every picture of a folder.
@main
struct StylizeFolder {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count == 3 else {
      print("Usage: StylizeFolder CHECKPOINT PICTURES OUTPUT")
      exit(64)
    }
    do {
      try run(checkpoint: arguments[1], pictures: arguments[2], output: arguments[3])
    } catch {
      print("Error: \(error.message)")
      exit(error.kind.exitStatus)
    }
  }

  static func run(checkpoint: String, pictures folder: String, output: String) throws(StyleModelError) {
    let conversion = try convert(loadModel(checkpoint), quantization: .int8)
    let path = output + "/style.stylemodel"
    try? FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
    try conversion.write(to: path)
    let model = try loadModel(path)
    print("\(conversion.source.byteCount) -> \(model.byteCount) bytes")

    let report = try evaluate(model, options: EvaluationOptions(imagesFolder: folder, sourcePath: checkpoint))
    if let worst = report.worstPSNR {
      print("worst picture: \(fixed(worst.quality.psnr, 2)) dB (\(worst.name))")
    }

    let engine = try Engine(model: model)
    for picture in try pictures(inFolder: folder) {
      let name = URL(filePath: picture.name).deletingPathExtension().lastPathComponent
      try engine.stylize("\(folder)/\(picture.name)", to: "\(output)/\(name).png")
      print(picture.name)
    }
  }
}
