public import Diagnostics

/// What a report says of a model before any picture is shown: the same for every picture, wherever it is evaluated.
public struct ReportHead: Hashable, Sendable {
  /// The model that is judged; without bytes and digest where it could not be made or read.
  public var candidate: EvaluationReport.Subject
  /// What it is judged by.
  public var reference: EvaluationReport.Subject
  /// Where the candidate's bytes are.
  public var sizes: [EvaluationReport.SizeLine]
  /// The same by layer and kind of storage.
  public var shares: [EvaluationReport.ByteShare]
  /// What the candidate is computed in.
  public var compute: String
  /// The size in bytes of the file that the candidate was made from.
  public var sourceByteCount: Int?
  /// The SHA-256 of that file, in hexadecimal; nil where it is not known.
  public var sourceSHA256: String?
  /// What the reader should know, one sentence each; what the pictures show comes behind it.
  public var notes: [String]
  /// What the reader should know after that.
  public var closingNotes: [String]
  /// The layers whose noise is measured, with sums of zero; none where it is not.
  public var layers: [LayerNoise]
  /// Why there is no model to show pictures to; nil where there is one.
  public var failure: StyleModelError?

  /// Creates a head.
  public init(
    candidate: EvaluationReport.Subject, reference: EvaluationReport.Subject,
    sizes: [EvaluationReport.SizeLine] = [], shares: [EvaluationReport.ByteShare] = [],
    compute: String = "fp32", sourceByteCount: Int? = nil, sourceSHA256: String? = nil,
    notes: [String] = [], closingNotes: [String] = [],
    layers: [LayerNoise] = [], failure: StyleModelError? = nil
  ) {
    self.candidate = candidate
    self.reference = reference
    self.sizes = sizes
    self.shares = shares
    self.compute = compute
    self.sourceByteCount = sourceByteCount
    self.sourceSHA256 = sourceSHA256
    self.notes = notes
    self.closingNotes = closingNotes
    self.layers = layers
    self.failure = failure
  }
}

/// What came of showing one picture to one model: the piece that evaluations are made of, on one machine or on many.
public struct UnitOutcome: Sendable {
  /// The picture's figures, or why there are none.
  public var picture: PictureResult
  /// Where half precision overflowed first on it.
  public var overflow: EvaluationReport.Compute.Overflow?
  /// The sums of each layer's noise over this picture, in the order of the head's layers; none where they were not
  /// measured.
  public var layers: [LayerSums]

  /// One picture's part of a `LayerNoise`.
  public struct LayerSums: Hashable, Sendable {
    /// Of the squares of the float network's output.
    public var signal: Double
    /// Of the squared differences of the layer by itself.
    public var ownNoise: Double
    /// Of the squared differences with what the layers before have added.
    public var arrivedNoise: Double

    /// Creates sums.
    public init(signal: Double, ownNoise: Double, arrivedNoise: Double) {
      self.signal = signal
      self.ownNoise = ownNoise
      self.arrivedNoise = arrivedNoise
    }
  }

  /// Creates an outcome.
  public init(
    picture: PictureResult, overflow: EvaluationReport.Compute.Overflow? = nil, layers: [LayerSums] = []
  ) {
    self.picture = picture
    self.overflow = overflow
    self.layers = layers
  }
}

extension EvaluationReport {
  /// Puts a report together from what its pictures gave, in the order of evaluation. The same outcomes give the same
  /// report, to the last bit, wherever they were computed.
  /// - Parameters:
  ///   - rounded: whether outputs were rounded to bytes before they were compared.
  ///   - ssim: which SSIM was taken.
  public init(
    head: ReportHead, outcomes: [UnitOutcome], rounded: Bool, ssim: SSIMDefinition = .standard, gates: Gates
  ) {
    var kept: [UnitOutcome] = []
    for outcome in outcomes { kept.add(outcome) }
    self.init(
      candidate: head.candidate, reference: head.reference, sizes: head.sizes, shares: head.shares,
      pictures: kept.map(\.picture),
      compute: Compute(name: head.compute, firstOverflow: outcomes.lazy.compactMap(\.overflow).first),
      rounded: rounded, ssim: ssim, sourceByteCount: head.sourceByteCount, notes: head.notes, gates: gates)
    notes += head.closingNotes
    layers = head.layers
    for outcome in outcomes where outcome.layers.count == layers.count {
      for (index, sums) in outcome.layers.enumerated() {
        layers[index].signal += sums.signal
        layers[index].ownNoise += sums.ownNoise
        layers[index].arrivedNoise += sums.arrivedNoise
      }
    }
  }
}
