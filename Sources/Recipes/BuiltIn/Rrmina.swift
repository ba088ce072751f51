/// Both networks of rrmina/fast-neural-style-pytorch. Their author reads and writes with OpenCV: blue comes first,
/// and the result is rounded half to even.
let rrminaText = """
  recipe "rrmina-resnext" {
    title "rrmina/fast-neural-style-pytorch, TransformerResNextNetwork"
    pixels(raw255, order: bgr, rounding: nearest_even)
    input %x
    %x = pad(%x, amounts: half(@"ConvBlock.0.conv_layer.weight"), mode: reflect)
    %x = conv(%x, weight: @"ConvBlock.0.conv_layer.weight", bias: @"ConvBlock.0.conv_layer.bias")
    %x = instance_norm(%x, gamma: @"ConvBlock.0.norm_layer.weight", beta: @"ConvBlock.0.norm_layer.bias", epsilon: 1e-5)
    %x = relu(%x)
    %x = pad(%x, amounts: half(@"ConvBlock.2.conv_layer.weight"), mode: reflect)
    %x = conv(%x, weight: @"ConvBlock.2.conv_layer.weight", bias: @"ConvBlock.2.conv_layer.bias", stride: 2)
    %x = instance_norm(%x, gamma: @"ConvBlock.2.norm_layer.weight", beta: @"ConvBlock.2.norm_layer.bias", epsilon: 1e-5)
    %x = relu(%x)
    %x = pad(%x, amounts: half(@"ConvBlock.4.conv_layer.weight"), mode: reflect)
    %x = conv(%x, weight: @"ConvBlock.4.conv_layer.weight", bias: @"ConvBlock.4.conv_layer.bias", stride: 2)
    %x = instance_norm(%x, gamma: @"ConvBlock.4.norm_layer.weight", beta: @"ConvBlock.4.norm_layer.bias", epsilon: 1e-5)
    %x = relu(%x)
    repeat i from 0 while "ResidualBlock.{i}.conv1.conv_layer.weight" exists {
      %y = conv(%x, weight: @"ResidualBlock.{i}.conv1.conv_layer.weight", bias: @"ResidualBlock.{i}.conv1.conv_layer.bias")
      %y = instance_norm(%y, gamma: @"ResidualBlock.{i}.conv1.norm_layer.weight", beta: @"ResidualBlock.{i}.conv1.norm_layer.bias", epsilon: 1e-5)
      %y = relu(%y)
      %y = pad(%y, amounts: half(@"ResidualBlock.{i}.conv2.conv_layer.weight"), mode: reflect)
      %y = conv(%y, weight: @"ResidualBlock.{i}.conv2.conv_layer.weight", bias: @"ResidualBlock.{i}.conv2.conv_layer.bias")
      %y = instance_norm(%y, gamma: @"ResidualBlock.{i}.conv2.norm_layer.weight", beta: @"ResidualBlock.{i}.conv2.norm_layer.bias", epsilon: 1e-5)
      %y = relu(%y)
      %y = conv(%y, weight: @"ResidualBlock.{i}.conv3.conv_layer.weight", bias: @"ResidualBlock.{i}.conv3.conv_layer.bias")
      %y = instance_norm(%y, gamma: @"ResidualBlock.{i}.conv3.norm_layer.weight", beta: @"ResidualBlock.{i}.conv3.norm_layer.bias", epsilon: 1e-5)
      %x = add(%y, %x)
    }
    %x = conv_transpose(%x, weight: @"DeconvBlock.0.conv_transpose.weight", bias: @"DeconvBlock.0.conv_transpose.bias", stride: 2, padding: 1, output_padding: 1)
    %x = instance_norm(%x, gamma: @"DeconvBlock.0.norm_layer.weight", beta: @"DeconvBlock.0.norm_layer.bias", epsilon: 1e-5)
    %x = relu(%x)
    %x = conv_transpose(%x, weight: @"DeconvBlock.2.conv_transpose.weight", bias: @"DeconvBlock.2.conv_transpose.bias", stride: 2, padding: 1, output_padding: 1)
    %x = instance_norm(%x, gamma: @"DeconvBlock.2.norm_layer.weight", beta: @"DeconvBlock.2.norm_layer.bias", epsilon: 1e-5)
    %x = relu(%x)
    %x = pad(%x, amounts: half(@"DeconvBlock.4.conv_layer.weight"), mode: reflect)
    %x = conv(%x, weight: @"DeconvBlock.4.conv_layer.weight", bias: @"DeconvBlock.4.conv_layer.bias")
    output %x
  }

  recipe "rrmina" {
    title "rrmina/fast-neural-style-pytorch, TransformerNetwork"
    pixels(raw255, order: bgr, rounding: nearest_even)
    input %x
    %x = pad(%x, amounts: half(@"ConvBlock.0.conv_layer.weight"), mode: reflect)
    %x = conv(%x, weight: @"ConvBlock.0.conv_layer.weight", bias: @"ConvBlock.0.conv_layer.bias")
    %x = instance_norm(%x, gamma: @"ConvBlock.0.norm_layer.weight", beta: @"ConvBlock.0.norm_layer.bias", epsilon: 1e-5)
    %x = relu(%x)
    %x = pad(%x, amounts: half(@"ConvBlock.2.conv_layer.weight"), mode: reflect)
    %x = conv(%x, weight: @"ConvBlock.2.conv_layer.weight", bias: @"ConvBlock.2.conv_layer.bias", stride: 2)
    %x = instance_norm(%x, gamma: @"ConvBlock.2.norm_layer.weight", beta: @"ConvBlock.2.norm_layer.bias", epsilon: 1e-5)
    %x = relu(%x)
    %x = pad(%x, amounts: half(@"ConvBlock.4.conv_layer.weight"), mode: reflect)
    %x = conv(%x, weight: @"ConvBlock.4.conv_layer.weight", bias: @"ConvBlock.4.conv_layer.bias", stride: 2)
    %x = instance_norm(%x, gamma: @"ConvBlock.4.norm_layer.weight", beta: @"ConvBlock.4.norm_layer.bias", epsilon: 1e-5)
    %x = relu(%x)
    repeat i from 0 while "ResidualBlock.{i}.conv1.conv_layer.weight" exists {
      %y = pad(%x, amounts: half(@"ResidualBlock.{i}.conv1.conv_layer.weight"), mode: reflect)
      %y = conv(%y, weight: @"ResidualBlock.{i}.conv1.conv_layer.weight", bias: @"ResidualBlock.{i}.conv1.conv_layer.bias")
      %y = instance_norm(%y, gamma: @"ResidualBlock.{i}.conv1.norm_layer.weight", beta: @"ResidualBlock.{i}.conv1.norm_layer.bias", epsilon: 1e-5)
      %y = relu(%y)
      %y = pad(%y, amounts: half(@"ResidualBlock.{i}.conv2.conv_layer.weight"), mode: reflect)
      %y = conv(%y, weight: @"ResidualBlock.{i}.conv2.conv_layer.weight", bias: @"ResidualBlock.{i}.conv2.conv_layer.bias")
      %y = instance_norm(%y, gamma: @"ResidualBlock.{i}.conv2.norm_layer.weight", beta: @"ResidualBlock.{i}.conv2.norm_layer.bias", epsilon: 1e-5)
      %x = add(%y, %x)
    }
    %x = conv_transpose(%x, weight: @"DeconvBlock.0.conv_transpose.weight", bias: @"DeconvBlock.0.conv_transpose.bias", stride: 2, padding: 1, output_padding: 1)
    %x = instance_norm(%x, gamma: @"DeconvBlock.0.norm_layer.weight", beta: @"DeconvBlock.0.norm_layer.bias", epsilon: 1e-5)
    %x = relu(%x)
    %x = conv_transpose(%x, weight: @"DeconvBlock.2.conv_transpose.weight", bias: @"DeconvBlock.2.conv_transpose.bias", stride: 2, padding: 1, output_padding: 1)
    %x = instance_norm(%x, gamma: @"DeconvBlock.2.norm_layer.weight", beta: @"DeconvBlock.2.norm_layer.bias", epsilon: 1e-5)
    %x = relu(%x)
    %x = pad(%x, amounts: half(@"DeconvBlock.4.conv_layer.weight"), mode: reflect)
    %x = conv(%x, weight: @"DeconvBlock.4.conv_layer.weight", bias: @"DeconvBlock.4.conv_layer.bias")
    output %x
  }
  """
