import CEvaluationPictures
public import Diagnostics
public import Imaging

/// A picture of an evaluation set, with the name it goes by in reports.
public struct EvaluationPicture: Hashable, Sendable {
  /// A short name without spaces.
  public var name: String
  /// The picture.
  public var picture: Picture

  /// Creates a picture of an evaluation set.
  public init(name: String, picture: Picture) {
    self.name = name
    self.picture = picture
  }
}

/// The built-in evaluation set, always in the same order: three photographs, and what breaks style networks: a
/// smooth gradient, a checkerboard, a flat field and noise.
///
/// It shares no picture with the built-in calibration set.
/// - Throws: `.internalFault` when a picture that is compiled in cannot be decoded.
public func builtInEvaluationPictures() throws(StyleModelError) -> [EvaluationPicture] {
  var pictures: [EvaluationPicture] = []
  for index in 0..<ce_picture_count() {
    guard let entry = ce_picture_at(index)?.pointee else { continue }
    let name = String(cString: entry.name)
    do {
      let bytes = Array(UnsafeBufferPointer(start: entry.bytes, count: entry.count))
      pictures.append(EvaluationPicture(name: name, picture: try decodePicture(bytes).picture))
    } catch {
      throw StyleModelError(
        .internalFault, place: "built-in picture \(name)", error.message, remedy: "please report it")
    }
  }
  return pictures + [
    EvaluationPicture(name: "gradient", picture: gradientPicture()),
    EvaluationPicture(name: "checker", picture: checkerPicture()),
    EvaluationPicture(name: "flat", picture: flatPicture()),
    EvaluationPicture(name: "noise", picture: noisePicture()),
  ]
}
