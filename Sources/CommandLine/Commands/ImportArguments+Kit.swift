import StyleModelKit

extension ImportArguments {
  /// The options that a command line asks for.
  static func options(_ arguments: ParsedArguments) -> ImportOptions {
    var contract = ContractOverride()
    contract.preset = arguments[io]
    contract.inputScale = three(arguments[inputScale])
    contract.inputBias = three(arguments[inputBias])
    contract.outputScale = three(arguments[outputScale])
    contract.outputBias = three(arguments[outputBias])
    return ImportOptions(
      recipePath: arguments[arch], stateKey: arguments[stateKey],
      keepsRunningStatistics: arguments.has(keepRunningStats), contract: contract)
  }

  /// Whether the command line asks for anything at all.
  static func areGiven(_ arguments: ParsedArguments) -> Bool {
    section.options.contains(where: arguments.has)
  }

  private static func three(_ values: [Double]?) -> [Float]? {
    values.map { values in
      values.count == 1 ? Array(repeating: Float(values[0]), count: 3) : values.map(Float.init)
    }
  }
}
