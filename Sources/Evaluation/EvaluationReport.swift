import Diagnostics

/// The evaluation of one model against another, as it is reported.
public struct EvaluationReport: Sendable {
  /// One of the two models.
  public struct Subject: Hashable, Sendable {
    /// The file's name.
    public var name: String
    /// How the weights are stored, in a word or two: `int8`, `fp32`.
    public var storage: String
    /// The file's size in bytes; 0 where there is no file, as with a folder of pictures.
    public var byteCount: Int
    /// The SHA-256 of the file in hexadecimal; empty where there is no file.
    public var sha256: String

    /// Creates a subject.
    public init(name: String, storage: String, byteCount: Int, sha256: String) {
      self.name = name
      self.storage = storage
      self.byteCount = byteCount
      self.sha256 = sha256
    }
  }

  /// A share of the candidate's bytes.
  public struct SizeLine: Hashable, Sendable {
    /// What the bytes are for.
    public var name: String
    /// How many.
    public var byteCount: Int

    /// Creates a line.
    public init(name: String, byteCount: Int) {
      self.name = name
      self.byteCount = byteCount
    }
  }

  /// The bytes that one layer takes in one kind of storage.
  public struct ByteShare: Hashable, Sendable {
    /// The layer, by the name that its tensors share; or the part of the file that is no tensor.
    public var layer: String
    /// How the bytes are stored, in a word: `int8`, `fp16`; nil for what is no tensor.
    public var storage: String?
    /// How many.
    public var byteCount: Int

    /// Creates a share.
    public init(layer: String, storage: String?, byteCount: Int) {
      self.layer = layer
      self.storage = storage
      self.byteCount = byteCount
    }
  }

  /// What the judged model was computed in.
  public struct Compute: Hashable, Sendable {
    /// Where half precision overflowed first.
    public struct Overflow: Hashable, Sendable {
      /// The picture, the first of those on which anything overflowed.
      public var picture: String
      /// The layer, by the name of its weight.
      public var layer: String
      /// What overflowed: `result`, `weight`, `sum`, …
      public var what: String
      /// How many numbers did.
      public var count: Int
      /// The pixels of the output with a sample that is not finite.
      public var nonFinitePixels: Int
      /// All but the picture and its pixels in a clause.
      public var text: String

      /// Creates an overflow.
      public init(
        picture: String, layer: String, what: String, count: Int, nonFinitePixels: Int, text: String
      ) {
        self.picture = picture
        self.layer = layer
        self.what = what
        self.count = count
        self.nonFinitePixels = nonFinitePixels
        self.text = text
      }

      /// The overflow in a sentence.
      public var sentence: String {
        "\(text) (\(picture); \(counted(nonFinitePixels, "pixel")) of the output not finite)"
      }
    }

    /// The precision: `fp32`, `fp16`.
    public var name: String
    /// The first overflow, if there was one.
    public var firstOverflow: Overflow?

    /// Creates a description.
    public init(name: String = "fp32", firstOverflow: Overflow? = nil) {
      self.name = name
      self.firstOverflow = firstOverflow
    }
  }

  /// The model that is judged.
  public var candidate: Subject
  /// What it is judged by.
  public var reference: Subject
  /// Where the candidate's bytes are; they add up to the file, or there are none.
  public var sizes: [SizeLine]
  /// The same bytes by layer and kind of storage, in the file's order; they add up to the file, or there are none.
  public var shares: [ByteShare]
  /// One result a picture.
  public var pictures: [PictureResult]
  /// What each layer adds to the picture's noise, in the network's order; none where it was not measured.
  public var layers: [LayerNoise] = []
  /// What the judged model was computed in.
  public var compute: Compute
  /// Whether outputs were rounded to bytes before they were compared.
  public var rounded: Bool
  /// Which SSIM was taken.
  public var ssim: SSIMDefinition
  /// The size in bytes of the file that the candidate was made from; nil where that is not known.
  public var sourceByteCount: Int?
  /// What the reader should know, one sentence each.
  public var notes: [String]
  /// What the gates said.
  public var gates: [GateResult] = []

  /// Creates a report and draws what notes it can from the pictures.
  public init(
    candidate: Subject, reference: Subject, sizes: [SizeLine], shares: [ByteShare] = [],
    pictures: [PictureResult], compute: Compute = Compute(), rounded: Bool, ssim: SSIMDefinition = .standard,
    sourceByteCount: Int? = nil,
    notes: [String], gates: Gates
  ) {
    self.candidate = candidate
    self.reference = reference
    self.sizes = sizes
    self.shares = shares
    self.pictures = pictures
    self.compute = compute
    self.rounded = rounded
    self.ssim = ssim
    self.sourceByteCount = sourceByteCount
    self.notes = notes
    self.notes += Self.suspicions(pictures)
    self.gates = results(of: gates)
  }

  /// A picture's figures with its name.
  public typealias NamedQuality = (name: String, quality: ImageQuality)

  /// The figures of the pictures that have some.
  public var qualities: [NamedQuality] {
    pictures.compactMap { picture in picture.figures.map { (picture.name, $0.quality) } }
  }

  /// The pictures, failed ones first, then by rising PSNR.
  public var worstFirst: [PictureResult] {
    pictures.enumerated().sorted { left, right in
      let (a, b) = (left.element.figures?.quality.psnr, right.element.figures?.quality.psnr)
      return (a ?? -.infinity, left.offset) < (b ?? -.infinity, right.offset)
    }.map(\.element)
  }

  /// The picture with the least PSNR.
  public var worstPSNR: NamedQuality? { qualities.min { $0.quality.psnr < $1.quality.psnr } }

  /// The picture with the least SSIM.
  public var worstSSIM: NamedQuality? { qualities.min { $0.quality.ssim < $1.quality.ssim } }

  /// The PSNR of the mean squared error over the pictures, in dB; never the mean of PSNRs.
  public var pooled: Double? { pooledPSNR(qualities.map(\.quality)) }

  /// A figure on flicker, with the picture and the kind of frames that it belongs to: `noise`, `shift`.
  public typealias NamedChange = (name: String, frames: String, change: TemporalChange)

  /// The figures on flicker of every picture that has some.
  public var temporalChanges: [NamedChange] {
    pictures.flatMap { picture -> [NamedChange] in
      guard let temporal = picture.figures?.temporal else { return [] }
      return [(picture.name, "noise", temporal.noise)]
        + (temporal.shift.map { [(picture.name, "shift", $0)] } ?? [])
    }
  }

  /// The figure on flicker where the candidate has the most extra change.
  public var worstTemporalChange: NamedChange? { temporalChanges.max { $0.change.extra < $1.change.extra } }

  /// Whether there are pictures and all of them were evaluated.
  public var isComplete: Bool { !pictures.isEmpty && qualities.count == pictures.count }

  /// Whether everything went well: every picture evaluated, every gate held.
  public var passed: Bool { isComplete && gates.allSatisfy(\.passed) }

  /// The definition of the figures, with what depends on this run.
  public var definition: String {
    let windows = Set(qualities.map(\.quality.ssimWindow)).subtracting([ssim.window]).sorted()
    let smaller =
      windows.isEmpty
      ? "" : "; pictures smaller than the window: \(windows.map { "\($0)x\($0)" }.joined(separator: ", "))"
    return ImageQuality.definition(ssim) + smaller
      + (rounded ? "; outputs rounded to 8 bits" : "; outputs in float, clamped to 0…255")
      + (temporalChanges.isEmpty ? "" : "; " + TemporalFigures.definition)
  }

  private static func suspicions(_ pictures: [PictureResult]) -> [String] {
    func names(_ condition: (PictureResult.Figures) -> Bool) -> String? {
      let names = pictures.filter { $0.figures.map(condition) ?? false }.map(\.name)
      return names.isEmpty ? nil : names.joined(separator: ", ")
    }
    let telling = pictures.filter { $0.figures.map { !$0.inputIsFlat } ?? false }.count
    return [
      // One model's figures differ by 20 dB and more between pictures, and a flat one passes with any weights.
      telling < 2 ? "the set is weak: \(counted(telling, "picture")) with anything in it" : nil,
      names(\.channelOrder.isSuspicious).map {
        "red and blue may be swapped: swapping them brings the pictures much closer (\($0))"
      },
      names(\.output.isSaturated).map {
        "more than 90 % of the output is at 0 or 255 (\($0)); the output scale may be wrong"
      },
      names { $0.output.isFlat && !$0.inputIsFlat && !$0.quality.identical }.map {
        "the output is nearly flat (\($0))"
      },
    ].compactMap { $0 }
  }
}
