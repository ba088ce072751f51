/// `TransformerNet` of pytorch/examples fast_neural_style, and abhiskk's older one, whose norms call their
/// parameters `scale` and `shift` and whose epsilon is 1e-9. Pixels go in and come out as they are.
let pytorchExamplesText = """
  recipe "pytorch-examples" {
    title "pytorch/examples fast_neural_style"
    pixels(raw255, rounding: truncate)
    input %x
    %x = pad(%x, amounts: half(@"conv1.conv2d.weight"), mode: reflect)
    %x = conv(%x, weight: @"conv1.conv2d.weight", bias: optional(@"conv1.conv2d.bias"))
    %x = instance_norm(%x, gamma: @"in1.weight" | @"in1.scale", beta: @"in1.bias" | @"in1.shift", epsilon: when(@"in1.scale", 1e-9, 1e-5))
    %x = relu(%x)
    %x = pad(%x, amounts: half(@"conv2.conv2d.weight"), mode: reflect)
    %x = conv(%x, weight: @"conv2.conv2d.weight", bias: optional(@"conv2.conv2d.bias"), stride: 2)
    %x = instance_norm(%x, gamma: @"in2.weight" | @"in2.scale", beta: @"in2.bias" | @"in2.shift", epsilon: when(@"in1.scale", 1e-9, 1e-5))
    %x = relu(%x)
    %x = pad(%x, amounts: half(@"conv3.conv2d.weight"), mode: reflect)
    %x = conv(%x, weight: @"conv3.conv2d.weight", bias: optional(@"conv3.conv2d.bias"), stride: 2)
    %x = instance_norm(%x, gamma: @"in3.weight" | @"in3.scale", beta: @"in3.bias" | @"in3.shift", epsilon: when(@"in1.scale", 1e-9, 1e-5))
    %x = relu(%x)
    repeat i from 1 while "res{i}.conv1.conv2d.weight" exists {
      %y = pad(%x, amounts: half(@"res{i}.conv1.conv2d.weight"), mode: reflect)
      %y = conv(%y, weight: @"res{i}.conv1.conv2d.weight", bias: optional(@"res{i}.conv1.conv2d.bias"))
      %y = instance_norm(%y, gamma: @"res{i}.in1.weight" | @"res{i}.in1.scale", beta: @"res{i}.in1.bias" | @"res{i}.in1.shift", epsilon: when(@"in1.scale", 1e-9, 1e-5))
      %y = relu(%y)
      %y = pad(%y, amounts: half(@"res{i}.conv2.conv2d.weight"), mode: reflect)
      %y = conv(%y, weight: @"res{i}.conv2.conv2d.weight", bias: optional(@"res{i}.conv2.conv2d.bias"))
      %y = instance_norm(%y, gamma: @"res{i}.in2.weight" | @"res{i}.in2.scale", beta: @"res{i}.in2.bias" | @"res{i}.in2.shift", epsilon: when(@"in1.scale", 1e-9, 1e-5))
      %x = add(%y, %x)
    }
    %x = upsample(%x, factor: 2, mode: nearest)
    %x = pad(%x, amounts: half(@"deconv1.conv2d.weight"), mode: reflect)
    %x = conv(%x, weight: @"deconv1.conv2d.weight", bias: optional(@"deconv1.conv2d.bias"))
    %x = instance_norm(%x, gamma: @"in4.weight" | @"in4.scale", beta: @"in4.bias" | @"in4.shift", epsilon: when(@"in1.scale", 1e-9, 1e-5))
    %x = relu(%x)
    %x = upsample(%x, factor: 2, mode: nearest)
    %x = pad(%x, amounts: half(@"deconv2.conv2d.weight"), mode: reflect)
    %x = conv(%x, weight: @"deconv2.conv2d.weight", bias: optional(@"deconv2.conv2d.bias"))
    %x = instance_norm(%x, gamma: @"in5.weight" | @"in5.scale", beta: @"in5.bias" | @"in5.shift", epsilon: when(@"in1.scale", 1e-9, 1e-5))
    %x = relu(%x)
    %x = pad(%x, amounts: half(@"deconv3.conv2d.weight"), mode: reflect)
    %x = conv(%x, weight: @"deconv3.conv2d.weight", bias: optional(@"deconv3.conv2d.bias"))
    output %x
  }
  """
