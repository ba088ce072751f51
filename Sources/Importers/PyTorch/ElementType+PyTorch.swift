import Tensors

extension ElementType {
  /// The type that a class of storages holds, by the class's name: `FloatStorage`.
  init?(storageClass global: PickleGlobal) {
    guard ["torch", "torch.cuda", "torch.storage"].contains(global.module) else { return nil }
    switch global.name {
    case "DoubleStorage": self = .float64
    case "FloatStorage": self = .float32
    case "HalfStorage": self = .float16
    case "BFloat16Storage": self = .bfloat16
    case "LongStorage": self = .int64
    case "IntStorage": self = .int32
    case "ShortStorage": self = .int16
    case "CharStorage": self = .int8
    case "ByteStorage": self = .uint8
    case "BoolStorage": self = .bool
    default: return nil
    }
  }

  /// The type that a `torch.dtype` stands for, by its name: `float32`.
  init?(dtype global: PickleGlobal) {
    guard global.module == "torch" else { return nil }
    switch global.name {
    case "float64", "double": self = .float64
    case "float32", "float": self = .float32
    case "float16", "half": self = .float16
    case "bfloat16": self = .bfloat16
    case "int64", "long": self = .int64
    case "int32", "int": self = .int32
    case "int16", "short": self = .int16
    case "int8": self = .int8
    case "uint8": self = .uint8
    case "bool": self = .bool
    default: return nil
    }
  }
}
