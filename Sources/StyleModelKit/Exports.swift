// What the library's own calls give and take, so that `import StyleModelKit` is all that a user needs.
@_exported public import Catalogue
@_exported public import Diagnostics
@_exported public import Evaluation
@_exported public import Imaging
@_exported public import ModelGraph
@_exported public import Passes
@_exported public import Quantization
@_exported public import Recipes
@_exported public import Runtime
@_exported public import StyleModelFile
@_exported public import Tensors
