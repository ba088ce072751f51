import ModelGraph
import Tensors

/// What a program does to pixels at its two ends, as far as a pixel contract can say it: factors and summands a channel
/// before the network, and factors, summands, a clamp to 0…255 and a rounding after it. Taken out of the program, they
/// are part of the model's contract.
struct PixelEnds {
  /// The value that is the picture once its pixels are scaled.
  private(set) var input: String
  /// The value that becomes the picture.
  private(set) var output: String
  /// The network is given `pixel * inputScale + inputBias`.
  private(set) var inputScale: [Float] = [1, 1, 1]
  private(set) var inputBias: [Float] = [0, 0, 0]
  /// The picture is `value * outputScale + outputBias`.
  private(set) var outputScale: [Float] = [1, 1, 1]
  private(set) var outputBias: [Float] = [0, 0, 0]
  private(set) var rounding = PixelContract.Rounding.nearestEven
  /// The operations that are taken out, as indices.
  private(set) var taken: Set<Int> = []

  private let program: Program
  private var uses: [String: Int] = [:]
  private var producers: [String: Int] = [:]

  /// Starts with nothing taken out.
  init(_ program: Program, input: String, output: String) {
    self.program = program
    self.input = input
    self.output = output
    for name in program.outputs { uses[name, default: 0] += 1 }
    for (index, operation) in program.operations.enumerated() {
      for case .name(let name) in operation.inputs.values.joined() { uses[name, default: 0] += 1 }
      for name in operation.outputs { producers[name] = index }
    }
  }

  /// Takes out what is done to the pixels that go in.
  mutating func takeInput(_ known: inout KnownValues) {
    while uses[input] == 1, !program.outputs.contains(input),
      let index = program.operations.firstIndex(where: { $0.uses(input) })
    {
      let operation = program.operations[index]
      guard let result = operation.outputs.first else { return }
      switch operation.type {
      case "cast", "identity": break
      case "mul", "add", "sub", "real_div":
        guard let (numbers, comesFirst) = factors(operation, besides: input, &known) else { return }
        switch (operation.type, comesFirst) {
        case ("mul", _):
          inputScale = zip(inputScale, numbers).map(*)
          inputBias = zip(inputBias, numbers).map(*)
        case ("real_div", false):
          inputScale = zip(inputScale, numbers).map(/)
          inputBias = zip(inputBias, numbers).map(/)
        case ("add", _): inputBias = zip(inputBias, numbers).map(+)
        case ("sub", false): inputBias = zip(inputBias, numbers).map(-)
        default: return
        }
      default: return
      }
      taken.insert(index)
      input = result
    }
  }

  /// Takes out what is done to the values that come out.
  mutating func takeOutput(_ known: inout KnownValues) {
    // What rounds stands behind the clamp, and that behind the scaling. A clamp without a rounding is the network's own.
    var isScaled = false
    var isClamped = false
    var isRounded = false
    while uses[output] == 1, let index = producers[output], !taken.contains(index) {
      let operation = program.operations[index]
      guard let source = flowing(operation) else { return }
      switch operation.type {
      case "cast", "identity": break
      case "round" where !isScaled && !isRounded: isRounded = true
      case "floor" where !isScaled && !isRounded:
        rounding = .truncate
        isRounded = true
      case "clip":
        guard isRounded, !isScaled, !isClamped, bounds(operation, &known) == [0, 255] else { return }
        isClamped = true
      case "mul", "add", "sub", "real_div":
        guard let (numbers, comesFirst) = factors(operation, besides: source, &known) else { return }
        // Half added before a floor is a rounding half up.
        if operation.type == "add", rounding == .truncate, !isClamped, !isScaled, numbers == [0.5, 0.5, 0.5] {
          rounding = .halfUp
          break
        }
        switch (operation.type, comesFirst) {
        case ("mul", _): outputScale = zip(outputScale, numbers).map(*)
        case ("real_div", false): outputScale = zip(outputScale, numbers).map(/)
        case ("add", _): outputBias = zip(outputBias, zip(outputScale, numbers).map(*)).map(+)
        case ("sub", false): outputBias = zip(outputBias, zip(outputScale, numbers).map(*)).map(-)
        default: return
        }
        isScaled = true
      default: return
      }
      taken.insert(index)
      output = source
    }
  }

  /// The one value that an operation is about: `x` or `y`, whichever is no constant.
  private func flowing(_ operation: Program.Operation) -> String? {
    for role in ["x", "y"] {
      if case .name(let name)? = operation.inputs[role]?.first,
        producers[name].map({ program.operations[$0].type != "const" }) ?? true
      {
        return name
      }
    }
    return nil
  }

  /// The number for each channel that an operation combines a value with, and whether it comes first; nil where it combines
  /// it with something else.
  private func factors(
    _ operation: Program.Operation, besides name: String, _ known: inout KnownValues
  ) -> (numbers: [Float], comesFirst: Bool)? {
    guard let left = operation.inputs["x"]?.first, let right = operation.inputs["y"]?.first else {
      return nil
    }
    let comesFirst: Bool
    let other: Program.Argument
    if case .name(name) = left {
      (comesFirst, other) = (false, right)
    } else {
      (comesFirst, other) = (true, left)
    }
    guard let value = value(other, &known), case .numbers(let tensor) = value,
      let numbers = try? tensor.floats(), numbers.allSatisfy(\.isFinite)
    else { return nil }
    switch tensor.shape.dimensions {
    case let shape where shape.allSatisfy { $0 == 1 } && numbers.count == 1:
      return ([numbers[0], numbers[0], numbers[0]], comesFirst)
    case [1, 3, 1, 1], [3, 1, 1]: return (numbers, comesFirst)
    default: return nil
    }
  }

  private func bounds(_ operation: Program.Operation, _ known: inout KnownValues) -> [Float] {
    ["alpha", "beta"].compactMap { role in
      guard let argument = operation.inputs[role]?.first, case .numbers(let tensor)? = value(argument, &known)
      else { return nil }
      return try? tensor.floats().first
    }
  }

  private func value(_ argument: Program.Argument, _ known: inout KnownValues) -> KnownValue? {
    switch argument {
    case .value(let value): return try? known.value(value)
    case .name(let name):
      guard let index = producers[name], program.operations[index].type == "const",
        let value = program.operations[index].attributes["val"]
      else { return nil }
      return try? known.value(value)
    }
  }
}

extension Program.Operation {
  fileprivate func uses(_ name: String) -> Bool {
    inputs.values.joined().contains { if case .name(name) = $0 { true } else { false } }
  }
}
