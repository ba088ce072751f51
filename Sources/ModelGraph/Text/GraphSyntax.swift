/// What the parser makes of a text: the statements of a graph, or of recipes, before anything is looked up.
public enum GraphSyntax {
  /// An argument's value.
  public indirect enum Expression: Hashable, Sendable {
    /// `%name`.
    case value(String)
    /// `@"key"`, or `@"a" | @"b"`: the first that exists.
    case key([String])
    case integer(Int)
    case number(Float)
    case word(String)
    case string(String)
    /// `[1, 2]`.
    case list([Expression])
    /// `half(@"key")`.
    case call(Call)
  }

  /// `name: expression`, or an expression alone (then the label is empty).
  public struct Argument: Hashable, Sendable {
    /// The label, empty where there is none.
    public var label: String
    /// The value.
    public var expression: Expression
  }

  /// `name(argument, …)`.
  public struct Call: Hashable, Sendable {
    /// What is called.
    public var name: String
    /// With what.
    public var arguments: [Argument]
    /// The line it stands on.
    public var line: Int
  }

  /// A line of a graph or recipe.
  public enum Statement: Hashable, Sendable {
    /// `%name = call(…)`.
    case assign(String, Call)
    /// `input %name "name"`.
    case input(String, name: String?, line: Int)
    /// `output %name`.
    case output(String, line: Int)
    /// `pixels(…)`.
    case pixels(Call)
    /// `styles(…)`.
    case styles(Call)
    /// `title "text"`: a setting of a recipe.
    case setting(String, String, line: Int)
    /// `block name(%out, %in, key) { … }`: statements to be used several times.
    case block(String, parameters: [Parameter], body: [Statement], line: Int)
    /// `use name(%y, %x, "model.{i}")`: a block's statements, with these in place of its parameters.
    case use(Call)
    /// `repeat i from 3 while "key{i}" exists { … }`.
    case loop(variable: String, from: Int, key: String, body: [Statement], line: Int)
  }

  /// What a block leaves open.
  public enum Parameter: Hashable, Sendable {
    /// `%name`: a value.
    case value(String)
    /// `name`: a text that stands in keys as `{name}`, or a number or word that stands alone.
    case word(String)
  }

  /// `graph { … }` or `recipe "name" { … }`.
  public struct Block: Hashable, Sendable {
    /// `graph` or `recipe`.
    public var kind: String
    /// The name, empty where there is none.
    public var name: String
    /// What it says.
    public var statements: [Statement]
    /// The line it starts on.
    public var line: Int
  }
}
