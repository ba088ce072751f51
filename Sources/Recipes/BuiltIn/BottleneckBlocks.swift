/// What the families with bottlenecks have in common: live norms, and a depthwise convolution between two of 1×1.
let bottleneckBlocks = """
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
  """
