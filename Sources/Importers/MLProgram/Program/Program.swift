import Tensors

/// The main function of an ML Program as its file has it, before anything is made of it.
struct Program {
  /// The type of a tensor that flows or is known.
  struct TensorType {
    let type: ProgramType
    /// The extents; nil where one varies.
    let extents: [Int?]

    /// The extents, or nil where one varies or they are impossible.
    var shape: Shape? {
      let fixed = extents.compactMap { $0 }
      return fixed.count == extents.count ? Shape(checking: fixed) : nil
    }
  }

  /// Something known that an operation is given.
  enum Value {
    /// Numbers in the model's own file.
    case numbers(ProgramTensor)
    /// Numbers in a weight file: the metadata's offset there.
    case blob(file: String, offset: UInt64, type: TensorType)
    case texts([String])
    /// One of a kind that is not read, in a word.
    case other(String)
  }

  /// What an argument of an operation is.
  enum Argument {
    /// A value computed before, or an input of the function.
    case name(String)
    case value(Value)
  }

  /// One operation.
  struct Operation {
    /// The name of the operator: `conv`.
    let type: String
    /// The arguments by their roles; several for operators that take a list.
    let inputs: [String: [Argument]]
    /// The settings; those of `const` and of compressed weights stand here.
    let attributes: [String: Value]
    /// The names of the results.
    let outputs: [String]
    /// How many blocks are nested in it: loops and conditions have some.
    let blockCount: Int

    /// For messages: `conv 'stylized'`.
    var label: String { "\(type) '\(outputs.first ?? "")'" }
  }

  /// The operator set: `CoreML5` (iOS 15) to `CoreML8` (iOS 18) and on.
  let operatorSet: String
  /// The function's inputs.
  let inputs: [(name: String, type: TensorType)]
  /// The names of the values that come out.
  let outputs: [String]
  /// The operations, each using only what stands before it.
  let operations: [Operation]
}
