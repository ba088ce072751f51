import CCalibrationPictures
public import Diagnostics
import Imaging

/// The built-in calibration set, always in the same order: photographs and textures, a picture of overlapping discs, and
/// smooth ramps.
///
/// It shares no picture with the built-in evaluation set.
/// - Throws: `.internalFault` when a picture that is compiled in cannot be decoded.
public func builtInCalibrationPictures() throws(StyleModelError) -> [CalibrationPicture] {
  var pictures: [CalibrationPicture] = []
  for index in 0..<cc_picture_count() {
    guard let entry = cc_picture_at(index)?.pointee else { continue }
    let name = String(cString: entry.name)
    do {
      let bytes = Array(UnsafeBufferPointer(start: entry.bytes, count: entry.count))
      pictures.append(CalibrationPicture(name: name, picture: try decodePicture(bytes).picture))
    } catch {
      throw StyleModelError(
        .internalFault, place: "built-in picture \(name)", error.message, remedy: "please report it")
    }
  }
  pictures.append(CalibrationPicture(name: "discs", picture: discsPicture(size: 192, seed: 7)))
  return pictures + rampPictures()
}
