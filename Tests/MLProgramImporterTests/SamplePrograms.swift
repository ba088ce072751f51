import Diagnostics
import ModelGraph
import ProtobufSupport
import Tensors

@testable import MLProgramExporter
@testable import MLProgramImporter

/// A program made for a test: one picture `x` goes in, [1, 3, 12, 10], and one comes out.
struct SampleProgram {
  typealias Argument = ProgramDraft.Argument

  var draft: ProgramDraft
  /// The name of the picture that goes in.
  let input: String
  private var random: UInt64 = 1

  init(_ operatorSet: ProgramDraft.OperatorSet = .iOS18) {
    draft = ProgramDraft(operatorSet: operatorSet)
    input = draft.freeName("x")
  }

  /// Adds an operation, and gives the name of its result.
  mutating func add(_ type: String, _ arguments: [(role: String, value: Argument)]) -> String {
    let name = draft.freeName(type)
    draft.add(type, arguments, result: name, extents: [])
    return name
  }

  /// Adds a known tensor of floats that rise by a thousandth.
  mutating func weight(_ shape: [Int]) -> Argument {
    let values = (0..<shape.reduce(1, *)).map { Float($0) * 0.001 - 0.05 }
    return .name(draft.constant("weight", draft.numbers(values, shape: shape)))
  }

  /// The model's own file.
  /// - Parameters:
  ///   - image: whether the ends are pictures, and not arrays.
  ///   - extents: those of the input; nil varies, from 8 on.
  func model(output: String, image: Bool = false, extents: [Int?] = [1, 3, 12, 10]) -> [UInt8] {
    var writer = ProtobufWriter()
    writer.number(1, draft.operatorSet.rawValue)
    writer.message(2) { description in
      for (field, name) in [(1, input), (10, output)] {
        description.message(field) { feature in
          feature.text(1, name)
          feature.message(3) { type in
            if image {
              type.message(4) { picture in
                picture.number(1, 10)
                picture.number(2, 12)
                picture.number(3, 20)
              }
            } else {
              type.message(5) { array in
                array.numbers(1, extents.map { $0 ?? 16 })
                array.number(2, 65568)
                guard extents.contains(nil) else { return }
                array.message(31) { ranges in
                  for extent in extents {
                    ranges.message(1) { range in
                      range.number(1, extent ?? 8)
                      range.number(2, extent ?? -1)
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
    writer.block(502, draft.program(input: input, extents: extents, output: output))
    return writer.bytes
  }

  /// What is read from the model.
  func read(
    output: String, image: Bool = false, extents: [Int?] = [1, 3, 12, 10]
  ) throws(StyleModelError) -> MLProgramModel {
    let weights = draft.weights.bytes
    return try readMLProgram(model(output: output, image: image, extents: extents)) {
      (name) throws(StyleModelError) in
      guard name == "weights/weight.bin" else {
        throw StyleModelError(.cannotOpen, file: name, "is not there")
      }
      return weights
    }
  }

  /// The graph that is read from the model.
  func graph(
    output: String, image: Bool = false, extents: [Int?] = [1, 3, 12, 10]
  ) throws(StyleModelError) -> Graph {
    try read(output: output, image: image, extents: extents).network.get().graph
  }
}

extension Graph {
  /// The operations as calls, without what they are given: `pad amounts [1, 2, 3, 4] mode reflect`.
  var outline: [String] {
    nodes.map { node in
      let call = node.operation.call
      let attributes = call.attributes.map { attribute in
        switch attribute.value {
        case .integers(let list): " \(attribute.name) \(list)"
        case .number(let number): " \(attribute.name) \(number)"
        case .word(let word): " \(attribute.name) \(word)"
        }
      }
      return call.mnemonic + attributes.joined()
    }
  }
}
