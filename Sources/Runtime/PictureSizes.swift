import Diagnostics
import ModelGraph
import Tensors

extension Engine {
  /// The shape of every value, with an error that says which size would do.
  func shapes(for size: PictureSize) throws(StyleModelError) -> [ValueID: Shape] {
    do throws(StyleModelError) {
      return try graph.shapes(for: size)
    } catch {
      var explained = error
      explained.problem = "a picture of \(size) is too small for the network: " + error.problem
      guard let smallest = graph.smallestSize(), smallest.width > size.width || smallest.height > size.height
      else {
        throw error
      }
      explained.remedy = "use a picture of at least \(smallest)"
      throw explained
    }
  }
}

extension Graph {
  /// The smallest width and the smallest height that every operation can take, or nil where none is found.
  func smallestSize() -> PictureSize? {
    let large = 512
    func fits(_ width: Int, _ height: Int) -> Bool {
      (try? shapes(for: PictureSize(width: width, height: height))) != nil
    }
    guard let width = (1...large).first(where: { fits($0, large) }),
      let height = (1...large).first(where: { fits(width, $0) })
    else { return nil }
    return PictureSize(width: width, height: height)
  }
}
