/// ternerss/mobile-style-transfer: bottlenecks with depthwise convolutions between zero-padded 7×7 ends, none of
/// them with a bias.
let ternerssText = """
  recipe "ternerss" {
    title "ternerss/mobile-style-transfer"
    pixels(imagenet, rounding: truncate)
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

    %x = conv(%x, weight: @"model.0.weight", padding: half(@"model.0.weight"))
    use normed(%x, "model.1")
    %x = relu(%x)
    use bottleneck(%x, %x, "model.3", 2)
    use bottleneck(%x, %x, "model.4", 2)
    repeat i from 5 while "model.{i}.conv1.weight" exists {
      use bottleneck(%y, %x, "model.{i}", 1)
      %x = add(%y, %x)
    }
    use enlarging(%x, "model.{i}.conv1")
    use enlarging(%x, "model.{i+1}.conv1")
    %x = conv(%x, weight: @"model.{i+2}.weight", padding: half(@"model.{i+2}.weight"))
    output %x
  }
  """
