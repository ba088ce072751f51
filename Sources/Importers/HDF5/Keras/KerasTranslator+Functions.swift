import Diagnostics
import ModelGraph
import Tensors

extension KerasTranslator {
  /// What stands in the place of a function of the framework that was called between layers, `x * 127.5 + 127.5`:
  /// its arguments are in the file, unlike those of a Lambda.
  mutating func function(
    _ layer: KerasLayer, _ call: KerasConfig.Call, _ operands: [ValueID]
  ) throws(StyleModelError) -> ValueID {
    let name = layer.config["function"]?.string ?? layer.className
    let last = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
    switch last {
    case "relu", "tanh", "sigmoid":
      let function: Activation.Function = last == "relu" ? .relu : last == "tanh" ? .tanh : .sigmoid
      guard operands.count == 1 else { break }
      return try append(.activation(Activation(input: operands[0], function: function)))
    case "add", "addv2", "__operators__.add", "subtract", "sub", "multiply", "mul", "truediv", "true_divide",
      "divide":
      return try arithmetic(last, layer, call, operands)
    case "clip", "clip_by_value":
      let bounds = numbers(call)
      guard operands.count == 1, bounds.count == 2, bounds[0] <= bounds[1] else { break }
      return try append(
        .activation(
          Activation(input: operands[0], function: .clamp(lower: Float(bounds[0]), upper: Float(bounds[1])))))
    case "pad", "mirror_pad": return try pad(layer, call, operands)
    default: break
    }
    throw layer.problem("calls the function \(printable(name, limit: 80)) in a way that is not known here")
  }

  /// Arithmetic between two values, or between one and a number.
  private mutating func arithmetic(
    _ name: String, _ layer: KerasLayer, _ call: KerasConfig.Call, _ operands: [ValueID]
  ) throws(StyleModelError) -> ValueID {
    let symbol: Character =
      switch name.prefix(3) {
      case "add": "+"
      case "sub": "-"
      case "mul": "*"
      default: "/"
      }
    if operands.count == 2, symbol != "/" {
      return try append(
        .binary(
          Binary(symbol == "+" ? .add : symbol == "-" ? .subtract : .multiply, operands[0], operands[1])))
    }
    let numbers = numbers(call)
    guard operands.count == 1, numbers.count == 1, let number = numbers.first, number.isFinite else {
      throw layer.problem("works on something else than two values, or a value and a number")
    }
    // Which of the two comes first.
    var isNumberFirst = false
    if case .constant(let first)? = call.arguments.first, first.number != nil { isNumberFirst = true }
    let function: Activation.Function
    switch (symbol, isNumberFirst) {
    case ("+", _): function = .linear(scale: 1, bias: Float(number))
    case ("-", false): function = .linear(scale: 1, bias: Float(-number))
    case ("-", true): function = .linear(scale: -1, bias: Float(number))
    case ("*", _): function = .linear(scale: Float(number), bias: 0)
    case ("/", false) where number != 0: function = .linear(scale: Float(1 / number), bias: 0)
    default: throw layer.problem("divides in a way that is not known here")
    }
    return try append(.activation(Activation(input: operands[0], function: function)))
  }

  /// `tf.pad(x, [[0, 0], [1, 1], [1, 1], [0, 0]], "REFLECT")`.
  private mutating func pad(
    _ layer: KerasLayer, _ call: KerasConfig.Call, _ operands: [ValueID]
  ) throws(StyleModelError) -> ValueID {
    func constant(_ names: [String]) -> JSONValue? {
      for (name, argument) in call.named where names.contains(name) {
        if case .constant(let value) = argument { return value }
        if case .list(let items) = argument { return .array(items.map(Self.json)) }
      }
      return nil
    }
    var amounts = constant(["paddings", "pad_width"])
    if amounts == nil { amounts = layer.config["pad_width"] ?? layer.config["paddings"] }
    let mode = (constant(["mode"]) ?? layer.config["mode"])?.string?.lowercased() ?? "constant"
    let pairs = amounts?.items?.map { $0.items?.compactMap(\.integer) ?? [] } ?? []
    let first = channelsFirst ? 2 : 1
    guard operands.count == 1, pairs.count == 4, pairs.allSatisfy({ $0.count == 2 }),
      pairs.flatMap({ $0 }).allSatisfy({ (0...4096).contains($0) }), pairs[0] == [0, 0],
      pairs[channelsFirst ? 1 : 3] == [0, 0], ["constant", "reflect"].contains(mode)
    else { throw layer.problem("pads in a way that is not known here") }
    let (rows, columns) = (pairs[first], pairs[first + 1])
    return try append(
      .pad(
        Pad(
          input: operands[0],
          amounts: Insets(top: rows[0], left: columns[0], bottom: rows[1], right: columns[1]),
          mode: mode == "reflect" ? .reflect : .zero)))
  }

  /// The numbers among the arguments, in their order.
  private func numbers(_ call: KerasConfig.Call) -> [Double] {
    (call.arguments + call.named.map(\.value)).compactMap { argument in
      if case .constant(let value) = argument { value.number } else { nil }
    }
  }

  private static func json(_ argument: KerasConfig.Argument) -> JSONValue {
    switch argument {
    case .constant(let value): value
    case .list(let items): .array(items.map(json))
    case .value: .null
    }
  }
}
