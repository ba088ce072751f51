package import CSchemas
package import Diagnostics
import ProtobufSupport

/// The kind of a Core ML model.
package enum CoreMLKind: Sendable {
  case neuralNetwork
  case classifier
  case regressor
  case program
  /// One that holds no network that is read, in a few words.
  case other(String)
}

/// Unpacks a Core ML model and lends it to `body`: the model itself, or the only network of a pipeline.
///
/// The wire format is walked first, with a bound on its depth; memory is bounded by the file's size.
/// - Throws: `.badInput` with the byte where the file is damaged, or saying what a pipeline holds that is not read.
package func withCoreMLModel<Result>(
  _ bytes: [UInt8], _ body: (Coreml__Model) throws(StyleModelError) -> Result
) throws(StyleModelError) -> Result {
  var empty = Coreml__Model()
  coreml__model__init(&empty)
  guard let descriptor = empty.base.descriptor else {
    throw StyleModelError(.internalFault, "the schema of Core ML models is missing")
  }
  // A typed throw does not cross `withUnsafeBytes` by itself.
  let result: Swift.Result<Result, StyleModelError> = bytes.withUnsafeBytes { raw in
    do throws(StyleModelError) {
      return .success(
        try withUnpackedProtobuf(raw, descriptor, as: Coreml__Model.self) {
          message throws(StyleModelError) in
          guard message.description != nil, message.specification_version > 0 else {
            throw StyleModelError(
              .badInput, "is a Core ML file without a specification version and a description")
          }
          return try body(try message.unwrapped())
        })
    } catch { return .failure(error) }
  }
  return try result.get()
}

extension Coreml__Model {
  /// What kind of model this is.
  package var kind: CoreMLKind {
    switch type_case {
    case COREML__MODEL__TYPE_NEURAL_NETWORK: .neuralNetwork
    case COREML__MODEL__TYPE_NEURAL_NETWORK_CLASSIFIER: .classifier
    case COREML__MODEL__TYPE_NEURAL_NETWORK_REGRESSOR: .regressor
    case COREML__MODEL__TYPE_ML_PROGRAM: .program
    case COREML__MODEL__TYPE_PIPELINE, COREML__MODEL__TYPE_PIPELINE_CLASSIFIER,
      COREML__MODEL__TYPE_PIPELINE_REGRESSOR:
      .other("pipeline")
    default: .other(unknownKind)
    }
  }

  /// The kinds whose fields the schema leaves out, by their numbers.
  private static let otherKinds: [UInt32: String] = [
    300: "linear regressor", 301: "support vector regressor", 302: "tree ensemble regressor",
    304: "Bayesian probit regressor", 400: "linear classifier", 401: "support vector classifier",
    402: "tree ensemble classifier", 404: "nearest neighbours classifier", 501: "recommender",
    555: "custom model", 556: "linked model", 560: "confidence thresholding", 600: "one-hot encoder",
    601: "imputer", 602: "feature vectorizer", 603: "dictionary vectorizer", 604: "scaler",
    606: "categorical mapping", 607: "normalizer", 609: "array feature extractor",
    610: "non-maximum suppression", 900: "identity", 2000: "text classifier", 2001: "word tagger",
    2002: "vision feature print", 2003: "sound analysis", 2004: "gazetteer", 2005: "word embedding",
    2006: "audio feature print", 3000: "serialized model",
  ]

  private var unknownKind: String {
    let fields = UnsafeBufferPointer(start: base.unknown_fields, count: Int(base.n_unknown_fields))
    guard let field = fields.first(where: { $0.tag >= 200 }) else { return "model of no kind" }
    return Self.otherKinds[field.tag] ?? "model of an unknown kind (field \(field.tag))"
  }

  /// The only network that a pipeline holds, or the model itself.
  fileprivate func unwrapped() throws(StyleModelError) -> Coreml__Model {
    var model = self
    // The walk before has bounded how deep pipelines nest.
    while let pipeline = model.innerPipeline {
      let models = list(pipeline.models, pipeline.n_models).map(\.pointee)
      let networks = models.filter {
        switch $0.kind {
        case .neuralNetwork, .classifier, .regressor, .program: true
        case .other: $0.innerPipeline != nil
        }
      }
      guard models.count == 1, let network = networks.first else {
        let kinds = models.prefix(8).map(\.phrase).joined(separator: ", ")
        throw StyleModelError(
          .badInput,
          "is a pipeline of \(counted(models.count, "model"))\(models.isEmpty ? "" : " (\(kinds))")",
          remedy: "a pipeline that holds one network and nothing else is read")
      }
      guard network.description != nil else {
        throw StyleModelError(.badInput, "is a pipeline whose network has no description")
      }
      model = network
    }
    return model
  }

  private var innerPipeline: Coreml__Pipeline? {
    switch type_case {
    case COREML__MODEL__TYPE_PIPELINE: pipeline?.pointee
    case COREML__MODEL__TYPE_PIPELINE_CLASSIFIER: pipeline_classifier?.pointee.pipeline?.pointee
    case COREML__MODEL__TYPE_PIPELINE_REGRESSOR: pipeline_regressor?.pointee.pipeline?.pointee
    default: nil
    }
  }

  /// What kind of model it is, for people.
  package var phrase: String {
    switch kind {
    case .neuralNetwork: "neural network"
    case .classifier: "neural network classifier"
    case .regressor: "neural network regressor"
    case .program: "ML Program"
    case .other(let text): text
    }
  }
}
