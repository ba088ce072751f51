/// mmalotin/pytorch-fast-neural-style-mobilenetV2: bottlenecks with depthwise convolutions between reflected 9×9
/// ends, none of them with a bias.
let mmalotinText = """
  recipe "mmalotin" {
    title "mmalotin/pytorch-fast-neural-style-mobilenetV2"
    pixels(raw255, rounding: truncate)
    input %x

    block normed(%out, n) {
      %out = instance_norm(%out, gamma: @"{n}.weight", beta: @"{n}.bias", epsilon: 1e-5)
    }
    block bottleneck(%out, %in, p, s) {
      %out = conv(%in, weight: @"{p}.conv1.weight")
      use normed(%out, "{p}.in1")
      %out = clamp(%out, lower: 0, upper: 6)
      %out = pad(%out, amounts: half(@"{p}.conv2.weight"), mode: reflect)
      %out = conv(%out, weight: @"{p}.conv2.weight", stride: s, groups: auto)
      use normed(%out, "{p}.in2")
      %out = clamp(%out, lower: 0, upper: 6)
      %out = conv(%out, weight: @"{p}.conv3.weight")
      use normed(%out, "{p}.in3")
    }
    block enlarging(%x, p) {
      %x = upsample(%x, factor: 2, mode: nearest)
      use bottleneck(%x, %x, p, 1)
      %x = relu(%x)
    }

    %x = pad(%x, amounts: half(@"conv1.weight"), mode: reflect)
    %x = conv(%x, weight: @"conv1.weight")
    use normed(%x, "in1")
    %x = relu(%x)
    use bottleneck(%x, %x, "conv2", 2)
    use bottleneck(%x, %x, "conv3", 2)
    repeat i from 1 while "res{i}.conv1.weight" exists {
      use bottleneck(%y, %x, "res{i}", 1)
      %x = add(%y, %x)
    }
    use enlarging(%x, "upconv1.conv1")
    use enlarging(%x, "upconv2.conv1")
    %x = pad(%x, amounts: half(@"conv4.weight"), mode: reflect)
    %x = conv(%x, weight: @"conv4.weight")
    output %x
  }
  """
