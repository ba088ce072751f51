/// Why an evaluation set says little, in words that follow "the evaluation set is weak: "; nil when nothing speaks
/// against it.
///
/// A flat picture passes with nearly any weights, since an instance norm turns it into its own bias; and the figures
/// of one model differ by 20 dB and more between pictures.
public func weaknessOfSet(_ pictures: [EvaluationPicture]) -> String? {
  let telling = pictures.filter { !OutputCheck($0.picture).isFlat }
  if pictures.isEmpty { return "it has no picture" }
  if telling.isEmpty { return "every picture is nearly one colour, which any model gets right" }
  if Set(telling.map(\.picture)).count == 1 {
    return telling.count == pictures.count
      ? "it has only one picture" : "all its pictures but one are nearly one colour"
  }
  return nil
}
