/// `TransformerNet` of pytorch/examples fast_neural_style, and abhiskk's older one, whose norms call their
/// parameters `scale` and `shift` and whose epsilon is 1e-9. Pixels go in and come out as they are.
let pytorchExamplesText = """
  recipe "pytorch-examples" {
    title "pytorch/examples fast_neural_style"
    pixels(raw255, rounding: truncate)
    input %x

    block layer(%out, %in, c, s) {
      %out = pad(%in, amounts: half(@"{c}.conv2d.weight"), mode: reflect)
      %out = conv(%out, weight: @"{c}.conv2d.weight", bias: optional(@"{c}.conv2d.bias"), stride: s)
    }
    block normed(%out, %in, c, n, s) {
      use layer(%out, %in, c, s)
      %out = instance_norm(%out, gamma: @"{n}.weight" | @"{n}.scale", beta: @"{n}.bias" | @"{n}.shift",
                           epsilon: when(@"in1.scale", 1e-9, 1e-5))
    }
    block active(%out, %in, c, n, s) {
      use normed(%out, %in, c, n, s)
      %out = relu(%out)
    }

    use active(%x, %x, "conv1", "in1", 1)
    use active(%x, %x, "conv2", "in2", 2)
    use active(%x, %x, "conv3", "in3", 2)
    repeat i from 1 while "res{i}.conv1.conv2d.weight" exists {
      use active(%y, %x, "res{i}.conv1", "res{i}.in1", 1)
      use normed(%y, %y, "res{i}.conv2", "res{i}.in2", 1)
      %x = add(%y, %x)
    }
    %x = upsample(%x, factor: 2, mode: nearest)
    use active(%x, %x, "deconv1", "in4", 1)
    %x = upsample(%x, factor: 2, mode: nearest)
    use active(%x, %x, "deconv2", "in5", 1)
    use layer(%x, %x, "deconv3", 1)
    output %x
  }
  """
