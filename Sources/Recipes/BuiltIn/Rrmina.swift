/// Both networks of rrmina/fast-neural-style-pytorch. Their author reads and writes with OpenCV: blue comes first,
/// and the result is rounded half to even.
let rrminaText = """
  recipe "rrmina-resnext" {
    title "rrmina/fast-neural-style-pytorch, TransformerResNextNetwork"
    pixels(raw255, order: bgr, rounding: nearest_even)
    input %x

    \(rrminaBlocks)

    use active(%x, %x, "ConvBlock.0", 1)
    use active(%x, %x, "ConvBlock.2", 2)
    use active(%x, %x, "ConvBlock.4", 2)
    repeat i from 0 while "ResidualBlock.{i}.conv1.conv_layer.weight" exists {
      use active(%y, %x, "ResidualBlock.{i}.conv1", 1)
      use active(%y, %y, "ResidualBlock.{i}.conv2", 1)
      use layer(%y, %y, "ResidualBlock.{i}.conv3", 1)
      use normed(%y, "ResidualBlock.{i}.conv3")
      %x = add(%y, %x)
    }
    use doubling(%x, "DeconvBlock.0")
    use doubling(%x, "DeconvBlock.2")
    use layer(%x, %x, "DeconvBlock.4", 1)
    output %x
  }

  recipe "rrmina" {
    title "rrmina/fast-neural-style-pytorch, TransformerNetwork"
    pixels(raw255, order: bgr, rounding: nearest_even)
    input %x

    \(rrminaBlocks)

    use active(%x, %x, "ConvBlock.0", 1)
    use active(%x, %x, "ConvBlock.2", 2)
    use active(%x, %x, "ConvBlock.4", 2)
    repeat i from 0 while "ResidualBlock.{i}.conv1.conv_layer.weight" exists {
      use active(%y, %x, "ResidualBlock.{i}.conv1", 1)
      use layer(%y, %y, "ResidualBlock.{i}.conv2", 1)
      use normed(%y, "ResidualBlock.{i}.conv2")
      %x = add(%y, %x)
    }
    use doubling(%x, "DeconvBlock.0")
    use doubling(%x, "DeconvBlock.2")
    use layer(%x, %x, "DeconvBlock.4", 1)
    output %x
  }
  """

private let rrminaBlocks = """
  block normed(%out, p) {
    %out = instance_norm(%out, gamma: @"{p}.norm_layer.weight", beta: @"{p}.norm_layer.bias", epsilon: 1e-5)
  }
  block layer(%out, %in, p, s) {
    %out = pad(%in, amounts: half(@"{p}.conv_layer.weight"), mode: reflect)
    %out = conv(%out, weight: @"{p}.conv_layer.weight", bias: @"{p}.conv_layer.bias", stride: s)
  }
  block active(%out, %in, p, s) {
    use layer(%out, %in, p, s)
    use normed(%out, p)
    %out = relu(%out)
  }
  block doubling(%x, p) {
    %x = conv_transpose(%x, weight: @"{p}.conv_transpose.weight", bias: @"{p}.conv_transpose.bias", stride: 2,
                        padding: 1, output_padding: 1)
    use normed(%x, p)
    %x = relu(%x)
  }
  """
