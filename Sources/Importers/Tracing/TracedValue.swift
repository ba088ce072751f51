package import ModelGraph

/// Numbers that flow, and how the file's shape shows them.
package struct PictureValue {
  /// What they are.
  package var term: DecomposedNorm.Picture
  /// One a probed size.
  package var arrangements: [Arrangement]

  package init(term: DecomposedNorm.Picture, arrangements: [Arrangement]) {
    self.term = term
    self.arrangements = arrangements
  }
}

/// Statistics of a picture, in the shape that the file gives them: ones, and the channels along one axis.
package struct StatisticValue {
  package var term: DecomposedNorm.Statistic
  package var shape: [Int]
  package var channels: Int

  package init(term: DecomposedNorm.Statistic, shape: [Int], channels: Int) {
    self.term = term
    self.shape = shape
    self.channels = channels
  }
}

/// What takes part in a file's arithmetic.
package enum TracedValue {
  case picture(PictureValue)
  case statistic(StatisticValue)
  /// Numbers that are known and the same for every size.
  case numbers(Numbers)
}

/// How two values are combined, number by number; the words are those of `Numbers.combine`.
package enum ArithmeticFunction: String {
  case add = "Add"
  case subtract = "Sub"
  case multiply = "Mul"
  case divide = "Div"
  case power = "Pow"
  case maximum = "Max"
  case minimum = "Min"
}

extension DecomposedNorm.Picture {
  /// The picture that the numbers belong to.
  package var source: ValueID {
    switch self {
    case .value(let value), .centered(let value), .squares(let value), .squaredDistances(let value): value
    case .scaled(let scale): scale.value
    }
  }
}
