import Diagnostics

/// The plain colour that see-through pixels are laid over, in pixel units.
public struct Background: Hashable, Sendable {
  /// Red, 0…255.
  public var red: Float
  /// Green, 0…255.
  public var green: Float
  /// Blue, 0…255.
  public var blue: Float

  /// Creates a background.
  public init(red: Float, green: Float, blue: Float) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// White, what a page or a phone's gallery shows behind a picture.
  public static let white = Background(red: 255, green: 255, blue: 255)
  /// Black.
  public static let black = Background(red: 0, green: 0, blue: 0)

  /// The colour in words: `white`, `black`, `rgb(12, 34, 56)`.
  public var name: String {
    switch self {
    case .white: "white"
    case .black: "black"
    default: "rgb(" + [red, green, blue].map { fixed(Double($0), 0) }.joined(separator: ", ") + ")"
    }
  }
}
